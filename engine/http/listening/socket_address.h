// Addresses of sockets as texts. Any thread.
#pragma once

#include "engine/http/listen_address.h"

#include <sys/socket.h>

#include <optional>
#include <string>

namespace callisto::http {

// Where it listens; nothing: in no way that ListenAddress has.
std::optional<ListenAddress> listening_address(int descriptor);

// Who is at the other end: an address of IPv4 or IPv6, or unix_client. A mapped one is that of IPv4 in it; the zone of
// a link-local address is this machine's own matter and left out.
std::string client_of(const sockaddr_storage& address);

}  // namespace callisto::http
