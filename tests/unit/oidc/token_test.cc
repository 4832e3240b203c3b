// Every way an ID token can be wrong, each by a whole sign-in whose provider does that one thing.
#include "engine/base/base64.h"
#include "engine/base/hmac.h"
#include "engine/base/sha256.h"
#include "tests/unit/oidc/office.h"

using namespace callisto;
using namespace callisto::oidc;
using namespace callisto::testing;

namespace {

using Change = void (*)(Office&);

struct Row {
  const char* what;
  Change change;
  const char* detail;  // empty: the token is good
};

std::int64_t seconds(const Office& office) { return office.clock.now().ms / 1000; }

// The parts of a token, put together again in another way.
struct Parts {
  explicit Parts(const std::string& token)
      : header(token.substr(0, token.find('.'))),
        payload(token.substr(header.size() + 1, token.rfind('.') - header.size() - 1)),
        signature(token.substr(token.rfind('.') + 1)) {}
  std::string signed_part() const { return header + '.' + payload; }
  std::string with_signature(const std::string& bytes) const {
    return signed_part() + '.' + encode_base64(bytes, Base64::Url);
  }
  std::string bytes() const { return *decode_base64(signature, Base64::Url); }
  std::string header, payload, signature;
};

const Row signatures[] = {
    {"RS256", [](Office&) {}, ""},
    {"ES256", [](Office& o) { o.idp.algorithm = Algorithm::ES256; }, ""},
    {"no typ", [](Office& o) { o.idp.header["typ"] = ""; }, ""},
    {"alg none without a signature",
     [](Office& o) {
       o.idp.header["alg"] = quote("none");
       o.idp.sign = [](const std::string&) { return std::string(); };
     },
     "signed with 'none'"},
    {"alg None", [](Office& o) { o.idp.header["alg"] = quote("None"); }, "signed with 'None'"},
    {"alg rs256 in lower case", [](Office& o) { o.idp.header["alg"] = quote("rs256"); }, "signed with 'rs256'"},
    {"no alg", [](Office& o) { o.idp.header["alg"] = ""; }, "no 'alg'"},
    {"alg is a number", [](Office& o) { o.idp.header["alg"] = "256"; }, "no 'alg'"},
    {"HS256 with the public key's PEM as the secret",
     [](Office& o) {
       o.idp.header["alg"] = quote("HS256");
       o.idp.sign = [](const std::string& text) { return hmac_sha256(SigningKey::rsa().public_pem(), text); };
     },
     "signed with 'HS256'"},
    {"HS256 with the client's secret",
     [](Office& o) {
       o.idp.header["alg"] = quote("HS256");
       o.idp.sign = [&o](const std::string& text) { return hmac_sha256(o.idp.client_secret, text); };
     },
     "signed with 'HS256'"},
    {"RS256 in name, HMAC with the public key in truth",
     [](Office& o) {
       o.idp.sign = [](const std::string& text) { return hmac_sha256(SigningKey::rsa().public_pem(), text); };
     },
     "signature does not fit"},
    {"PS256 by a key that is for RS256", [](Office& o) { o.idp.algorithm = Algorithm::PS256; }, "no PS256 key 'r1'"},
    {"RS512 by a key that is for RS256", [](Office& o) { o.idp.algorithm = Algorithm::RS512; }, "no RS512 key 'r1'"},
    {"RS1", [](Office& o) { o.idp.header["alg"] = quote("RS1"); }, "signed with 'RS1'"},
    {"ES256K", [](Office& o) { o.idp.header["alg"] = quote("ES256K"); }, "signed with 'ES256K'"},
    {"RS256 signed by another RSA key",
     [](Office& o) { o.idp.sign = [](const std::string& text) { return SigningKey::rsa(2048, 1).sign(text); }; },
     "signature does not fit"},
    {"an EC key's id with RS256", [](Office& o) { o.idp.header["kid"] = quote("e1"); }, "no RS256 key 'e1'"},
    {"an RSA key's id with ES256",
     [](Office& o) {
       o.idp.algorithm = Algorithm::ES256;
       o.idp.header["kid"] = quote("r1");
     },
     "no ES256 key 'r1'"},
    {"an unknown key id", [](Office& o) { o.idp.header["kid"] = quote("r9"); }, "no RS256 key 'r9'"},
    {"no kid", [](Office& o) { o.idp.header["kid"] = ""; }, "no 'kid'"},
    {"the key comes with the token",
     [](Office& o) {
       o.idp.header["kid"] = quote("mine");
       o.idp.header["jwk"] = SigningKey::rsa(2048, 1).jwk("mine");
       o.idp.sign = [](const std::string& text) { return SigningKey::rsa(2048, 1).sign(text); };
     },
     "no RS256 key 'mine'"},
    {"crit", [](Office& o) { o.idp.header["crit"] = R"(["exp"])"; }, "'crit'"},
    {"b64 by crit",
     [](Office& o) {
       o.idp.header["crit"] = R"(["b64"])";
       o.idp.header["b64"] = "false";
     },
     "'crit'"},
    {"typ of an access token", [](Office& o) { o.idp.header["typ"] = quote("at+jwt"); }, "'typ' is 'at+jwt'"},
    {"alg twice", [](Office& o) { o.idp.header_tail = R"(,"alg":"none")"; }, "its header: "},
    {"a header that is no object",
     [](Office& o) {
       o.idp.alter_token = [](const std::string& t) {
         return encode_base64("[]", Base64::Url) + t.substr(t.find('.'));
       };
     },
     "its header is no JSON object"},
    {"a header that is no JSON",
     [](Office& o) {
       o.idp.alter_token = [](const std::string& t) { return encode_base64("{", Base64::Url) + t.substr(t.find('.')); };
     },
     "its header: "},
    {"another payload under the signature",
     [](Office& o) {
       o.idp.alter_token = [](const std::string& t) {
         Parts parts(t);
         std::string claims = *decode_base64(parts.payload, Base64::Url);
         claims.replace(claims.find("ada"), 3, "eve");
         parts.payload = encode_base64(claims, Base64::Url);
         return parts.signed_part() + '.' + parts.signature;
       };
     },
     "signature does not fit"},
    {"no signature", [](Office& o) { o.idp.sign = [](const std::string&) { return std::string(); }; },
     "signature does not fit"},
    {"an RS256 signature without its last byte",
     [](Office& o) {
       o.idp.alter_token = [](const std::string& t) {
         const Parts parts(t);
         return parts.with_signature(parts.bytes().substr(0, 255));
       };
     },
     "signature does not fit"},
    {"an RS256 signature with one bit turned",
     [](Office& o) {
       o.idp.alter_token = [](const std::string& t) {
         const Parts parts(t);
         std::string bytes = parts.bytes();
         bytes[100] = static_cast<char>(bytes[100] ^ 1);
         return parts.with_signature(bytes);
       };
     },
     "signature does not fit"},
    {"an ES256 signature in DER",
     [](Office& o) {
       o.idp.algorithm = Algorithm::ES256;
       o.idp.sign = [](const std::string& text) { return SigningKey::ec().sign_der(text); };
     },
     "not 64 bytes"},
    {"an ES256 signature of 63 bytes",
     [](Office& o) {
       o.idp.algorithm = Algorithm::ES256;
       o.idp.sign = [](const std::string& text) { return SigningKey::ec().sign(text).substr(0, 63); };
     },
     "not 64 bytes"},
    {"an ES256 signature of 66 bytes",
     [](Office& o) {
       o.idp.algorithm = Algorithm::ES256;
       o.idp.sign = [](const std::string& text) {
         const std::string raw = SigningKey::ec().sign(text);
         return '\0' + raw.substr(0, 32) + '\0' + raw.substr(32);
       };
     },
     "not 64 bytes"},
    {"an ES256 signature of zeros",
     [](Office& o) {
       o.idp.algorithm = Algorithm::ES256;
       o.idp.sign = [](const std::string&) { return std::string(64, '\0'); };
     },
     "signature does not fit"},
    {"an ES256 signature with r and s exchanged",
     [](Office& o) {
       o.idp.algorithm = Algorithm::ES256;
       o.idp.sign = [](const std::string& text) {
         const std::string raw = SigningKey::ec().sign(text);
         return raw.substr(32) + raw.substr(0, 32);
       };
     },
     "signature does not fit"},
    {"two parts", [](Office& o) { o.idp.alter_token = [](const std::string& t) { return t.substr(0, t.rfind('.')); }; },
     "not three parts"},
    {"five parts, as an encrypted token has",
     [](Office& o) { o.idp.alter_token = [](const std::string& t) { return t + ".a.b"; }; }, "not three parts"},
    {"nothing but dots", [](Office& o) { o.idp.alter_token = [](const std::string&) { return std::string(".."); }; },
     "its header: "},
    {"padding behind the signature",
     [](Office& o) { o.idp.alter_token = [](const std::string& t) { return t + "=="; }; },
     "its signature is no base64url"},
    {"a blank behind the token", [](Office& o) { o.idp.alter_token = [](const std::string& t) { return t + " "; }; },
     "its signature is no base64url"},
    {"a payload in standard base64",
     [](Office& o) {
       o.idp.alter_token = [](const std::string& t) { return Parts(t).header + ".ab+/." + Parts(t).signature; };
     },
     "its payload is no base64url"},
    {"left-over bits behind the payload",
     [](Office& o) {
       o.idp.alter_token = [](const std::string& t) { return Parts(t).header + ".e31." + Parts(t).signature; };
     },
     "its payload is no base64url"},
    {"the whole token as JSON", [](Office& o) { o.idp.token_answer["id_token"] = R"({"payload":""})"; },
     "gave no ID token"},
};

const Row claim_rows[] = {
    {"another issuer", [](Office& o) { o.idp.claims["iss"] = quote("https://login.example/other"); }, "'iss' is"},
    {"the issuer with a slash behind it",
     [](Office& o) { o.idp.claims["iss"] = quote("https://login.example/realm/"); }, "'iss' is"},
    {"no issuer", [](Office& o) { o.idp.claims["iss"] = ""; }, "'iss' is ''"},
    {"the issuer twice", [](Office& o) { o.idp.claims_tail = R"(,"iss":"https://login.example/realm")"; },
     "its payload: "},
    {"the subject twice", [](Office& o) { o.idp.claims_tail = R"(,"sub":"s-2")"; }, "its payload: "},
    {"another audience", [](Office& o) { o.idp.claims["aud"] = quote("shop"); }, "'aud' does not name this client"},
    {"our name within another", [](Office& o) { o.idp.claims["aud"] = quote("desk2"); }, "'aud' does not name"},
    {"no audience", [](Office& o) { o.idp.claims["aud"] = ""; }, "'aud' is missing"},
    {"an empty list of audiences", [](Office& o) { o.idp.claims["aud"] = "[]"; }, "'aud' does not name"},
    {"an audience that is an object", [](Office& o) { o.idp.claims["aud"] = R"({"desk":"desk"})"; }, "'aud' does not"},
    {"a list of us alone", [](Office& o) { o.idp.claims["aud"] = R"(["desk"])"; }, ""},
    {"several audiences without azp", [](Office& o) { o.idp.claims["aud"] = R"(["desk","shop"])"; },
     "'azp' is missing"},
    {"several audiences, azp us",
     [](Office& o) {
       o.idp.claims["aud"] = R"(["shop","desk"])";
       o.idp.claims["azp"] = quote("desk");
     },
     ""},
    {"several audiences, azp another",
     [](Office& o) {
       o.idp.claims["aud"] = R"(["desk","shop"])";
       o.idp.claims["azp"] = quote("shop");
     },
     "'azp' names another"},
    {"one audience, azp another", [](Office& o) { o.idp.claims["azp"] = quote("shop"); }, "'azp' names another"},
    {"azp a list", [](Office& o) { o.idp.claims["azp"] = R"(["desk"])"; }, "'azp' names another"},
    {"expired 59 s ago", [](Office& o) { o.idp.claims["exp"] = std::to_string(seconds(o) - 59); }, ""},
    {"expired 60 s ago", [](Office& o) { o.idp.claims["exp"] = std::to_string(seconds(o) - 60); }, "it has expired"},
    {"no exp", [](Office& o) { o.idp.claims["exp"] = ""; }, "'exp' or 'iat' is missing"},
    {"exp a text", [](Office& o) { o.idp.claims["exp"] = quote("9999999999"); }, "'exp' or 'iat' is missing"},
    {"exp with a fraction", [](Office& o) { o.idp.claims["exp"] = std::to_string(seconds(o) + 5) + ".5"; }, ""},
    {"exp beyond a double", [](Office& o) { o.idp.claims["exp"] = "1e999"; }, "its payload: "},
    {"exp negative", [](Office& o) { o.idp.claims["exp"] = "-1"; }, "it has expired"},
    {"no iat", [](Office& o) { o.idp.claims["iat"] = ""; }, "'exp' or 'iat' is missing"},
    {"issued in 60 s", [](Office& o) { o.idp.claims["iat"] = std::to_string(seconds(o) + 60); }, ""},
    {"issued in 61 s", [](Office& o) { o.idp.claims["iat"] = std::to_string(seconds(o) + 61); }, "in the future"},
    {"issued 11 min ago", [](Office& o) { o.idp.claims["iat"] = std::to_string(seconds(o) - 660); }, ""},
    {"issued longer ago", [](Office& o) { o.idp.claims["iat"] = std::to_string(seconds(o) - 661); }, "too far back"},
    {"valid in 60 s", [](Office& o) { o.idp.claims["nbf"] = std::to_string(seconds(o) + 60); }, ""},
    {"valid in 61 s", [](Office& o) { o.idp.claims["nbf"] = std::to_string(seconds(o) + 61); }, "not yet valid"},
    {"nbf a text", [](Office& o) { o.idp.claims["nbf"] = quote("1"); }, "'nbf' is no number"},
    {"another nonce", [](Office& o) { o.idp.claims["nonce"] = quote(std::string(43, 'A')); }, "'nonce' is not"},
    {"no nonce", [](Office& o) { o.idp.claims["nonce"] = ""; }, "'nonce' is not"},
    {"an empty nonce", [](Office& o) { o.idp.claims["nonce"] = quote(""); }, "'nonce' is not"},
    {"no subject", [](Office& o) { o.idp.claims["sub"] = ""; }, "'sub' is missing"},
    {"an empty subject", [](Office& o) { o.idp.claims["sub"] = quote(""); }, "'sub' is missing"},
    {"a subject of 255", [](Office& o) { o.idp.claims["sub"] = quote(std::string(255, 's')); }, ""},
    {"a subject of 256", [](Office& o) { o.idp.claims["sub"] = quote(std::string(256, 's')); }, "longer than 255"},
    {"the access token's hash",
     [](Office& o) { o.idp.claims["at_hash"] = quote(encode_base64(view(sha256("at-1")).substr(0, 16), Base64::Url)); },
     ""},
    {"another access token's hash",
     [](Office& o) { o.idp.claims["at_hash"] = quote(encode_base64(view(sha256("at-2")).substr(0, 16), Base64::Url)); },
     "'at_hash'"},
    {"the whole hash",
     [](Office& o) { o.idp.claims["at_hash"] = quote(encode_base64(view(sha256("at-1")), Base64::Url)); }, "'at_hash'"},
    {"at_hash null", [](Office& o) { o.idp.claims["at_hash"] = "null"; }, "'at_hash'"},
    {"at_hash without an access token",
     [](Office& o) {
       o.idp.claims["at_hash"] = quote(encode_base64(view(sha256("")).substr(0, 16), Base64::Url));
       o.idp.token_answer["access_token"] = "";
     },
     "'at_hash'"},
    {"no login name", [](Office& o) { o.idp.claims["preferred_username"] = ""; }, "set oidc.login_claim"},
    {"a login name that is a list", [](Office& o) { o.idp.claims["preferred_username"] = R"(["ada"])"; },
     "set oidc.login_claim"},
};

void check_rows(const Row* begin, const Row* end) {
  int good = 0;
  for (const Row* row = begin; row != end; ++row) {
    INFO(row->what);
    Office office;
    REQUIRE(office.sign_in());  // nothing else is wrong
    row->change(office);
    const auto identity = office.sign_in();
    if (*row->detail) {
      check_refused(office, identity, not_accepted(row->detail));
      continue;
    }
    ++good;
    if (!identity) FAIL_CHECK(identity.error().log_detail);
  }
  CHECK(good >= 3);
}

}  // namespace

TEST_CASE("an ID token counts only with a signature of the provider's own key", "[oidc]") {
  check_rows(std::begin(signatures), std::end(signatures));
}

TEST_CASE("a signature counts by its own algorithm alone, with a key of its type", "[oidc]") {
  using enum Algorithm;
  const Algorithm all[] = {RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA};
  for (const Algorithm said : all) {
    const std::string kid = said == ES256 ? "e1" : "r1";
    Office office;
    office.idp.keys = SigningKey::of(said).jwk(kid);
    office.idp.algorithm = said;
    INFO(name(said));
    const auto signed_in = office.sign_in();
    if (!signed_in) FAIL_CHECK(signed_in.error().log_detail);
    for (const Algorithm other : all) {
      if (other == said) continue;
      INFO(name(other));
      office.idp.sign = [&](const std::string& text) { return SigningKey::of(other).sign(text, other); };
      check_refused(office, office.sign_in(), not_accepted(""));
    }
    office.idp.sign = {};
    for (const Algorithm other : all) {
      INFO("the key's alg is " << name(other));
      office.idp.keys = SigningKey::of(said).jwk(kid, R"(,"alg":")" + std::string(name(other)) + '"');
      office.open();
      CHECK(office.sign_in().has_value() == (other == said));
    }
  }
}

TEST_CASE("a signature of the key's type that is cut, turned or salted otherwise does not count", "[oidc]") {
  using enum Algorithm;
  for (const Algorithm algorithm : {RS512, PS256, PS384, PS512, ES384, ES512, EdDSA}) {
    INFO(name(algorithm));
    Office office;
    office.idp.keys = SigningKey::of(algorithm).jwk("r1");
    office.idp.algorithm = algorithm;
    const auto signature = [&](const std::string& text) { return SigningKey::of(algorithm).sign(text, algorithm); };
    office.idp.sign = [&](const std::string& text) { return signature(text).substr(1); };
    check_refused(office, office.sign_in(), not_accepted("The ID token is wrong"));
    office.idp.sign = [&](const std::string& text) { return signature(text) + '\0'; };
    check_refused(office, office.sign_in(), not_accepted("The ID token is wrong"));
    office.idp.sign = [&](const std::string& text) {
      std::string bytes = signature(text);
      bytes[20] = static_cast<char>(bytes[20] ^ 1);
      return bytes;
    };
    check_refused(office, office.sign_in(), not_accepted("does not fit"));
    office.idp.sign = [&](const std::string& text) { return signature(text + ' '); };
    check_refused(office, office.sign_in(), not_accepted("does not fit"));
    office.idp.sign = {};
    CHECK(office.sign_in());
  }
}

TEST_CASE("a signature whose leading zero is left out does not count", "[oidc]") {
  using enum Algorithm;
  for (const Algorithm algorithm : {PS256, PS384, PS512}) {
    INFO(name(algorithm));
    Office office;
    office.idp.keys = SigningKey::of(algorithm).jwk("r1");
    office.idp.algorithm = algorithm;
    office.idp.sign = [&](const std::string& text) {  // each is salted anew
      std::string bytes;
      do bytes = SigningKey::of(algorithm).sign(text, algorithm);
      while (bytes.front() != 0);
      return bytes.substr(1);
    };
    check_refused(office, office.sign_in(), not_accepted("does not fit"));
  }
}

TEST_CASE("the access token's hash is that of the ID token's algorithm", "[oidc]") {
  struct Row {
    Algorithm algorithm;
    const char* hash;  // of "at-1": the left half of SHA-256, SHA-384, SHA-512
  };
  constexpr const char* sha_256 = "R8PYaIQdcYEdkSc9TeGyiQ";
  constexpr const char* sha_384 = "xuH6cm_HAD6l8eK5sNkZDBF4xMryPnlN";
  constexpr const char* sha_512 = "4J8UayM9qUGnNqHaqK2rpChA_M6CMUIfl5gcZqvthBE";
  for (const Row& row : {Row{Algorithm::PS256, sha_256}, Row{Algorithm::ES384, sha_384}, Row{Algorithm::RS384, sha_384},
                         Row{Algorithm::ES512, sha_512}, Row{Algorithm::EdDSA, sha_512}}) {
    INFO(name(row.algorithm));
    Office office;
    office.idp.keys = SigningKey::of(row.algorithm).jwk("r1");
    office.idp.algorithm = row.algorithm;
    for (const char* hash : {sha_256, sha_384, sha_512}) {
      office.idp.claims["at_hash"] = quote(hash);
      CHECK(office.sign_in().has_value() == (std::string(hash) == row.hash));
    }
  }
}

TEST_CASE("an ID token counts only for this client, this sign-in and this time", "[oidc]") {
  check_rows(std::begin(claim_rows), std::end(claim_rows));
}

TEST_CASE("the e-mail address is a login name only when the provider has verified it", "[oidc]") {
  Office office;
  office.options.login_claim = "email";
  office.open();
  CHECK(office.sign_in()->login_name == "ada@example.org");
  for (const char* verified : {"false", "", "\"true\"", "1"}) {
    office.idp.claims["email_verified"] = verified;
    check_refused(office, office.sign_in(), not_accepted("'email_verified' is not true"));
  }
}

TEST_CASE("without a login claim only issuer and subject are needed", "[oidc]") {
  Office office;
  office.options.login_claim = "";
  office.open();
  office.idp.claims = {{"iss", quote(office.options.issuer)}, {"preferred_username", ""}, {"email", ""}, {"name", ""}};
  const auto identity = office.sign_in();
  REQUIRE(identity);
  CHECK(identity->issuer == "https://login.example/realm");
  CHECK(identity->subject == "s-1");
  CHECK(identity->login_name.empty());
  CHECK_FALSE(identity->email_verified);  // there is no address to verify
}
