// Name resolution for names that end in ".test", within this test program: it stands in for getaddrinfo, which libcurl
// calls. Other names are resolved as ever. Any thread.
#pragma once

#include <string>
#include <vector>

namespace callisto::test {

// IPv4 or IPv6 addresses; none: there is no such name.
void set_addresses(const std::string& name, std::vector<std::string> addresses);

// While one lives, lookups of "hang.test" do not come back.
class HangingDns {
 public:
  HangingDns();
  ~HangingDns();
  HangingDns(const HangingDns&) = delete;
  HangingDns& operator=(const HangingDns&) = delete;

  void wait_for_lookup() const;  // until one hangs
};

}  // namespace callisto::test
