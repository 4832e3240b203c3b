// libssl.so as CivetWeb needs it; see engine/http/tls_library.h.
#include <openssl/ssl.h>

#undef SSL_get_peer_certificate

// The name that OpenSSL 3 gave up for SSL_get1_peer_certificate.
extern "C" [[gnu::visibility("default")]] X509* SSL_get_peer_certificate(const SSL* ssl) {
  return SSL_get1_peer_certificate(ssl);
}
