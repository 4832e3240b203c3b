// A certificate, the certificates that signed it and its private key, read from PEM files. Immutable; any thread.
// Errors name the setting, the file and the fix, and contain nothing of the key.
#pragma once

#include "engine/base/freed.h"
#include "engine/base/result.h"

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <vector>

namespace callisto::http {

struct CertificateFiles {
  std::string certificate;  // the setting tls.certificate
  std::string key;          // tls.key; empty: in the file of the certificate
  bool operator==(const CertificateFiles&) const = default;
};

using X509Pointer = std::unique_ptr<X509, Freed<X509_free>>;
using KeyPointer = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;

class Certificate {
 public:
  // Warns in the log of a key that everybody may read and of a certificate that has ended or not begun.
  static Result<std::shared_ptr<const Certificate>> read(const CertificateFiles& files);

  bool use(SSL* connection) const;  // for this handshake; false leaves OpenSSL's errors
  std::string description() const;  // who it is for and until when

 private:
  std::vector<X509Pointer> chain_;  // the first is the server's own
  KeyPointer key_;
};

}  // namespace callisto::http
