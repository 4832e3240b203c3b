#include "webhooks/address_policy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <catch2/catch.hpp>
#include <cstring>

using namespace callisto::webhooks;

namespace {

// Which of internet, intranet, open and internet with loopback refuse: "ino+", "-" for one that allows.
using Verdict = std::string;

constexpr AddressPolicy kPolicies[] = {
    {Networks::Internet, false}, {Networks::Intranet, false}, {Networks::Open, false}, {Networks::Internet, true}};

template <typename Asked>
Verdict verdict_of(Asked refused) {
  Verdict verdict;
  for (std::size_t i = 0; i < 4; ++i) verdict += refused(kPolicies[i]) ? "ino+"[i] : '-';
  return verdict;
}

sockaddr_storage address_of(const std::string& text, std::uint16_t port = 80) {
  sockaddr_storage storage{};
  auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
  if (inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
  } else {
    REQUIRE(inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
  }
  return storage;
}

Verdict judged(const std::string& text) {
  const sockaddr_storage address = address_of(text);
  return verdict_of([&](const AddressPolicy& policy) {
    return judge(policy, reinterpret_cast<const sockaddr&>(address)).has_value();
  });
}

Verdict checked(const std::string& url) {
  return verdict_of([&](const AddressPolicy& policy) { return check_url(url, policy).has_value(); });
}

const Verdict kPublic = "----", kPrivate = "i--+", kLoopback = "in--", kNever = "ino+";

struct Row {
  std::string text;
  Verdict verdict;
};

// The first and last address of each range, and the neighbours outside.
const std::vector<Row> kAddresses{
    {"8.8.8.8", kPublic},
    {"2606:4700::1111", kPublic},
    {"0.0.0.0", kNever},
    {"0.255.255.255", kNever},
    {"1.0.0.0", kPublic},
    {"9.255.255.255", kPublic},
    {"10.0.0.0", kPrivate},
    {"10.255.255.255", kPrivate},
    {"11.0.0.0", kPublic},
    {"100.63.255.255", kPublic},
    {"100.64.0.0", kPrivate},
    {"100.100.100.199", kPrivate},
    {"100.100.100.200", kNever},
    {"100.100.100.201", kPrivate},
    {"100.127.255.255", kPrivate},
    {"100.128.0.0", kPublic},
    {"126.255.255.255", kPublic},
    {"127.0.0.0", kLoopback},
    {"127.0.0.1", kLoopback},
    {"127.255.255.255", kLoopback},
    {"128.0.0.0", kPublic},
    {"168.63.129.15", kPublic},
    {"168.63.129.16", kNever},
    {"168.63.129.17", kPublic},
    {"169.253.255.255", kPublic},
    {"169.254.0.0", kNever},
    {"169.254.169.254", kNever},
    {"169.254.255.255", kNever},
    {"169.255.0.0", kPublic},
    {"172.15.255.255", kPublic},
    {"172.16.0.0", kPrivate},
    {"172.31.255.255", kPrivate},
    {"172.32.0.0", kPublic},
    {"191.255.255.255", kPublic},
    {"192.0.0.0", kNever},
    {"192.0.0.255", kNever},
    {"192.0.1.0", kPublic},
    {"192.0.2.1", kNever},
    {"192.0.3.0", kPublic},
    {"192.167.255.255", kPublic},
    {"192.168.0.0", kPrivate},
    {"192.168.255.255", kPrivate},
    {"192.169.0.0", kPublic},
    {"198.17.255.255", kPublic},
    {"198.18.0.0", kNever},
    {"198.19.255.255", kNever},
    {"198.20.0.0", kPublic},
    {"198.51.99.255", kPublic},
    {"198.51.100.7", kNever},
    {"203.0.113.7", kNever},
    {"203.0.114.0", kPublic},
    {"223.255.255.255", kPublic},
    {"224.0.0.0", kNever},
    {"239.255.255.255", kNever},
    {"240.0.0.0", kNever},
    {"255.255.255.255", kNever},
    {"::", kNever},
    {"::1", kLoopback},
    {"::2", kNever},
    {"::127.0.0.1", kNever},
    {"::8.8.8.8", kNever},
    {"::ffff:8.8.8.8", kPublic},
    {"::ffff:127.0.0.1", kLoopback},
    {"::ffff:10.1.2.3", kPrivate},
    {"::ffff:169.254.169.254", kNever},
    {"::ffff:100.100.100.200", kNever},
    {"::ffff:168.63.129.16", kNever},
    {"::ffff:0.0.0.0", kNever},
    {"::ffff:0:127.0.0.1", kNever},
    {"64:ff9b::7f00:1", kNever},
    {"64:ff9b::808:808", kNever},
    {"64:ff9b:0:0:1::", kPublic},
    {"64:ff9b:1::", kNever},
    {"64:ff9b:1:ffff::1", kNever},
    {"64:ff9b:2::", kPublic},
    {"100::1", kNever},
    {"100:0:0:1::", kPublic},
    {"2001::1", kNever},
    {"2001:1::1", kPublic},
    {"2001:db8::1", kNever},
    {"2001:db9::1", kPublic},
    {"2002:7f00:1::", kNever},
    {"2003::1", kPublic},
    {"3fff::1", kNever},
    {"3fff:1000::1", kPublic},
    {"fbff::1", kPublic},
    {"fc00::1", kPrivate},
    {"fd00:c1::a9fe:a9fd", kPrivate},
    {"fd00:c1::a9fe:a9fe", kNever},
    {"fd00:c1::a9fe:a9ff", kPrivate},
    {"fd00:ec2::253", kPrivate},
    {"fd00:ec2::254", kNever},
    {"fd20:ce::253", kPrivate},
    {"fd20:ce::254", kNever},
    {"fd20:ce::255", kPrivate},
    {"fdff::1", kPrivate},
    {"fe00::1", kPublic},
    {"fe80::1", kNever},
    {"febf::1", kNever},
    {"fec0::1", kNever},
    {"ff02::1", kNever},
};

// Urls that are refused or allowed on saving.
const std::vector<Row> kUrls{
    {"https://receiver.example/hooks?a=b#c", kPublic},
    {"HTTP://Receiver.Example:8080", kPublic},
    {"http://8.8.8.8/", kPublic},
    {"http://[2606:4700::1111]:8443/", kPublic},
    {"http://localhost.example/", kPublic},
    {"http://mylocalhost/", kPublic},
    {"http://127.0.0.1.example/", kPublic},
    {"http://1e100.net/", kPublic},
    {"http://10.0.0.5/", kPrivate},
    {"http://0xa000005/", kPrivate},
    {"http://[fd12::1]/", kPrivate},
    {"http://127.0.0.1:8080/", kLoopback},
    {"http://127.0.0.1./", kLoopback},
    {"http://127.0.0.1../", kLoopback},
    {"http://127.1/", kLoopback},
    {"http://127.1./", kLoopback},
    {"http://127.0.1/", kLoopback},
    {"http://2130706433/", kLoopback},
    {"http://0x7f000001/", kLoopback},
    {"http://0x7f.1/", kLoopback},
    {"http://0X7F.0.0.1/", kLoopback},
    {"http://0177.0.0.1/", kLoopback},
    {"http://017700000001/", kLoopback},
    {"http://%31%32%37.0.0.1/", kLoopback},
    {"http://localhost/", kLoopback},
    {"http://LocalHost:80/", kLoopback},
    {"http://localhost./", kLoopback},
    {"http://a.b.localhost/", kLoopback},
    {"http://[::1]/", kLoopback},
    {"http://[0:0:0:0:0:0:0:1]/", kLoopback},
    {"http://[::ffff:127.0.0.1]/", kLoopback},
    {"http://[::ffff:7f00:1]/", kLoopback},
    {"http://0/", kNever},
    {"http://0.0.0.0/", kNever},
    {"http://0x0/", kNever},
    {"http://169.254.169.254/latest/meta-data/", kNever},
    {"http://2852039166/", kNever},
    {"http://100.100.100.200/latest/meta-data/", kNever},
    {"http://168.63.129.16/metadata/", kNever},
    {"http://[fd20:ce::254]/", kNever},
    {"http://[::]/", kNever},
    {"http://[fe80::1%25eth0]/", kNever},
    {"http://[fd00:ec2::254]/", kNever},
    {"http://[64:ff9b::7f00:1]/", kNever},
    {"", kNever},
    {"receiver.example", kNever},
    {"//receiver.example/", kNever},
    {"http:receiver.example", kNever},
    {"http:/receiver.example", kNever},
    {"http://", kNever},
    {"http:///path", kNever},
    {"http://.", kNever},
    {"https://[::1", kNever},
    {"https://[nonsense]/", kNever},
    {"https://receiver.example:99999/", kNever},
    {"file:///etc/passwd", kNever},
    {"gopher://receiver.example/", kNever},
    {"ftp://receiver.example/", kNever},
    {"https://user@receiver.example/", kNever},
    {"https://user:password@receiver.example/", kNever},
    {"https://:password@receiver.example/", kNever},
    {"https://receiver.example@127.0.0.1/", kNever},
    {"https://receiver.example/a b", kNever},
    {" https://receiver.example/", kNever},
    {"https://receiver.example/\r\nHost: x", kNever},
    {"https://receiver.example/\t", kNever},
    {std::string("https://receiver.example/\0x", 27), kNever},
    {"https://receiver.example/\x7F", kNever},
    {"https://m\xC3\xBCller.example/", kNever},
    {"https://\xEF\xBC\x91\xEF\xBC\x92\xEF\xBC\x97.0.0.1/", kNever},
    {"https://receiver.example/" + std::string(1975, 'x'), kPublic},
    {"https://receiver.example/" + std::string(1976, 'x'), kNever},
};

}  // namespace

TEST_CASE("where deliveries may go") {
  for (const Row& row : kAddresses) {
    CAPTURE(row.text);
    CHECK(judged(row.text) == row.verdict);
  }
}

TEST_CASE("only IPv4 and IPv6 are sent to") {
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  CHECK(judge({Networks::Open, true}, reinterpret_cast<const sockaddr&>(local)));
}

TEST_CASE("urls are judged on saving, however they spell an address") {
  for (const Row& row : kUrls) {
    CAPTURE(row.text);
    CHECK(checked(row.text) == row.verdict);
  }
}

TEST_CASE("a refusal names the reason and the fix, never a password") {
  CHECK(check_url("http://127.1/", {}) ==
        "127.0.0.1 is this machine itself (loopback); set webhooks.networks to open to allow it");
  CHECK(check_url("http://10.0.0.5/", {Networks::Internet, false}) ==
        "10.0.0.5 is a private address; set webhooks.networks to intranet to allow it");
  CHECK(check_url("http://[::ffff:169.254.169.254]/", {}) ==
        "169.254.169.254 is a link-local or metadata address, where nothing may be sent; "
        "use another address of the receiver");
  for (const char* url : {"", "http", "https", "HTTPS", "http:", "http:/", "://", "x"})
    CHECK(check_url(url, {}) == "must begin with http:// or https://");
  CHECK(check_url("http://a:geheim@b/", {}).value().find("geheim") == std::string::npos);
}

TEST_CASE("an address as people write it") {
  const auto written = [](const std::string& text) {
    const sockaddr_storage address = address_of(text, 443);
    return text_of(reinterpret_cast<const sockaddr&>(address));
  };
  CHECK(written("192.0.2.7") == "192.0.2.7:443");
  CHECK(written("2001:db8::7") == "[2001:db8::7]:443");
  CHECK(written("::ffff:192.0.2.7") == "192.0.2.7:443");
}

TEST_CASE("the names of the modes") {
  CHECK(parse_networks("internet") == Networks::Internet);
  CHECK(parse_networks("intranet") == Networks::Intranet);
  CHECK(parse_networks("open") == Networks::Open);
  CHECK_FALSE(parse_networks("Open"));
  CHECK_FALSE(parse_networks(""));
}
