// SHA-256, HMAC-SHA-256 and the comparison of secrets.
#include "engine/base/base64.h"
#include "engine/base/hex.h"
#include "engine/base/hmac.h"
#include "engine/base/sha256.h"

#include <catch2/catch.hpp>

#include <string>
#include <thread>
#include <vector>

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

TEST_CASE("HMAC-SHA-256 gives the codes of RFC 4231, in every thread, whatever key came before", "[digest]") {
  struct Case {
    std::string key, message;
    const char* code;
  };
  // RFC 4231 sections 4.2, 4.3, 4.4, 4.7 and 4.8, and what is known of the empty key and text.
  const std::vector<Case> cases{
      {std::string(20, '\x0b'), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {"Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      {std::string(20, '\xaa'), std::string(50, '\xdd'),
       "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
      {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
       "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
      {std::string(131, '\xaa'),
       "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
       "hashed before being used by the HMAC algorithm.",
       "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
      {"", "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"},
  };
  const auto check = [&] {
    for (const Case& before : cases)
      for (const Case& each : cases) {
        hmac_sha256(before.key, before.message);
        if (hex(hmac_sha256(each.key, each.message)) != each.code) return false;
      }
    return true;
  };
  CHECK(check());
  CHECK(hex(hmac_sha256({}, {})) == cases.back().code);
  bool elsewhere = false;
  std::thread([&] { elsewhere = check(); }).join();
  CHECK(elsewhere);
}

TEST_CASE("secrets are equal where every byte is", "[digest]") {
  using namespace std::string_view_literals;
  CHECK(equal_in_constant_time("", ""));
  CHECK(equal_in_constant_time("a\0b"sv, "a\0b"sv));
  CHECK_FALSE(equal_in_constant_time("ab", "abc"));
  CHECK_FALSE(equal_in_constant_time("a\0b"sv, "a\0c"sv));
  CHECK_FALSE(equal_in_constant_time("Abc", "abc"));
}
