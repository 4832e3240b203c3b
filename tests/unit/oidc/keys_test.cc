// Which published keys are used, and which are passed over or named as flawed.
#include "engine/oidc/tokens/keys.h"
#include "engine/base/base64.h"
#include "tests/unit/oidc/office.h"

using namespace callisto;
using namespace callisto::oidc;
using namespace callisto::testing;

namespace {

std::string set_of(const std::string& keys) { return R"({"keys":[)" + keys + "]}"; }

std::string replaced(std::string text, const std::string& member, const std::string& value) {
  const std::size_t at = text.find('"' + member + "\":\"") + member.size() + 4;
  return text.replace(at, text.find('"', at) - at, value);
}

const std::string& rsa() {
  static const std::string jwk = SigningKey::rsa().jwk("k");
  return jwk;
}
const std::string& ec() {
  static const std::string jwk = SigningKey::ec().jwk("k");
  return jwk;
}

}  // namespace

TEST_CASE("keys are passed over unless they are for checking signatures we know", "[oidc]") {
  struct Row {
    std::string jwk;
    bool used;
  };
  const SigningKey& key = SigningKey::rsa();
  for (const Row& row : {Row{key.jwk("k"), true},
                         Row{ec(), true},
                         Row{key.jwk("k", R"(,"use":"sig")"), true},
                         Row{key.jwk("k", R"(,"use":"enc")"), false},
                         Row{key.jwk("k", R"(,"use":1)"), false},
                         Row{key.jwk("k", R"(,"alg":"RS256")"), true},
                         Row{key.jwk("k", R"(,"alg":"RS512")"), true},
                         Row{key.jwk("k", R"(,"alg":"PS256")"), true},
                         Row{key.jwk("k", R"(,"alg":"RS1")"), false},
                         Row{key.jwk("k", R"(,"alg":"RSA-OAEP")"), false},
                         Row{key.jwk("k", R"(,"alg":"ES256")"), false},
                         Row{key.jwk("k", R"(,"alg":"HS256")"), false},
                         Row{SigningKey::ec().jwk("k", R"(,"alg":"RS256")"), false},
                         Row{SigningKey::ec().jwk("k", R"(,"alg":"ES256")"), true},
                         Row{key.jwk("k", R"(,"key_ops":["verify"])"), true},
                         Row{key.jwk("k", R"(,"key_ops":["encrypt"])"), false},
                         Row{key.jwk(""), false},
                         Row{replaced(rsa(), "kty", "oct"), false},
                         Row{SigningKey::ec("P-384").jwk("k"), true},
                         Row{SigningKey::ec("P-521").jwk("k", R"(,"alg":"ES512")"), true},
                         Row{SigningKey::ec("P-521").jwk("k", R"(,"alg":"ES384")"), false},
                         Row{SigningKey::ed25519().jwk("k", R"(,"alg":"EdDSA")"), true},
                         Row{SigningKey::ed25519().jwk("k", R"(,"alg":"Ed25519")"), true},
                         Row{replaced(SigningKey::ed25519().jwk("k"), "crv", "X25519"), false},
                         Row{replaced(ec(), "crv", "secp256k1"), false},
                         Row{replaced(ec(), "kty", "OKP"), false},
                         Row{R"({"kid":"k","kty":"oct","k":"AAAA"})", false},
                         Row{R"("k")", false},
                         Row{"null", false}}) {
    INFO(row.jwk);
    const auto keys = read_keys(set_of(row.jwk));
    REQUIRE(keys);
    CHECK(keys->size() == (row.used ? 1 : 0));
    if (row.used) CHECK(keys->front().key != nullptr);
  }
}

TEST_CASE("flawed keys are named with what is wrong", "[oidc]") {
  struct Row {
    std::string jwk;
    const char* flaw;
  };
  const std::string twice_too_long = encode_base64(std::string(1025, '\x81'), Base64::Url);
  const std::string leading_zero = encode_base64('\0' + std::string(31, '\7'), Base64::Url);
  for (const Row& row :
       {Row{SigningKey::rsa(1024).jwk("k"), "it has 1024 bits"},
        Row{SigningKey::rsa(2047).jwk("k"), "it has 2047 bits"},
        Row{replaced(rsa(), "n", twice_too_long), "too long"},
        Row{replaced(rsa(), "n", ""), "it has 0 bits"},
        Row{replaced(rsa(), "n", "a+b/"), "no base64url"},
        Row{replaced(rsa(), "e", "AQ"), "even or 1"},
        Row{replaced(rsa(), "e", "AAAA"), "even or 1"},
        Row{replaced(rsa(), "e", "Ag"), "even or 1"},
        Row{replaced(rsa(), "e", ""), "even or 1"},
        Row{replaced(rsa(), "n", encode_base64(std::string(256, '\x80'), Base64::Url)), "even or 1"},
        Row{replaced(ec(), "x", encode_base64(std::string(32, '\1'), Base64::Url)), "not on P-256"},
        Row{replaced(ec(), "y", encode_base64(std::string(32, '\xff'), Base64::Url)), "not on P-256"},
        Row{replaced(ec(), "x", encode_base64(std::string(31, '\1'), Base64::Url)), "not 32 bytes"},
        Row{replaced(ec(), "y", encode_base64(std::string(33, '\0'), Base64::Url)), "not 32 bytes"},
        Row{replaced(ec(), "x", ""), "not 32 bytes"},
        Row{replaced(ec(), "crv", "P-384"), "not 48 bytes"},
        Row{replaced(SigningKey::ec("P-384").jwk("k"), "x", encode_base64(std::string(48, '\1'), Base64::Url)),
            "not on P-384"},
        Row{replaced(SigningKey::ec("P-521").jwk("k"), "y", encode_base64(std::string(65, '\1'), Base64::Url)),
            "not 66 bytes"},
        Row{replaced(SigningKey::ed25519().jwk("k"), "x", encode_base64(std::string(31, '\1'), Base64::Url)),
            "its x is not 32 bytes"},
        Row{replaced(replaced(ec(), "x", encode_base64(std::string(32, '\0'), Base64::Url)), "y",
                     encode_base64(std::string(32, '\0'), Base64::Url)),
            "not on P-256"}}) {
    INFO(row.jwk);
    const auto keys = read_keys(set_of(row.jwk));
    REQUIRE(keys);
    REQUIRE(keys->size() == 1);
    CHECK(keys->front().key == nullptr);
    CHECK_THAT(keys->front().flaw, Catch::Contains(row.flaw));
  }
}

TEST_CASE("a weak key does not sign anybody in, and the log says why", "[oidc]") {
  Office office;
  REQUIRE(office.sign_in());
  office.idp.keys = SigningKey::rsa(1024).jwk("r1");
  office.idp.sign = [](const std::string& text) { return SigningKey::rsa(1024).sign(text); };
  office.open();
  check_refused(office, office.sign_in(), not_accepted("'r1' is unusable: it has 1024 bits"));
}

TEST_CASE("two keys of different types may share an id", "[oidc]") {
  Office office;
  office.idp.keys = SigningKey::ec().jwk("same") + ',' + SigningKey::rsa().jwk("same");
  office.idp.header["kid"] = quote("same");
  CHECK(office.sign_in());
  office.idp.algorithm = Algorithm::ES256;
  CHECK(office.sign_in());
}

TEST_CASE("a key set without an array of keys is no key set", "[oidc]") {
  for (const char* document : {"{}", "[]", R"({"keys":{}})", R"({"keys":null})", "x", ""})
    CHECK_FALSE(read_keys(document));
  CHECK(read_keys(R"({"keys":[]})")->empty());
}
