// The one reader of IP addresses and ranges: lists of proxies, where webhooks may go, limits by network.
#include "engine/base/ip_address.h"

#include "engine/base/address_list.h"

#include <catch2/catch.hpp>

#include <random>

using namespace callisto;

namespace {

std::string shown(std::string_view text) {
  const auto address = IpAddress::read(text);
  return address ? address->text() : "(none)";
}

std::string fault_of(std::string_view text) {
  Cidr::Fault fault{};
  if (const auto range = Cidr::read(text, fault)) return range->is_everything() ? "everything" : "";
  return fault == Cidr::Fault::NoAddress ? "address" : fault == Cidr::Fault::Prefix ? "prefix" : "bits";
}

bool is_in(std::string_view range, std::string_view address) {
  Cidr::Fault fault{};
  return Cidr::read(range, fault).value().contains(IpAddress::read(address).value());
}

}  // namespace

TEST_CASE("addresses are read strictly, and a mapped one is that of IPv4") {
  for (const char* text : {"192.0.2.7", "::1", "::", "2001:db8::7", "255.255.255.255"}) CHECK(shown(text) == text);
  CHECK(shown("::ffff:192.0.2.7") == "192.0.2.7");
  CHECK(shown("::FFFF:c000:0207") == "192.0.2.7");
  CHECK(shown("2001:DB8:0:0::7") == "2001:db8::7");
  CHECK(shown("::192.0.2.7") == "::192.0.2.7");
  for (const char* text : {"", "localhost", "192.0.2", "192.0.2.256", "192.0.2.07", "0x7f.1", "127.1", "[::1]",
                           "::1%lo", "fe80::1%eth0", "192.0.2.7:80", " ::1", ":::", "unix"})
    CHECK(shown(text) == "(none)");
  CHECK(shown(std::string_view("::1\0x", 5)) == "(none)");
}

TEST_CASE("ranges are read strictly") {
  for (const char* text :
       {"192.0.2.7", "10.0.0.0/8", "10.0.0.1/32", "fd00::/8", "::1/128", "::ffff:10.0.0.0/104", "128.0.0.0/1"}) {
    INFO(text);
    CHECK(fault_of(text) == "");
  }
  for (const char* text : {"0.0.0.0/0", "::/0"}) CHECK(fault_of(text) == "everything");
  for (const char* text : {"", "/8", "proxy/8", "10.0.0/8", "fe80::1%eth0/64"}) CHECK(fault_of(text) == "address");
  for (const char* text :
       {"10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/8x", "10.0.0.0/ 8", "10.0.0.0/8/8"})
    CHECK(fault_of(text) == "prefix");
  for (const char* text : {"10.1.2.3/8", "fd00::1/8", "1.0.0.0/0", "10.0.0.1/31"}) CHECK(fault_of(text) == "bits");
}

TEST_CASE("a range of IPv4 holds mapped addresses, and none of IPv6") {
  CHECK(is_in("10.0.0.0/8", "::ffff:10.1.2.3"));
  CHECK(is_in("::ffff:10.0.0.0/104", "10.1.2.3"));
  CHECK_FALSE(is_in("10.0.0.0/8", "::10.1.2.3"));
  CHECK_FALSE(is_in("0.0.0.0/0", "::1"));
  CHECK(is_in("::/0", "10.1.2.3"));
}

// The oracle compares bit by bit.
TEST_CASE("a range holds what begins as it does") {
  std::mt19937 engine(7);
  const auto random = [&engine] { return static_cast<unsigned>(engine()); };
  for (int i = 0; i < 20'000; ++i) {
    const unsigned prefix = random() % 33, one = random(), bits = random() % 40;
    const unsigned mask = prefix == 0 ? 0 : ~0U << (32 - prefix);
    const unsigned other = bits < 32 ? one ^ (1U << bits) : random();
    const auto text = [](unsigned address) {
      return std::to_string(address >> 24) + "." + std::to_string(address >> 16 & 255) + "." +
             std::to_string(address >> 8 & 255) + "." + std::to_string(address & 255);
    };
    const std::string range = text(one & mask) + "/" + std::to_string(prefix);
    CAPTURE(range, text(other));
    bool same = true;
    for (unsigned at = 0; at < prefix; ++at) same &= (one >> (31 - at) & 1) == (other >> (31 - at) & 1);
    CHECK(is_in(range, text(other)) == same);
  }
}

TEST_CASE("who comes by a unix socket is in the lists that say so") {
  const auto list = AddressList::parse({"10.0.0.0/8", " unix "});
  REQUIRE(list);
  CHECK((list->contains("unix") && list->contains("10.1.2.3") && !list->contains("unix:") && !list->contains("")));
  CHECK_FALSE(AddressList::parse({"10.0.0.0/8"})->contains("unix"));
  CHECK_FALSE(AddressList::parse({"unix"})->empty());
  CHECK_FALSE(AddressList::is_address("unix"));
}
