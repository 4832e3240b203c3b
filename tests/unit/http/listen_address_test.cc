// Where a server listens, as people write it.
#include "engine/http/listen_address.h"

#include <catch2/catch.hpp>

#include <string>

using namespace callisto;
using namespace callisto::http;

TEST_CASE("addresses to listen on are read as they are written", "[http][listen]") {
  struct Row {
    const char* text;
    ListenAddress address;
    const char* written;
    const char* url;
    bool on_loopback;
  };
  const Row rows[] = {
      {"127.0.0.1:8080", {"127.0.0.1", 8080}, "127.0.0.1:8080", "http://127.0.0.1:8080", true},
      {":8080", {"127.0.0.1", 8080}, "127.0.0.1:8080", "http://127.0.0.1:8080", true},
      {"0.0.0.0:0", {"0.0.0.0", 0}, "0.0.0.0:0", "http://0.0.0.0:0", false},
      {"localhost:1", {"localhost", 1}, "localhost:1", "http://localhost:1", true},
      {"desk.example:65535", {"desk.example", 65535}, "desk.example:65535", "http://desk.example:65535", false},
      {"[::1]:8080", {"::1", 8080}, "[::1]:8080", "http://[::1]:8080", true},
      {"[::]:8080", {"::", 8080}, "[::]:8080", "http://[::]:8080", false},
      {"[fe80::1%eth0]:80", {"fe80::1%eth0", 80}, "[fe80::1%eth0]:80", "http://[fe80::1%25eth0]:80", false},
      {"unix:/run/a b.sock", {"", 0, "/run/a b.sock"}, "unix:/run/a b.sock", "unix:/run/a b.sock", true},
      {"unix:desk:0", {"", 0, "desk:0"}, "unix:desk:0", "unix:desk:0", true},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto address = parse_listen_address(row.text);
    REQUIRE(address);
    CHECK(*address == row.address);
    CHECK(to_string(*address) == row.written);
    CHECK(parse_listen_address(to_string(*address)).value() == *address);
    CHECK(url_of(*address, false) == row.url);
    CHECK(address->is_on_loopback() == row.on_loopback);
  }
  CHECK(url_of({"::1", 1}, true) == "https://[::1]:1");
  CHECK(url_of({"", 0, "/a"}, true) == "unix:/a");
  CHECK(authority_of({"", 0, "/a"}) == "localhost");
}

TEST_CASE("what is no address to listen on is told with the fix", "[http][listen]") {
  for (const char* text :
       {"", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:-1", "127.0.0.1:65536", "127.0.0.1:80 ", "*:8080", "::1:8080",
        "[::1]", "[::1]8080", "[::1]:80x", "[127.0.0.1]:80", "::1]:80", "[]:80", "http://localhost:80"}) {
    INFO(text);
    const auto address = parse_listen_address(text);
    REQUIRE_FALSE(address);
    CHECK_THAT(address.error().message, Catch::Contains("write HOST:PORT"));
  }
  for (const char* text : {"unix:", "unix:/", "unix:/run/"})
    CHECK_THAT(parse_listen_address(text).error().message, Catch::Contains("names no file"));
  CHECK_THAT(parse_listen_address("unix:@desk").error().message, Catch::Contains("abstract socket"));
}

TEST_CASE("mode and owner of a socket", "[http][listen]") {
  const auto rights = parse_socket_rights("0660", "callisto:www-data");
  REQUIRE(rights);
  CHECK((rights->mode == 0660 && rights->user == "callisto" && rights->group == "www-data"));
  CHECK(parse_socket_rights("600", ":www-data")->group == "www-data");
  CHECK(parse_socket_rights("600", "33")->user == "33");
  CHECK(parse_socket_rights("777", "")->mode == 0777);
  for (const char* mode : {"", "rw", "888", "1777", "-600", "0x1ff", "660 "})
    CHECK_FALSE(parse_socket_rights(mode, ""));
  for (const char* owner : {"a:b:c", "a:", ":"}) CHECK_FALSE(parse_socket_rights("660", owner));
}
