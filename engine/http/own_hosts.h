// The host names to which a server on loopback answers. Any site can let its own name lead to 127.0.0.1; the browser
// would then take its page for one of this server (DNS rebinding), and the name would appear in links. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace callisto::http {

// Whether nobody but this machine reaches what listens there: localhost, 127.0.0.0/8 or ::1.
bool is_loopback(std::string_view host);

class OwnHosts {
 public:
  // `names`: with a port, or without one for every port.
  explicit OwnHosts(std::vector<std::string> names) : names_(std::move(names)) {}
  bool has(std::string_view authority) const;  // loopback itself is always among them

 private:
  const std::vector<std::string> names_;
};

}  // namespace callisto::http
