// TLS 1.2 and 1.3 for a server, with a certificate that can be replaced while it serves. Any thread.
#pragma once

#include "engine/http/certificate.h"

#include <memory>
#include <mutex>

namespace callisto::http {

class Tls {
 public:
  static Result<std::shared_ptr<Tls>> create(const CertificateFiles& files);
  ~Tls();
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  // Reads the files anew. Handshakes from now on get what they hold; connections stay as they are. After an error the
  // certificate of before goes on serving.
  Result<void> reload();
  SSL_CTX* context() const { return context_; }  // as long as this lives

 private:
  explicit Tls(CertificateFiles files) : files_(std::move(files)) {}
  std::shared_ptr<const Certificate> certificate() const;
  static int on_handshake(SSL* connection, void* tls);

  const CertificateFiles files_;
  SSL_CTX* context_ = nullptr;
  mutable std::mutex mutex_;
  std::shared_ptr<const Certificate> certificate_;
};

}  // namespace callisto::http
