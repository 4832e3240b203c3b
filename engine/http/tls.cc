#include "engine/http/tls.h"

#include "engine/base/log.h"

#include <string_view>

namespace callisto::http {
namespace {

// RFC 9325 4.2: "Implementations MUST support and prefer to negotiate cipher suites offering forward secrecy"; 4.1: no
// suite but with authenticated encryption. TLS 1.3 has no others.
constexpr const char* suites_of_tls12 = "ECDHE+AESGCM:ECDHE+CHACHA20";

constexpr std::string_view http11 = "\x08http/1.1";

// RFC 7301 3.2: "In the event that the server supports no protocols that the client advertises, then the server SHALL
// respond with a fatal "no_application_protocol" alert."
int on_protocols(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                 unsigned offered_size, void*) {
  unsigned char* found = nullptr;
  const auto* ours = reinterpret_cast<const unsigned char*>(http11.data());
  const int outcome = SSL_select_next_proto(&found, size, ours, http11.size(), offered, offered_size);
  if (outcome != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

bool configure(SSL_CTX* context) {
  // RFC 9325 3.1.1: "Implementations MUST NOT negotiate TLS version 1.0" and "TLS version 1.1".
  const bool done = SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
                    SSL_CTX_set_cipher_list(context, suites_of_tls12) == 1;
  // HTTP says itself where a message ends; a client that leaves without a farewell is no fault.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
  // CivetWeb's time limit is for one write: without these it would be for the whole of a large answer.
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);  // 32 KiB less for each connection that waits
  SSL_CTX_set_alpn_select_cb(context, on_protocols, nullptr);
  return done;
}

}  // namespace

Result<std::shared_ptr<Tls>> Tls::create(const CertificateFiles& files) {
  std::shared_ptr<Tls> made(new Tls(files));
  CALLISTO_CHECK(made->reload());
  made->context_ = SSL_CTX_new(TLS_server_method());
  if (!made->context_ || !configure(made->context_)) return internal("OpenSSL cannot be set up for TLS 1.2 and 1.3.");
  SSL_CTX_set_cert_cb(made->context_, on_handshake, made.get());
  return made;
}

Tls::~Tls() { SSL_CTX_free(context_); }

Result<void> Tls::reload() {
  CALLISTO_TRY(auto read, Certificate::read(files_));
  log::info("tls: serving the certificate of " + read->description());
  const std::lock_guard lock(mutex_);
  certificate_.swap(read);
  return {};
}

std::shared_ptr<const Certificate> Tls::certificate() const {
  const std::lock_guard lock(mutex_);
  return certificate_;
}

int Tls::on_handshake(SSL* connection, void* tls) {
  return static_cast<const Tls*>(tls)->certificate()->use(connection) ? 1 : 0;
}

}  // namespace callisto::http
