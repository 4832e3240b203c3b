#include "engine/base/percent.h"

#include <catch2/catch.hpp>

using namespace callisto;

TEST_CASE("everything but unreserved characters is percent-encoded", "[percent]") {
  std::string out = "x=";
  append_encoded(out, "aZ09-._~ /%+&=\xc3\xbc");
  CHECK(out == "x=aZ09-._~%20%2F%25%2B%26%3D%C3%BC");
}

TEST_CASE("the fields of a form stand in order, names and values encoded", "[percent]") {
  std::string form;
  append_field(form, "code", "a&b=c");
  append_field(form, "a b", "");
  CHECK(form == "code=a%26b%3Dc&a%20b=");
}

TEST_CASE("an escape is decoded once, and what is none stays", "[percent]") {
  CHECK(decoded_once("%2524filter%3d") == "%24filter=");
  CHECK(decoded_once("100%&%4") == std::nullopt);
  CHECK(decoded_once("%zz%41") == "%zzA");
  CHECK(decoded_once("") == std::nullopt);
}
