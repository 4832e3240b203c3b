#include "engine/http/sockets.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <charconv>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace callisto::http {
namespace {

// A silent connection is handed over after this time all the same.
constexpr int kSilenceSeconds = 60;

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

}  // namespace

void defer_accept(int port) {
  for (int descriptor : sockets_on(port))
    if (is_listening(descriptor)) {
      setsockopt(descriptor, IPPROTO_TCP, TCP_DEFER_ACCEPT, &kSilenceSeconds, sizeof kSilenceSeconds);
    }
}

void end_reading(int port) {
  for (int descriptor : sockets_on(port)) shutdown(descriptor, SHUT_RD);
}

}  // namespace callisto::http
