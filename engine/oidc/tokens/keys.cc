#include "engine/oidc/tokens/keys.h"

#include "engine/base/base64.h"
#include "engine/json/read.h"
#include "engine/oidc/openssl_handles.h"
#include "engine/oidc/refusal.h"

#include <openssl/core_names.h>

#include <algorithm>
#include <optional>

namespace callisto::oidc {

namespace {

constexpr int least_rsa_bits = 2048;  // RFC 7518 3.3: "A key of size 2048 bits or larger MUST be used"
constexpr int most_rsa_bits = 8192;   // a check of a larger one takes too long
constexpr std::size_t most_exponent_bytes = 8;
constexpr std::size_t ed25519_bytes = 32;

struct Kind {
  std::string_view kty, crv;
  KeyType type;
  std::size_t coordinate_bytes = 0;
};
constexpr Kind kinds[] = {{"RSA", "", KeyType::RSA},
                          {"EC", "P-256", KeyType::P256, 32},
                          {"EC", "P-384", KeyType::P384, 48},
                          {"EC", "P-521", KeyType::P521, 66},
                          {"OKP", "Ed25519", KeyType::Ed25519}};

const Kind* kind_of(const json::Node& jwk) {
  const std::string kty = json::string_of(jwk, "kty"), crv = json::string_of(jwk, "crv");
  const auto* const found = std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& kind) {
    return kind.kty == kty && (kind.crv.empty() || kind.crv == crv);
  });
  return found == std::end(kinds) ? nullptr : found;
}

// What is said about the key must allow checking signatures with it.
bool is_for_signatures(const json::Node& jwk) {
  if (jwk.find("use") && json::string_of(jwk, "use") != "sig") return false;
  const json::Node* operations = jwk.find("key_ops");
  return !operations || std::any_of(operations->items().begin(), operations->items().end(),
                                    [](const json::Node& operation) { return operation.text() == "verify"; });
}

std::shared_ptr<EVP_PKEY> import(const char* type, OSSL_PARAM_BLD* builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* raw = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &raw, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
    return nullptr;
  return {raw, EVP_PKEY_free};
}

void import_rsa(const json::Node& jwk, Key& key) {
  const auto modulus = decode_base64(json::string_of(jwk, "n"), Base64::Url);
  const auto exponent = decode_base64(json::string_of(jwk, "e"), Base64::Url);
  if (!modulus || !exponent || exponent->size() > most_exponent_bytes || modulus->size() > most_rsa_bits / 8) {
    key.flaw = "its n or e is missing, too long or no base64url";
    return;
  }
  const Number n(BN_bin2bn(octets(modulus->data()), static_cast<int>(modulus->size()), nullptr));
  const Number e(BN_bin2bn(octets(exponent->data()), static_cast<int>(exponent->size()), nullptr));
  if (n && BN_num_bits(n.get()) < least_rsa_bits) {
    key.flaw = "it has " + std::to_string(BN_num_bits(n.get())) + " bits; give the provider an RSA key of 2048 or more";
    return;
  }
  // With an exponent of 1 everything would be a good signature. OpenSSL's own check would search for factors of n, for
  // as long as a hostile n wants.
  if (!n || !e || !BN_is_odd(n.get()) || !BN_is_odd(e.get()) || BN_is_one(e.get())) {
    key.flaw = "its n or its e is even or 1";
    return;
  }
  const ParameterBuilder builder(OSSL_PARAM_BLD_new());
  if (builder && OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) == 1 &&
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) == 1)
    key.key = import("RSA", builder.get());
  if (!key.key) key.flaw = "OpenSSL does not take it";
}

void import_ec(const json::Node& jwk, const Kind& kind, Key& key) {
  const auto x = decode_base64(json::string_of(jwk, "x"), Base64::Url);
  const auto y = decode_base64(json::string_of(jwk, "y"), Base64::Url);
  // RFC 7518 6.2.1.2: "The length of this octet string MUST be the full size of a coordinate for the curve".
  if (!x || !y || x->size() != kind.coordinate_bytes || y->size() != kind.coordinate_bytes) {
    key.flaw = "its x or y is not " + std::to_string(kind.coordinate_bytes) + " bytes in base64url";
    return;
  }
  const std::string point = '\4' + *x + *y;  // SEC 1, uncompressed
  const ParameterBuilder builder(OSSL_PARAM_BLD_new());
  if (builder &&
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, kind.crv.data(), kind.crv.size()) ==
          1 &&
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()) == 1)
    key.key = import("EC", builder.get());
  // OpenSSL takes no point that is not on the curve.
  if (!key.key) key.flaw = "its point is not on " + std::string(kind.crv);
}

void import_ed25519(const json::Node& jwk, Key& key) {
  const auto x = decode_base64(json::string_of(jwk, "x"), Base64::Url);
  // RFC 8032 5.1.5: "The public key A is the encoding of the point", 32 octets.
  if (!x || x->size() != ed25519_bytes) {
    key.flaw = "its x is not 32 bytes in base64url";
    return;
  }
  key.key = {EVP_PKEY_new_raw_public_key_ex(nullptr, "ED25519", nullptr, octets(x->data()), x->size()), EVP_PKEY_free};
  if (!key.key) key.flaw = "OpenSSL does not take it";
}

Key import_key(const json::Node& jwk, const Kind& kind, std::optional<Algorithm> only) {
  Key key{json::string_of(jwk, "kid"), kind.type, only, nullptr, {}};
  if (kind.type == KeyType::RSA) import_rsa(jwk, key);
  else if (kind.type == KeyType::Ed25519) import_ed25519(jwk, key);
  else import_ec(jwk, kind, key);
  return key;
}

}  // namespace

bool serves(const Key& key, Algorithm algorithm) {
  return facts_of(algorithm).key == key.type && (!key.only || *key.only == algorithm);
}

Result<KeySet> read_keys(const std::string& document) {
  const ErrorQueueCleaner cleaner;
  const auto root = json::parse(document);
  if (!root) return unreachable("The provider's keys are wrong: " + root.error().message);
  const json::Node* listed = root->find("keys");
  if (!listed || listed->kind() != json::Node::Kind::Array)
    return unreachable("The provider's keys are wrong: there is no array 'keys'");
  KeySet keys;
  for (const json::Node& jwk : listed->items()) {
    const Kind* const kind = kind_of(jwk);
    if (!kind || json::string_of(jwk, "kid").empty() || !is_for_signatures(jwk)) continue;
    const auto only = algorithm_of(json::string_of(jwk, "alg"));
    const bool is_for_others = jwk.find("alg") && (!only || facts_of(*only).key != kind->type);
    if (!is_for_others) keys.push_back(import_key(jwk, *kind, only));
  }
  return keys;
}

const Key* find_key(const KeySet& keys, std::string_view id, Algorithm algorithm) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.id == id && serves(key, algorithm); });
  return found == keys.end() ? nullptr : &*found;
}

}  // namespace callisto::oidc
