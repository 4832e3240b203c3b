// Where a server listens. Pure; any thread.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto::http {

// The client's address where it came by a unix socket. Lists of addresses know the word (base/address_list.h).
inline constexpr std::string_view unix_client = "unix";

struct ListenAddress {
  std::string host = "127.0.0.1";  // of TCP: IPv4, IPv6, perhaps with a zone, or a name
  int port = 8080;                 // 0 picks one
  std::string path = {};           // of a unix socket; empty: TCP
  int descriptor = -1;             // of a socket that a service manager made; -1: it is still to be made

  bool is_unix() const { return !path.empty(); }
  bool is_on_loopback() const;  // only this machine gets there
  bool operator==(const ListenAddress&) const = default;
};

// host:port, [v6]:port, :port (127.0.0.1), unix:PATH. An error says what was expected.
Result<ListenAddress> parse_listen_address(std::string_view text);

std::string to_string(const ListenAddress& address);         // as parse_listen_address() reads it
std::string authority_of(const ListenAddress& address);      // host and port of a url; "localhost" of a unix socket
std::string url_of(const ListenAddress& address, bool tls);  // http://..., or unix:PATH, which never speaks TLS
bool are_on_loopback(const std::vector<ListenAddress>& addresses);  // all of them

// The mode and the owner of unix sockets that a server makes.
struct SocketRights {
  unsigned mode = 0660;
  std::string user, group;  // empty: the process's own
};

// `mode`: octal; `owner`: "", "user", "user:group" or ":group". An error says what was expected.
Result<SocketRights> parse_socket_rights(std::string_view mode, std::string_view owner);

}  // namespace callisto::http
