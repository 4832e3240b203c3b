// Keys an identity provider signs with, made anew by OpenSSL in every run. Immutable; any thread.
#pragma once

#include "engine/oidc/tokens/algorithms.h"

#include <openssl/types.h>

#include <memory>
#include <string>

namespace callisto::testing {

class SigningKey {
 public:
  static const SigningKey& rsa(unsigned bits = 2048, int number = 0);  // another number: another key
  static const SigningKey& ec(const char* curve = "P-256");
  static const SigningKey& ed25519();
  static const SigningKey& of(oidc::Algorithm algorithm);  // one that can sign with it

  // RFC 7517, with `more` (",\"alg\":\"RS256\"") behind the members of the key itself.
  std::string jwk(const std::string& id, const std::string& more = {}) const;
  std::string sign(const std::string& text) const;  // as RS256, ES256, ES384, ES512 or EdDSA want it
  std::string sign(const std::string& text, oidc::Algorithm algorithm) const;
  std::string sign_der(const std::string& text) const;  // as OpenSSL makes it, with SHA-256
  std::string public_pem() const;

 private:
  explicit SigningKey(EVP_PKEY* key);
  std::string signature(const std::string& text, const oidc::AlgorithmFacts& facts) const;
  std::shared_ptr<EVP_PKEY> key_;
  oidc::Algorithm usual_;  // of a key of its type
};

}  // namespace callisto::testing
