#include "engine/auth/token.h"
#include "engine/base/base64.h"
#include "tests/support/seeded_random.h"

#include <catch2/catch.hpp>

#include <set>

using namespace callisto;
using namespace callisto::auth;

TEST_CASE("a token carries 256 random bits behind the prefix of its kind") {
  testing::SeededRandom random, same;
  const std::string token = make_token(TokenKind::Access, random);
  CHECK(token.substr(0, 4) == "cat_");
  CHECK(decode_base64(token.substr(4), Base64::Url) == same.bytes(32));
  CHECK(make_token(TokenKind::Refresh, random).substr(0, 4) == "crt_");
  std::set<std::string> all;
  for (int i = 0; i < 1000; ++i) all.insert(make_token(TokenKind::Access, random));
  CHECK(all.size() == 1000);
}

TEST_CASE("only texts in the shape of a token are worth looking up") {
  testing::SeededRandom random;
  const std::string token = make_token(TokenKind::Access, random);
  CHECK(looks_like(TokenKind::Access, token));
  CHECK_FALSE(looks_like(TokenKind::Refresh, token));
  CHECK_FALSE(looks_like(TokenKind::Access, token.substr(0, 46)));
  CHECK_FALSE(looks_like(TokenKind::Access, token + "A"));
  CHECK_FALSE(looks_like(TokenKind::Access, ""));
  CHECK_FALSE(looks_like(TokenKind::Access, token.substr(0, 46) + "'"));
  CHECK_FALSE(looks_like(TokenKind::Access, token.substr(0, 46) + std::string(1, '\0')));
}

TEST_CASE("the digest is SHA-256") {
  // FIPS 180-4's example "abc": ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad
  CHECK(stored(digest_of("abc")) == "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
  CHECK(digest_of("abc") == digest_of(std::string("abc")));
  CHECK(digest_of("") != digest_of("abc"));
}
