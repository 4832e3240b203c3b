// A list of IP addresses and CIDR ranges, such as the trusted proxies. Immutable; any thread.
#pragma once

#include "engine/base/ip_address.h"
#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto {

class AddressList {
 public:
  // "127.0.0.1", "10.1.0.0/16", "fd00::/8", and "unix": whoever comes by a unix socket, who has no address. Refused:
  // names, ranges with bits set behind their prefix (10.1.2.3/8 is a slip of the pen) and /0, which trusts everybody.
  static Result<AddressList> parse(const std::vector<std::string>& items);

  static bool is_address(std::string_view text);  // IPv4 or IPv6, without a port

  // False for what is no address. An IPv4 address matches its mapped form (::ffff:192.0.2.1) too.
  bool contains(std::string_view address) const;
  bool empty() const { return ranges_.empty() && !has_unix_; }

 private:
  std::vector<Cidr> ranges_;
  bool has_unix_ = false;
};

}  // namespace callisto
