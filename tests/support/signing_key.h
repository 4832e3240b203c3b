// Keys an identity provider signs with, made anew by OpenSSL in every run. Immutable; any thread.
#pragma once

#include <openssl/types.h>

#include <memory>
#include <string>

namespace callisto::testing {

class SigningKey {
 public:
  static const SigningKey& rsa(unsigned bits = 2048, int number = 0);  // another number: another key
  static const SigningKey& ec(const char* curve = "P-256");

  // RFC 7517, with `more` (",\"alg\":\"RS256\"") behind the members of the key itself.
  std::string jwk(const std::string& id, const std::string& more = {}) const;
  std::string sign(const std::string& text) const;      // as RS256 and ES256 want it
  std::string sign_der(const std::string& text) const;  // as OpenSSL makes it
  std::string public_pem() const;

 private:
  explicit SigningKey(EVP_PKEY* key);
  std::shared_ptr<EVP_PKEY> key_;
  bool is_rsa_;
};

}  // namespace callisto::testing
