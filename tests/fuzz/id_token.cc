// Any bytes as an ID token, as its claims and as a key set, with fixed keys whose private halves nobody has: no token
// is accepted but the two that were signed with them, claims are accepted only with everything they must hold.
#include "engine/base/base64.h"
#include "engine/base/sha256.h"
#include "engine/oidc/tokens/claims.h"
#include "engine/oidc/tokens/jws.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace callisto;

constexpr const char* key_set =
    R"({"keys":[{"kid":"e1","kty":"EC","crv":"P-256","x":"pJ9d4FIL_P7AFOZ6pj9hPV1UCETnj9koMpv-4KlHyhc",)"
    R"("y":"7Bk_L3RNDZffIvLVeFQ53uM2xfucKJ1F0oRUAMeJnNg"},{"kid":"r1","kty":"RSA","e":"AQAB",)"
    R"("n":"r5Xa8pD701KrF2x--i8twNzoHF0ptTZ2fM_iBIODKXufTRFv85_la7L0ia411F-2cqFD2dXbXwLbYZUsMeIbZJTZZcTGYYf-)"
    R"(WO8wIH1RcKk_1LXQA1XLEU5_3YHzGUNuiJt_IWKr5lnHeykxWxGcVf0rDrvHaZS_uc3vSmjaap2ltsEqW1dwWPIYK1EZDgxh3rhv)"
    R"(E16TMG4RqEozv4W908fGkf9lFq5WqdHPHRspXafuVF2Od7mvQEL6elMrYI3q78qDwbVYfB6PSHPfO2wZYNpmPuRd6yCZW6BC0anj)"
    R"(UJKjZLSTN7PddqamGHYeP5iaznAq9Jgzor9EF0Qi6MBwlQ"}]})";

// SHA-256 of the tokens in the corpus, good_rs256 and good_es256, and of what is signed in them.
constexpr std::string_view good[] = {"ddq0vtYiERkp82ghx4SVbBtK9GR4hb8kMeWW9KcQ_mQ",
                                     "JZLyI6NFEbe1QXhtISr4ZSHE3W-h37USF7PCkMWyqm4"};
constexpr std::string_view good_signed[] = {"ebftGWVW3ved1dB3sSCxOo__KmTvr86EfJKf9qDJMsw",
                                            "D-tKFEMKJ4IbxI6KpynuMVs88zghK9D36TgIBOXzWoA"};

void require(bool holds) {
  if (!holds) std::abort();
}

template <typename Hashes>
bool is_one_of(const Hashes& hashes, const std::string& text) {
  return std::count(std::begin(hashes), std::end(hashes), encode_base64(view(sha256(text)), Base64::Url)) > 0;
}

bool check_claims(const json::Node& claims) {
  static const oidc::Expected expected{"https://login.example", "desk", "n-0S6_WzA2Mj", "at-1",
                                       DateTime{1'773'558'000'000}};
  auto identity = oidc::check_claims(claims, expected);
  const auto taken = identity ? oidc::take_claims(claims, "preferred_username", *identity) : Result<void>();
  if (!identity || !taken) {
    const Error& error = identity ? taken.error() : identity.error();
    require(error.status == 403 && !error.log_detail.empty());
    return false;
  }
  require(identity->issuer == expected.issuer && claims.find("nonce")->text() == expected.nonce);
  require(!identity->subject.empty() && !identity->login_name.empty());
  require(!identity->email_verified || !identity->email.empty());
  return true;
}

bool check_token(const std::string& text) {
  static const auto keys = oidc::read_keys(key_set);
  require(keys && keys->size() == 2 && keys->front().key && keys->back().key);
  const auto token = oidc::read_jws(text);
  if (!token) return false;
  check_claims(token->claims);
  const oidc::Key* key = oidc::find_key(*keys, token->key_id, token->algorithm);
  if (!key || !oidc::verify(*token, *key)) return false;
  require(is_one_of(good_signed, token->signed_part));
  return check_claims(token->claims);
}

void check_keys(const std::string& text) {
  const auto keys = oidc::read_keys(text);
  if (!keys) return;
  for (const oidc::Key& key : *keys) {
    require(!key.id.empty() && (key.key == nullptr) == !key.flaw.empty());
    using enum oidc::Algorithm;
    for (const auto algorithm : {RS256, RS512, PS256, PS512, ES256, ES384, ES512, EdDSA}) {
      const std::size_t half = oidc::facts_of(algorithm).half_bytes;
      const std::size_t size = half > 0 ? 2 * half : algorithm == EdDSA ? 64 : 256;
      require(!oidc::verify({algorithm, key.id, "a.b", std::string(size, '\1'), {}}, key));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const bool accepted = check_token(text);
  if (is_one_of(good, text)) require(accepted);
  if (const auto claims = json::parse(text)) check_claims(*claims);
  check_keys(text);
  const auto bytes = decode_base64(text, Base64::Url);
  if (bytes) require(encode_base64(*bytes, Base64::Url) == text);
  return 0;
}
