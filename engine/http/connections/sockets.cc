#include "engine/http/connections/sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace callisto::http {
namespace {

// A silent connection is handed over after this time all the same.
constexpr int silence_seconds = 60;

int local_port(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return -1;
  in_port_t port = 0;
  if (address.ss_family == AF_INET) {
    std::memcpy(&port, reinterpret_cast<const char*>(&address) + offsetof(sockaddr_in, sin_port), sizeof port);
  } else if (address.ss_family == AF_INET6) {
    std::memcpy(&port, reinterpret_cast<const char*>(&address) + offsetof(sockaddr_in6, sin6_port), sizeof port);
  } else {
    return -1;
  }
  return ntohs(port);
}

std::vector<int> sockets_on(int port) {
  std::vector<int> found;
  std::error_code failed;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", failed); !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (descriptor >= 0 && local_port(descriptor) == port) found.push_back(descriptor);
  }
  return found;
}

bool is_listening(int descriptor) {
  int listening = 0;
  socklen_t size = sizeof listening;
  return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) == 0 && listening != 0;
}

// "address:port" of the other end; empty where there is none.
std::string peer_of(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  char host[INET6_ADDRSTRLEN + IF_NAMESIZE] = "";
  char port[sizeof "65535"] = "";
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host, sizeof host, port, sizeof port,
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return {};
  return std::string(host) + ":" + port;
}

}  // namespace

std::vector<Connection> connections_of(int port) {
  std::vector<Connection> found;
  for (int descriptor : sockets_on(port))
    if (std::string peer = peer_of(descriptor); !peer.empty()) found.push_back({descriptor, std::move(peer)});
  return found;
}

bool has_unread(const Connection& connection) {
  int bytes = 0;
  return ioctl(connection.descriptor, FIONREAD, &bytes) == 0 && bytes > 0;
}

bool end_reading(const Connection& connection) {
  // A second descriptor of the same socket: nothing can take its number between the look and the end.
  const int own = fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return false;
  const bool ended = peer_of(own) == connection.peer && shutdown(own, SHUT_RD) == 0;
  close(own);
  return ended;
}

void defer_accept(int port) {
  for (int descriptor : sockets_on(port))
    if (is_listening(descriptor)) {
      setsockopt(descriptor, IPPROTO_TCP, TCP_DEFER_ACCEPT, &silence_seconds, sizeof silence_seconds);
    }
}

void end_reading(int port) {
  for (int descriptor : sockets_on(port)) shutdown(descriptor, SHUT_RD);
}

}  // namespace callisto::http
