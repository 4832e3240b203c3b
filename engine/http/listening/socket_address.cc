#include "engine/http/listening/socket_address.h"

#include "engine/base/ip_address.h"

#include <netinet/in.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>

namespace callisto::http {

namespace {

template <typename Address>
Address as(const sockaddr_storage& address) {
  Address copy{};
  std::memcpy(&copy, &address, sizeof copy);
  return copy;
}

std::optional<ListenAddress> path_of(const sockaddr_storage& address, socklen_t size) {
  const auto of_unix = as<sockaddr_un>(address);
  if (size <= offsetof(sockaddr_un, sun_path) || of_unix.sun_path[0] == '\0') return std::nullopt;
  const std::size_t most = size - offsetof(sockaddr_un, sun_path);
  return ListenAddress{.host = "", .port = 0, .path = std::string(of_unix.sun_path, strnlen(of_unix.sun_path, most))};
}

}  // namespace

std::optional<ListenAddress> listening_address(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return std::nullopt;
  if (address.ss_family == AF_UNIX) return path_of(address, size);
  const auto ip = IpAddress::of(reinterpret_cast<const sockaddr&>(address));
  if (!ip) return std::nullopt;
  return ListenAddress{.host = ip->text(),
                       .port = ntohs(as<sockaddr_in>(address).sin_port)};  // in the same place in both
}

std::string client_of(const sockaddr_storage& address) {
  const auto ip = IpAddress::of(reinterpret_cast<const sockaddr&>(address));
  return ip ? ip->text() : std::string(unix_client);
}

}  // namespace callisto::http
