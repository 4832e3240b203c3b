#include "webhooks/address_policy.h"

#include "engine/base/ip_address.h"

#include <netinet/in.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace callisto::webhooks {

namespace {

enum class Kind { Never, Loopback, Private };

struct Row {
  const char* network;
  Kind kind;
  const char* what;
};

// The first row that fits decides; what none fits is public. RFC 4291 2.5.5.2: "IPv4-mapped IPv6 address" is judged as
// the IPv4 address in it, so those of IPv4 stand here in that form. Metadata services of clouds that are not link-local
// stand first, since a range that is private would allow them.
constexpr Row table_rows[] = {
    {"100.100.100.200/32", Kind::Never, "a metadata address"},
    {"168.63.129.16/32", Kind::Never, "a metadata address"},
    {"fd00:c1::a9fe:a9fe/128", Kind::Never, "a metadata address"},
    {"fd00:ec2::254/128", Kind::Never, "a metadata address"},
    {"fd20:ce::254/128", Kind::Never, "a metadata address"},
    {"127.0.0.0/8", Kind::Loopback, "this machine itself (loopback)"},
    {"::1/128", Kind::Loopback, "this machine itself (loopback)"},
    {"10.0.0.0/8", Kind::Private, "a private address"},
    {"172.16.0.0/12", Kind::Private, "a private address"},
    {"192.168.0.0/16", Kind::Private, "a private address"},
    {"100.64.0.0/10", Kind::Private, "a carrier's shared address"},
    {"fc00::/7", Kind::Private, "a private address"},
    {"0.0.0.0/8", Kind::Never, "an unspecified address"},
    {"169.254.0.0/16", Kind::Never, "a link-local or metadata address"},
    {"192.0.0.0/24", Kind::Never, "reserved for protocols"},
    {"192.0.2.0/24", Kind::Never, "reserved for documentation"},
    {"198.18.0.0/15", Kind::Never, "reserved for benchmarks"},
    {"198.51.100.0/24", Kind::Never, "reserved for documentation"},
    {"203.0.113.0/24", Kind::Never, "reserved for documentation"},
    {"224.0.0.0/4", Kind::Never, "a multicast address"},
    {"240.0.0.0/4", Kind::Never, "reserved, or the broadcast address"},
    {"::/96", Kind::Never, "an unspecified address, or one that hides an IPv4 address"},
    {"::ffff:0:0:0/96", Kind::Never, "one that hides an IPv4 address"},
    {"64:ff9b::/96", Kind::Never, "one that hides an IPv4 address (NAT64)"},
    {"64:ff9b:1::/48", Kind::Never, "one that hides an IPv4 address (NAT64)"},
    {"100::/64", Kind::Never, "an address that discards everything"},
    {"2001::/32", Kind::Never, "one that hides an IPv4 address (Teredo)"},
    {"2001:db8::/32", Kind::Never, "reserved for documentation"},
    {"2002::/16", Kind::Never, "one that hides an IPv4 address (6to4)"},
    {"3fff::/20", Kind::Never, "reserved for documentation"},
    {"fe80::/10", Kind::Never, "a link-local address"},
    {"fec0::/10", Kind::Never, "a site-local address, which nobody uses any more"},
    {"ff00::/8", Kind::Never, "a multicast address"},
};

const Row* row_of(const IpAddress& address) {
  static const std::vector<Cidr> networks = [] {
    std::vector<Cidr> read;
    Cidr::Fault fault{};
    for (const Row& row : table_rows) read.push_back(Cidr::read(row.network, fault).value());
    return read;
  }();
  const auto found =
      std::find_if(networks.begin(), networks.end(), [&](const Cidr& network) { return network.contains(address); });
  return found == networks.end() ? nullptr : &table_rows[found - networks.begin()];
}

}  // namespace

std::optional<Networks> parse_networks(std::string_view name) {
  if (name == "internet") return Networks::Internet;
  if (name == "intranet") return Networks::Intranet;
  if (name == "open") return Networks::Open;
  return std::nullopt;
}

std::optional<std::string> judge(const AddressPolicy& policy, const sockaddr& address) {
  const auto ip = IpAddress::of(address);
  if (!ip) return "the address is neither IPv4 nor IPv6; use a receiver that listens on one of them";
  const Row* row = row_of(*ip);
  if (!row) return std::nullopt;
  const std::string is = ip->text() + " is " + row->what;
  switch (row->kind) {
    case Kind::Loopback:
      if (policy.loopback || policy.networks == Networks::Open) return std::nullopt;
      return is + "; set webhooks.networks to open to allow it";
    case Kind::Private:
      if (policy.networks != Networks::Internet) return std::nullopt;
      return is + "; set webhooks.networks to intranet to allow it";
    case Kind::Never:
      break;
  }
  return is + ", where nothing may be sent; use another address of the receiver";
}

std::string text_of(const sockaddr& address) {
  const auto ip = IpAddress::of(address);
  if (!ip) return {};
  in_port_t port = 0;  // stands at the same place in both families
  std::memcpy(&port, reinterpret_cast<const char*>(&address) + offsetof(sockaddr_in, sin_port), sizeof port);
  const std::string host = ip->text();
  const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return shown + ":" + std::to_string(ntohs(port));
}

}  // namespace callisto::webhooks
