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

constexpr AddressPolicy policies[] = {
    {Networks::Internet, false}, {Networks::Intranet, false}, {Networks::Open, false}, {Networks::Internet, true}};

template <typename Asked>
Verdict verdict_of(Asked refused) {
  Verdict verdict;
  for (std::size_t i = 0; i < 4; ++i) verdict += refused(policies[i]) ? "ino+"[i] : '-';
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

const Verdict seen_public = "----", seen_private = "i--+", loopback = "in--", never = "ino+";

struct Row {
  std::string text;
  Verdict verdict;
};

// The first and last address of each range, and the neighbours outside.
const std::vector<Row> addresses{
    {"8.8.8.8", seen_public},
    {"2606:4700::1111", seen_public},
    {"0.0.0.0", never},
    {"0.255.255.255", never},
    {"1.0.0.0", seen_public},
    {"9.255.255.255", seen_public},
    {"10.0.0.0", seen_private},
    {"10.255.255.255", seen_private},
    {"11.0.0.0", seen_public},
    {"100.63.255.255", seen_public},
    {"100.64.0.0", seen_private},
    {"100.100.100.199", seen_private},
    {"100.100.100.200", never},
    {"100.100.100.201", seen_private},
    {"100.127.255.255", seen_private},
    {"100.128.0.0", seen_public},
    {"126.255.255.255", seen_public},
    {"127.0.0.0", loopback},
    {"127.0.0.1", loopback},
    {"127.255.255.255", loopback},
    {"128.0.0.0", seen_public},
    {"168.63.129.15", seen_public},
    {"168.63.129.16", never},
    {"168.63.129.17", seen_public},
    {"169.253.255.255", seen_public},
    {"169.254.0.0", never},
    {"169.254.169.254", never},
    {"169.254.255.255", never},
    {"169.255.0.0", seen_public},
    {"172.15.255.255", seen_public},
    {"172.16.0.0", seen_private},
    {"172.31.255.255", seen_private},
    {"172.32.0.0", seen_public},
    {"191.255.255.255", seen_public},
    {"192.0.0.0", never},
    {"192.0.0.255", never},
    {"192.0.1.0", seen_public},
    {"192.0.2.1", never},
    {"192.0.3.0", seen_public},
    {"192.167.255.255", seen_public},
    {"192.168.0.0", seen_private},
    {"192.168.255.255", seen_private},
    {"192.169.0.0", seen_public},
    {"198.17.255.255", seen_public},
    {"198.18.0.0", never},
    {"198.19.255.255", never},
    {"198.20.0.0", seen_public},
    {"198.51.99.255", seen_public},
    {"198.51.100.7", never},
    {"203.0.113.7", never},
    {"203.0.114.0", seen_public},
    {"223.255.255.255", seen_public},
    {"224.0.0.0", never},
    {"239.255.255.255", never},
    {"240.0.0.0", never},
    {"255.255.255.255", never},
    {"::", never},
    {"::1", loopback},
    {"::2", never},
    {"::127.0.0.1", never},
    {"::8.8.8.8", never},
    {"::ffff:8.8.8.8", seen_public},
    {"::ffff:127.0.0.1", loopback},
    {"::ffff:10.1.2.3", seen_private},
    {"::ffff:169.254.169.254", never},
    {"::ffff:100.100.100.200", never},
    {"::ffff:168.63.129.16", never},
    {"::ffff:0.0.0.0", never},
    {"::ffff:0:127.0.0.1", never},
    {"64:ff9b::7f00:1", never},
    {"64:ff9b::808:808", never},
    {"64:ff9b:0:0:1::", seen_public},
    {"64:ff9b:1::", never},
    {"64:ff9b:1:ffff::1", never},
    {"64:ff9b:2::", seen_public},
    {"100::1", never},
    {"100:0:0:1::", seen_public},
    {"2001::1", never},
    {"2001:1::1", seen_public},
    {"2001:db8::1", never},
    {"2001:db9::1", seen_public},
    {"2002:7f00:1::", never},
    {"2003::1", seen_public},
    {"3fff::1", never},
    {"3fff:1000::1", seen_public},
    {"fbff::1", seen_public},
    {"fc00::1", seen_private},
    {"fd00:c1::a9fe:a9fd", seen_private},
    {"fd00:c1::a9fe:a9fe", never},
    {"fd00:c1::a9fe:a9ff", seen_private},
    {"fd00:ec2::253", seen_private},
    {"fd00:ec2::254", never},
    {"fd20:ce::253", seen_private},
    {"fd20:ce::254", never},
    {"fd20:ce::255", seen_private},
    {"fdff::1", seen_private},
    {"fe00::1", seen_public},
    {"fe80::1", never},
    {"febf::1", never},
    {"fec0::1", never},
    {"ff02::1", never},
};

// Urls that are refused or allowed on saving.
const std::vector<Row> urls{
    {"https://receiver.example/hooks?a=b#c", seen_public},
    {"HTTP://Receiver.Example:8080", seen_public},
    {"http://8.8.8.8/", seen_public},
    {"http://[2606:4700::1111]:8443/", seen_public},
    {"http://localhost.example/", seen_public},
    {"http://mylocalhost/", seen_public},
    {"http://127.0.0.1.example/", seen_public},
    {"http://1e100.net/", seen_public},
    {"http://10.0.0.5/", seen_private},
    {"http://0xa000005/", seen_private},
    {"http://[fd12::1]/", seen_private},
    {"http://127.0.0.1:8080/", loopback},
    {"http://127.0.0.1./", loopback},
    {"http://127.0.0.1../", loopback},
    {"http://127.1/", loopback},
    {"http://127.1./", loopback},
    {"http://127.0.1/", loopback},
    {"http://2130706433/", loopback},
    {"http://0x7f000001/", loopback},
    {"http://0x7f.1/", loopback},
    {"http://0X7F.0.0.1/", loopback},
    {"http://0177.0.0.1/", loopback},
    {"http://017700000001/", loopback},
    {"http://%31%32%37.0.0.1/", loopback},
    {"http://localhost/", loopback},
    {"http://LocalHost:80/", loopback},
    {"http://localhost./", loopback},
    {"http://a.b.localhost/", loopback},
    {"http://[::1]/", loopback},
    {"http://[0:0:0:0:0:0:0:1]/", loopback},
    {"http://[::ffff:127.0.0.1]/", loopback},
    {"http://[::ffff:7f00:1]/", loopback},
    {"http://0/", never},
    {"http://0.0.0.0/", never},
    {"http://0x0/", never},
    {"http://169.254.169.254/latest/meta-data/", never},
    {"http://2852039166/", never},
    {"http://100.100.100.200/latest/meta-data/", never},
    {"http://168.63.129.16/metadata/", never},
    {"http://[fd20:ce::254]/", never},
    {"http://[::]/", never},
    {"http://[fe80::1%25eth0]/", never},
    {"http://[fd00:ec2::254]/", never},
    {"http://[64:ff9b::7f00:1]/", never},
    {"", never},
    {"receiver.example", never},
    {"//receiver.example/", never},
    {"http:receiver.example", never},
    {"http:/receiver.example", never},
    {"http://", never},
    {"http:///path", never},
    {"http://.", never},
    {"https://[::1", never},
    {"https://[nonsense]/", never},
    {"https://receiver.example:99999/", never},
    {"file:///etc/passwd", never},
    {"gopher://receiver.example/", never},
    {"ftp://receiver.example/", never},
    {"https://user@receiver.example/", never},
    {"https://user:password@receiver.example/", never},
    {"https://:password@receiver.example/", never},
    {"https://receiver.example@127.0.0.1/", never},
    {"https://receiver.example/a b", never},
    {" https://receiver.example/", never},
    {"https://receiver.example/\r\nHost: x", never},
    {"https://receiver.example/\t", never},
    {std::string("https://receiver.example/\0x", 27), never},
    {"https://receiver.example/\x7F", never},
    {"https://m\xC3\xBCller.example/", never},
    {"https://\xEF\xBC\x91\xEF\xBC\x92\xEF\xBC\x97.0.0.1/", never},
    {"https://receiver.example/" + std::string(1975, 'x'), seen_public},
    {"https://receiver.example/" + std::string(1976, 'x'), never},
};

}  // namespace

TEST_CASE("where deliveries may go") {
  for (const Row& row : addresses) {
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
  for (const Row& row : urls) {
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
