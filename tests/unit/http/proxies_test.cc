#include "engine/http/proxies.h"
#include "engine/base/text.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace callisto;
using namespace callisto::http;

using Headers = std::vector<std::pair<std::string, std::string>>;

class Forwarded final : public Request {
 public:
  Forwarded(std::string_view peer, Headers headers) : headers_(std::move(headers)) { remote_address = peer; }
  std::string_view header(std::string_view name) const override {
    const auto all = all_headers(name);
    return all.empty() ? std::string_view() : all.front();
  }
  std::size_t header_count(std::string_view name) const override { return all_headers(name).size(); }
  std::vector<std::string_view> all_headers(std::string_view name) const override {
    std::vector<std::string_view> values;
    for (const auto& [each, value] : headers_)
      if (text::equals_ignoring_ascii_case(each, name)) values.emplace_back(value);
    return values;
  }
  Result<std::string> body(std::size_t) override { return std::string(); }
  Result<void> read_body(std::size_t, const BodySink&) override { return {}; }

 private:
  Headers headers_;
};

constexpr const char* on = "X-Forwarded-For";
constexpr const char* by = "X-Forwarded-Proto";

}  // namespace

TEST_CASE("a client is whom trusted proxies name, and nobody else's word counts", "[http][proxies]") {
  struct Case {
    const char* why;
    std::string peer;
    Headers headers;
    std::string client;
    bool secure;
  };
  const Case cases[]{
      {"no proxy", "203.0.113.9", {}, "203.0.113.9", false},
      {"nobody trusts the peer", "203.0.113.9", {{on, "10.0.0.1"}, {by, "https"}}, "0.0.0.0", false},
      {"nor what it says otherwise", "203.0.113.9", {{"Forwarded", "for=10.0.0.1"}}, "0.0.0.0", false},
      {"nor that it is a proxy", "203.0.113.9", {{"via", "1.1 gate"}}, "0.0.0.0", false},
      {"a scheme alone is nobody's word", "203.0.113.9", {{by, "https"}}, "203.0.113.9", false},
      {"nearly the range", "10.2.0.1", {{on, "198.51.100.1"}, {by, "https"}}, "0.0.0.0", false},
      {"one proxy", "10.1.0.1", {{on, "198.51.100.1"}, {by, "https"}}, "198.51.100.1", true},
      {"a proxy that says nothing", "10.1.0.1", {}, "10.1.0.1", false},
      {"the client claims more", "10.1.0.1", {{on, "1.2.3.4, 198.51.100.1"}}, "198.51.100.1", false},
      {"it claims a proxy's address", "10.1.0.1", {{on, "10.1.0.7, 198.51.100.1"}}, "198.51.100.1", false},
      {"it claims what is no address", "10.1.0.1", {{on, "<script>, 198.51.100.1"}}, "198.51.100.1", false},
      {"two proxies", "10.1.0.1", {{on, "1.2.3.4,198.51.100.1 , 10.1.9.9"}}, "198.51.100.1", false},
      {"nothing but proxies", "10.1.0.1", {{on, "10.1.0.3, 10.1.0.2"}}, "10.1.0.3", false},
      {"lines of their own", "10.1.0.1", {{on, "1.2.3.4"}, {"x-forwarded-for", "198.51.100.1"}}, "198.51.100.1", false},
      {"lines and lists", "10.1.0.1", {{on, "1.2.3.4, 198.51.100.1"}, {on, "10.1.0.2"}}, "198.51.100.1", false},
      {"an unreadable proxy's word", "10.1.0.1", {{on, "198.51.100.1, unknown"}}, "0.0.0.0", false},
      {"unreadable behind a second proxy", "10.1.0.1", {{on, "198.51.100.1, _hidden, 10.1.0.2"}}, "0.0.0.0", false},
      {"an empty header", "10.1.0.1", {{on, ""}}, "0.0.0.0", false},
      {"an empty entry", "10.1.0.1", {{on, "198.51.100.1,"}}, "0.0.0.0", false},
      {"with a port", "10.1.0.1", {{on, "198.51.100.1:4711"}}, "198.51.100.1", false},
      {"IPv6", "fd00::1", {{on, "2001:db8::7"}}, "2001:db8::7", false},
      {"IPv6 in brackets", "fd00::1", {{on, "[2001:db8::7]"}}, "2001:db8::7", false},
      {"IPv6 and a port", "fd00::1", {{on, "[2001:db8::7]:4711"}}, "2001:db8::7", false},
      {"a bracket that never closes", "fd00::1", {{on, "[2001:db8::7"}}, "2001:db8::7", false},
      {"a mapped peer", "::ffff:10.1.0.1", {{on, "198.51.100.1"}}, "198.51.100.1", false},
      {"a name", "10.1.0.1", {{on, "localhost"}}, "0.0.0.0", false},
      {"a NUL", "10.1.0.1", {{on, std::string("198.51.100.1\0x", 14)}}, "0.0.0.0", false},
      {"a scheme in capitals", "10.1.0.1", {{by, "HTTPS"}}, "10.1.0.1", true},
      {"plain http", "10.1.0.1", {{by, "http"}}, "10.1.0.1", false},
      {"two schemes", "10.1.0.1", {{by, "https"}, {by, "http"}}, "10.1.0.1", false},
      {"a list of schemes", "10.1.0.1", {{by, "https, http"}}, "10.1.0.1", false},
      {"another scheme", "10.1.0.1", {{by, "wss"}}, "10.1.0.1", false},
      {"another header is none of ours", "10.1.0.1", {{"Forwarded", "for=1.2.3.4;proto=https"}}, "10.1.0.1", false},
  };
  const AddressList trusted = *AddressList::parse({"10.1.0.0/16", "fd00::/8"});
  for (const Case& each : cases) {
    INFO(each.why);
    Forwarded request(each.peer, each.headers);
    hear_proxies(request, trusted);
    CHECK(request.remote_address == each.client);
    CHECK(request.secure == each.secure);
    CHECK(request.peer_address() == each.peer);
    CHECK(is_nobody(request) == (each.client == nobody));
    Forwarded unheard(each.peer, each.headers);
    hear_proxies(unheard, AddressList());
    const bool is_forwarded =
        unheard.header_count(on) + unheard.header_count("Forwarded") + unheard.header_count("Via") > 0;
    CHECK(unheard.remote_address == (is_forwarded ? nobody : each.peer));
    CHECK(unheard.peer_address() == each.peer);
    CHECK_FALSE(unheard.secure);
  }
}

TEST_CASE("a proxy's http counts where its own connection is https", "[http][proxies]") {
  Forwarded request("10.1.0.1", {{by, "http"}, {"Host", "desk.example"}});
  request.secure = true;
  hear_proxies(request, *AddressList::parse({"10.1.0.1"}));
  CHECK(request.origin() == "http://desk.example");
}
