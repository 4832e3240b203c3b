#include "engine/base/percent.h"

#include <catch2/catch.hpp>

using namespace callisto;

TEST_CASE("everything but unreserved characters is percent-encoded", "[percent]") {
  std::string out = "x=";
  append_encoded(out, "aZ09-._~ /%+&=\xc3\xbc");
  CHECK(out == "x=aZ09-._~%20%2f%25%2b%26%3d%c3%bc");
}

TEST_CASE("the fields of a form stand in order, names and values encoded", "[percent]") {
  std::string form;
  append_field(form, "code", "a&b=c");
  append_field(form, "a b", "");
  CHECK(form == "code=a%26b%3dc&a%20b=");
}
