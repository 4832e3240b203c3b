#include "engine/auth/password.h"
#include "tests/support/seeded_random.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace callisto;
using namespace callisto::auth;

namespace {

std::string hex(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

constexpr ScryptCost cheap{4, 1, 1};

}  // namespace

TEST_CASE("scrypt gives the vectors of RFC 7914 section 12") {
  CHECK(hex(*scrypt("", "", {4, 1, 1}, 64)) ==
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
        "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906");
  CHECK(hex(*scrypt("password", "NaCl", {10, 8, 16}, 64)) ==
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640");
  CHECK(hex(*scrypt("pleaseletmein", "SodiumChloride", {14, 8, 1}, 64)) ==
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887");
}

TEST_CASE("a password hash says how it was made and verifies its password alone") {
  testing::SeededRandom random;
  const std::string text = PasswordHash::make("pässwörd", ScryptCost(), random).text();
  CHECK(text.starts_with("$scrypt$ln=14,r=8,p=5$"));
  CHECK(text.find('=', text.rfind('$')) == std::string::npos);
  const auto hash = PasswordHash::parse(text);
  REQUIRE(hash);
  CHECK(hash->text() == text);
  CHECK(hash->verify("pässwörd"));
  CHECK_FALSE(hash->verify("pässwörd "));
  CHECK_FALSE(hash->verify(""));
}

TEST_CASE("two hashes of one password differ, for each has its own salt") {
  testing::SeededRandom random;
  CHECK(PasswordHash::make("same", cheap, random).text() != PasswordHash::make("same", cheap, random).text());
}

TEST_CASE("a text that is no hash, or asks for too much work, is not parsed") {
  const std::string tail = "$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  REQUIRE(PasswordHash::parse("$scrypt$ln=14,r=8,p=5" + tail));
  const std::vector<std::string> bad{"",
                                     "correct",
                                     "$scrypt$",
                                     "$argon2id$ln=14,r=8,p=5" + tail,
                                     "$scrypt$ln=21,r=8,p=5" + tail,
                                     "$scrypt$ln=16,r=8,p=5" + tail,
                                     "$scrypt$ln=0,r=8,p=5" + tail,
                                     "$scrypt$ln=14,r=0,p=5" + tail,
                                     "$scrypt$ln=14,r=8,p=17" + tail,
                                     "$scrypt$ln=14,r=8" + tail,
                                     "$scrypt$ln=14,r=8,p=5,q=1" + tail,
                                     "$scrypt$ln=-4,r=8,p=5" + tail,
                                     "$scrypt$ln=14x,r=8,p=5" + tail,
                                     "$scrypt$r=8,ln=14,p=5" + tail,
                                     "$scrypt$ln=99999999999,r=8,p=5" + tail,
                                     "$scrypt$ln=14,r=8,p=5$AA$AAAAAAAAAAAAAAAAAAAAAAAA",
                                     "$scrypt$ln=14,r=8,p=5" + tail + "=",
                                     "$scrypt$ln=14,r=8,p=5" + tail + "$",
                                     "$scrypt$ln=14,r=8,p=5$!" + tail};
  for (const std::string& text : bad) {
    INFO(text);
    CHECK_FALSE(PasswordHash::parse(text));
  }
}

TEST_CASE("the hasher never matches a text that is no hash and renews hashes of another cost") {
  testing::SeededRandom random;
  Hasher hasher(cheap, 2, random);
  const std::string current = PasswordHash::make("correct", cheap, random).text();
  const std::string older = PasswordHash::make("correct", {5, 1, 1}, random).text();
  CHECK(hasher.verify("correct", current) == true);
  CHECK(hasher.verify("wrong", current) == false);
  CHECK(hasher.verify("correct", "") == false);
  CHECK_FALSE(hasher.rehash("correct", current));
  const auto renewed = hasher.rehash("correct", older);
  REQUIRE(renewed);
  CHECK(hasher.verify("correct", *renewed) == true);
  CHECK(PasswordHash::parse(*renewed)->cost == cheap);
}
