#include "engine/auth/attempts.h"

#include <arpa/inet.h>

namespace callisto::auth {

std::string address_group(const std::string& address) {
  in6_addr six{};
  if (inet_pton(AF_INET6, address.c_str(), &six) != 1) return address;
  const auto* bytes = reinterpret_cast<const char*>(six.s6_addr);
  if (!IN6_IS_ADDR_V4MAPPED(&six)) return std::string(bytes, 8);
  char four[INET_ADDRSTRLEN] = {};
  inet_ntop(AF_INET, bytes + 12, four, sizeof four);
  return four;
}

}  // namespace callisto::auth
