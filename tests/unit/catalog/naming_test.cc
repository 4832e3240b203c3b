#include "engine/catalog/naming.h"

#include <catch2/catch.hpp>

using namespace callisto::catalog;

TEST_CASE("titles split names into words") {
  CHECK(title_of("ShortDescription") == "Short Description");
  CHECK(title_of("CustomString1") == "Custom String 1");
  CHECK(title_of("Id") == "Id");
  CHECK(title_of("SLABreached") == "SLA Breached");
  CHECK(title_of("OpenID") == "Open ID");
}

TEST_CASE("property names are PascalCase identifiers, entity names kebab-case") {
  CHECK(is_pascal_name("Number1"));
  for (const char* bad : {"", "number", "1Number", "Short_Description", "Naïve", "A B"})
    CHECK_FALSE(is_pascal_name(bad));
  CHECK(is_kebab_name("call-history2"));
  for (const char* bad : {"", "Call", "-call", "call-", "call--history", "call_history", "2call"})
    CHECK_FALSE(is_kebab_name(bad));
}
