#include "engine/base/capitals.h"

#include <catch2/catch.hpp>

using callisto::text::has_own_capitals;

TEST_CASE("letters that become another letter's capitals are told from those that have their own") {
  for (const char* own : {"", "admin", "ADMIN", "straße", "ß\u1E9E", "élodie", "Νίκος", "ΝΊΚΟΣ", "Σίσυφος", "\u0130",
                          "\u01C5", "\u212A", "日本", "😀"}) {
    INFO(own);
    CHECK(has_own_capitals(own));
  }
  for (const char* other : {"admın", "ADMıN", "uſer", "\u00B5", "νίκοσ", "νςα", "\u1FBE", "\u03D0"}) {
    INFO(other);
    CHECK_FALSE(has_own_capitals(other));
  }
}
