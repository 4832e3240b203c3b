// Finds OpenSSL for CivetWeb, which opens "libssl.so" and "libcrypto.so" by name. Only development packages have these
// names, and OpenSSL 3 lacks SSL_get_peer_certificate, without which the first handshake ends the program
// (engine/decisions/0016). Two libraries of our own have these names, link OpenSSL's and add that function. They are in
// `tls` beside the program or its folder, or in lib/callisto of the installation.
#pragma once

#include "engine/base/result.h"

namespace callisto::http {

// Opens them, so that CivetWeb finds them. Before CivetWeb looks for OpenSSL. Any thread; may be repeated.
Result<void> open_tls_library();

}  // namespace callisto::http
