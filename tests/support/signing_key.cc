#include "tests/support/signing_key.h"

#include "engine/base/base64.h"
#include "engine/oidc/openssl_handles.h"

#include <openssl/core_names.h>
#include <openssl/pem.h>

#include <map>
#include <stdexcept>

namespace callisto::testing {

namespace {

using namespace callisto::oidc;
using Memory = std::unique_ptr<BIO, Freed<BIO_free_all>>;

void require(bool holds) {
  if (!holds) throw std::runtime_error("OpenSSL failed");
}

std::string number(const EVP_PKEY* key, const char* name, int width) {
  BIGNUM* raw = nullptr;
  require(EVP_PKEY_get_bn_param(key, name, &raw) == 1);
  const Number owner(raw);
  std::string bytes(static_cast<std::size_t>(width ? width : BN_num_bytes(raw)), '\0');
  require(BN_bn2binpad(raw, octets(bytes.data()), static_cast<int>(bytes.size())) >= 0);
  return encode_base64(bytes, Base64::Url);
}

}  // namespace

SigningKey::SigningKey(EVP_PKEY* key) : key_(key, EVP_PKEY_free), usual_(Algorithm::RS256) {
  require(key != nullptr);
  if (EVP_PKEY_is_a(key, "ED25519")) usual_ = Algorithm::EdDSA;
  if (!EVP_PKEY_is_a(key, "EC")) return;
  const int bits = EVP_PKEY_get_bits(key);
  usual_ = bits == 256 ? Algorithm::ES256 : bits == 384 ? Algorithm::ES384 : Algorithm::ES512;
}

const SigningKey& SigningKey::rsa(unsigned bits, int number) {
  static std::map<std::pair<unsigned, int>, SigningKey> made;
  const auto found = made.find({bits, number});
  if (found != made.end()) return found->second;
  return made.emplace(std::pair{bits, number}, SigningKey(EVP_RSA_gen(bits))).first->second;
}

const SigningKey& SigningKey::ec(const char* curve) {
  static std::map<std::string, SigningKey> made;
  const auto found = made.find(curve);
  if (found != made.end()) return found->second;
  return made.emplace(curve, SigningKey(EVP_EC_gen(curve))).first->second;
}

const SigningKey& SigningKey::ed25519() {
  static const SigningKey key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  return key;
}

const SigningKey& SigningKey::of(Algorithm algorithm) {
  switch (facts_of(algorithm).key) {
    case KeyType::RSA:
      return rsa();
    case KeyType::P256:
      return ec();
    case KeyType::P384:
      return ec("P-384");
    case KeyType::P521:
      return ec("P-521");
    case KeyType::Ed25519:
      return ed25519();
  }
  throw std::runtime_error("no such key");
}

std::string SigningKey::jwk(const std::string& id, const std::string& more) const {
  const std::string head = R"({"kid":")" + id + R"(",)";
  if (usual_ == Algorithm::RS256)
    return head + R"("kty":"RSA","n":")" + number(key_.get(), OSSL_PKEY_PARAM_RSA_N, 0) + R"(","e":")" +
           number(key_.get(), OSSL_PKEY_PARAM_RSA_E, 0) + '"' + more + '}';
  if (usual_ == Algorithm::EdDSA) {
    std::string point(32, '\0');
    std::size_t size = point.size();
    require(EVP_PKEY_get_raw_public_key(key_.get(), octets(point.data()), &size) == 1);
    return head + R"("kty":"OKP","crv":"Ed25519","x":")" + encode_base64(point, Base64::Url) + '"' + more + '}';
  }
  const int width = static_cast<int>(facts_of(usual_).half_bytes);
  const std::string curve = usual_ == Algorithm::ES256 ? "P-256" : usual_ == Algorithm::ES384 ? "P-384" : "P-521";
  return head + R"("kty":"EC","crv":")" + curve + R"(","x":")" + number(key_.get(), OSSL_PKEY_PARAM_EC_PUB_X, width) +
         R"(","y":")" + number(key_.get(), OSSL_PKEY_PARAM_EC_PUB_Y, width) + '"' + more + '}';
}

std::string SigningKey::signature(const std::string& text, const AlgorithmFacts& facts) const {
  const Digester digester(EVP_MD_CTX_new());
  EVP_PKEY_CTX* context = nullptr;
  std::size_t size = 1024;
  std::string signature(size, '\0');
  require(EVP_DigestSignInit(digester.get(), &context, facts.digest ? facts.digest() : nullptr, nullptr, key_.get()) ==
          1);
  if (facts.is_pss)
    require(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
            EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1);
  require(EVP_DigestSign(digester.get(), octets(signature.data()), &size, octets(text.data()), text.size()) == 1);
  signature.resize(size);
  return signature;
}

std::string SigningKey::sign_der(const std::string& text) const { return signature(text, facts_of(Algorithm::ES256)); }

std::string SigningKey::sign(const std::string& text) const { return sign(text, usual_); }

std::string SigningKey::sign(const std::string& text, Algorithm algorithm) const {
  const AlgorithmFacts& facts = facts_of(algorithm);
  const std::string made = signature(text, facts);
  if (facts.half_bytes == 0) return made;
  const unsigned char* at = octets(made.data());
  const EcdsaSignature pair(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(made.size())));
  std::string raw(2 * facts.half_bytes, '\0');
  const int half = static_cast<int>(facts.half_bytes);
  require(pair && BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), octets(raw.data()), half) == half);
  require(BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), octets(raw.data()) + half, half) == half);
  return raw;
}

std::string SigningKey::public_pem() const {
  const Memory memory(BIO_new(BIO_s_mem()));
  require(PEM_write_bio_PUBKEY(memory.get(), key_.get()) == 1);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  return std::string(bytes, static_cast<std::size_t>(size));
}

}  // namespace callisto::testing
