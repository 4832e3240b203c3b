// CivetWeb reaches OpenSSL by name: it opens "libssl.so" and "libcrypto.so", which only development packages bring, and
// calls SSL_get_peer_certificate, which OpenSSL 3 no longer has: the first handshake then ends the program
// (engine/decisions/0016). Two libraries of our own bear these names, need OpenSSL's and add that function. They stand
// in `tls` beside the program or its folder, or in lib/callisto of where it was installed.
#pragma once

#include "engine/base/result.h"

namespace callisto::http {

// Opens them, so that CivetWeb finds them. Before CivetWeb looks for OpenSSL. Any thread; may be repeated.
Result<void> open_tls_library();

}  // namespace callisto::http
