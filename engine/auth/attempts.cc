#include "engine/auth/attempts.h"

#include "engine/base/ip_address.h"

namespace callisto::auth {

std::string address_group(const std::string& address) {
  constexpr std::size_t network_bytes = 8;  // a /64
  const auto ip = IpAddress::read(address);
  if (!ip) return address;
  return ip->is_v4() ? ip->text() : std::string(ip->bytes().begin(), ip->bytes().begin() + network_bytes);
}

}  // namespace callisto::auth
