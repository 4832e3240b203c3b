#include "engine/http/own_hosts.h"

#include "engine/base/address_list.h"
#include "engine/base/text.h"

#include <algorithm>

namespace callisto::http {

namespace {

// "desk.test:8080" -> "desk.test", "[::1]:8080" -> "::1", "localhost." -> "localhost".
std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(1, authority.find(']') - 1);
  std::string_view host = authority.substr(0, authority.find(':'));
  if (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

}  // namespace

bool is_loopback(std::string_view host) {
  return text::equals_ignoring_ascii_case(host, "localhost") || host == "::1" ||
         (host.starts_with("127.") && AddressList::is_address(host));
}

bool OwnHosts::has(std::string_view authority) const {
  const std::string_view host = host_of(authority);
  return is_loopback(host) || std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
           return text::equals_ignoring_ascii_case(name, authority) || text::equals_ignoring_ascii_case(name, host);
         });
}

}  // namespace callisto::http
