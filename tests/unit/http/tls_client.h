// A client over TLS that sends exactly the bytes it is given, and believes every certificate.
#pragma once

#include "tests/unit/http/raw_client.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace callisto::test {

struct TlsOffer {
  int least = TLS1_2_VERSION, most = TLS1_3_VERSION;
  const char* suites = "DEFAULT@SECLEVEL=0";  // of TLS 1.2 and before
  std::string protocols = {};                 // ALPN, each with its length in front
  int pause_ms = 0;                           // before each reading: a slow network
};

class TlsClient final : public RawClient {
 public:
  explicit TlsClient(int port, const TlsOffer& offer = {})
      : RawClient(port),
        context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free),
        ssl_(nullptr, SSL_free),
        pause_(offer.pause_ms) {
    SSL_CTX_set_min_proto_version(context_.get(), offer.least);
    SSL_CTX_set_max_proto_version(context_.get(), offer.most);
    SSL_CTX_set_cipher_list(context_.get(), offer.suites);
    ssl_.reset(SSL_new(context_.get()));
    SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<const unsigned char*>(offer.protocols.data()),
                        static_cast<unsigned>(offer.protocols.size()));
    SSL_set_fd(ssl_.get(), descriptor());
    ERR_clear_error();
    secured_ = SSL_connect(ssl_.get()) == 1;
    reason_ = ERR_GET_REASON(ERR_peek_last_error());
  }

  bool secured() const { return secured_; }
  int reason() const { return reason_; }  // SSL_R_... why it is not
  std::string version() const { return SSL_get_version(ssl_.get()); }
  std::string peer_name() const {
    const std::unique_ptr<X509, void (*)(X509*)> certificate(SSL_get1_peer_certificate(ssl_.get()), X509_free);
    char name[64] = "";
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name, sizeof name);
    return name;
  }
  std::string protocol() const {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl_.get(), &name, &size);
    return {reinterpret_cast<const char*>(name), size};
  }

  bool send(std::string_view bytes) override {
    return SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0;
  }

 private:
  ssize_t receive_some(char* bytes, std::size_t most) override {
    std::this_thread::sleep_for(pause_);
    return SSL_read(ssl_.get(), bytes, static_cast<int>(most));
  }

  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  const std::chrono::milliseconds pause_;
  bool secured_ = false;
  int reason_ = 0;
};

}  // namespace callisto::test
