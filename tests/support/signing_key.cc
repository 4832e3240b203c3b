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

SigningKey::SigningKey(EVP_PKEY* key) : key_(key, EVP_PKEY_free), is_rsa_(key && EVP_PKEY_is_a(key, "RSA")) {
  require(key != nullptr);
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

std::string SigningKey::jwk(const std::string& id, const std::string& more) const {
  const std::string head = R"({"kid":")" + id + R"(",)";
  if (is_rsa_)
    return head + R"("kty":"RSA","n":")" + number(key_.get(), OSSL_PKEY_PARAM_RSA_N, 0) + R"(","e":")" +
           number(key_.get(), OSSL_PKEY_PARAM_RSA_E, 0) + '"' + more + '}';
  return head + R"("kty":"EC","crv":"P-256","x":")" + number(key_.get(), OSSL_PKEY_PARAM_EC_PUB_X, 32) + R"(","y":")" +
         number(key_.get(), OSSL_PKEY_PARAM_EC_PUB_Y, 32) + '"' + more + '}';
}

std::string SigningKey::sign_der(const std::string& text) const {
  const Digester digester(EVP_MD_CTX_new());
  std::size_t size = 1024;
  std::string signature(size, '\0');
  require(EVP_DigestSignInit(digester.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1);
  require(EVP_DigestSign(digester.get(), octets(signature.data()), &size, octets(text.data()), text.size()) == 1);
  signature.resize(size);
  return signature;
}

std::string SigningKey::sign(const std::string& text) const {
  const std::string der = sign_der(text);
  if (is_rsa_) return der;
  const unsigned char* at = octets(der.data());
  const EcdsaSignature signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  std::string raw(64, '\0');
  require(signature && BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), octets(raw.data()), 32) == 32);
  require(BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), octets(raw.data()) + 32, 32) == 32);
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
