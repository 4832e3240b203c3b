#include "engine/http/own_hosts.h"

#include <catch2/catch.hpp>
#include <string>

using callisto::http::is_loopback;
using callisto::http::OwnHosts;

TEST_CASE("loopback is this machine's own addresses and localhost, not what looks like them", "[http][hosts]") {
  for (const char* host : {"127.0.0.1", "127.1.2.3", "::1", "localhost", "LocalHost"}) CHECK(is_loopback(host));
  for (const char* host : {"", "0.0.0.0", "::", "10.0.0.1", "127.evil.example", "127.0.0.1.evil.example",
                           "localhost.evil", "xlocalhost", "128.0.0.1", "127."}) {
    INFO(host);
    CHECK_FALSE(is_loopback(host));
  }
}

TEST_CASE("a server on loopback is called by loopback or by a name of its own, with any port", "[http][hosts]") {
  const OwnHosts hosts({"desk.test", "Other.Test:8080"});
  for (const char* own : {"127.0.0.1:8080", "127.0.0.1", "localhost:1", "LOCALHOST", "localhost.", "[::1]:8080",
                          "[::1]", "desk.test", "DESK.test:99", "desk.test.:99", "other.test:8080"}) {
    INFO(own);
    CHECK(hosts.has(own));
  }
  for (const char* foreign :
       {"", "evil.example", "evil.example:8080", "desk.test.evil.example", "evil.desk.test", "xdesk.test", "other.test",
        "other.test:80", "127.0.0.1.evil.example", "localhost.evil.example:8080", "[::2]", "[]", ":8080", ".",
        "0.0.0.0:8080", "2130706433"}) {
    INFO(foreign);
    CHECK_FALSE(hosts.has(foreign));
  }
  CHECK_FALSE(OwnHosts({}).has("desk.test"));
}
