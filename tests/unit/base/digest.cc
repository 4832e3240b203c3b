// SHA-256, HMAC-SHA-256 and the comparison of secrets.
#include "engine/base/base64.h"
#include "engine/base/hmac.h"
#include "engine/base/sha256.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace callisto;

TEST_CASE("SHA-256 gives the digests of the standards, in every thread", "[digest]") {
  const auto check = [] {
    // FIPS 180-2 B.1, the empty text, and RFC 7636 appendix B.
    return encode_base64(view(sha256("abc")), Base64::Url) == "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0" &&
           encode_base64(view(sha256("")), Base64::Url) == "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU" &&
           encode_base64(view(sha256("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")), Base64::Url) ==
               "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  };
  CHECK(check());
  bool elsewhere = false;
  std::thread([&] { elsewhere = check(); }).join();
  CHECK(elsewhere);
}

TEST_CASE("HMAC-SHA-256 gives the codes of RFC 4231", "[digest]") {
  CHECK(encode_base64(hmac_sha256("Jefe", "what do ya want for nothing?"), Base64::Padded) ==
        "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=");
}

TEST_CASE("secrets are equal where every byte is", "[digest]") {
  using namespace std::string_view_literals;
  CHECK(equal_in_constant_time("", ""));
  CHECK(equal_in_constant_time("a\0b"sv, "a\0b"sv));
  CHECK_FALSE(equal_in_constant_time("ab", "abc"));
  CHECK_FALSE(equal_in_constant_time("a\0b"sv, "a\0c"sv));
  CHECK_FALSE(equal_in_constant_time("Abc", "abc"));
}
