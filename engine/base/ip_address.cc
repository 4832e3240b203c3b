#include "engine/base/ip_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace callisto {

namespace {

constexpr unsigned all_bits = 128, v4_bits = 32;
constexpr std::size_t v4_begin = 12;
constexpr IpAddress::Bytes v4_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool bit(const IpAddress::Bytes& bytes, unsigned at) { return (bytes[at / 8] >> (7 - at % 8) & 1) != 0; }

}  // namespace

std::optional<IpAddress> IpAddress::read(std::string_view text) {
  if (text.find('\0') != text.npos) return std::nullopt;
  const std::string terminated(text);
  IpAddress address;
  address.bytes_ = v4_prefix;
  if (inet_pton(AF_INET, terminated.c_str(), address.bytes_.data() + v4_begin) == 1) return address;
  if (inet_pton(AF_INET6, terminated.c_str(), address.bytes_.data()) == 1) return address;
  return std::nullopt;
}

std::optional<IpAddress> IpAddress::of(const sockaddr& address) {
  IpAddress read;
  if (address.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    read.bytes_ = v4_prefix;
    std::memcpy(read.bytes_.data() + v4_begin, &v4.sin_addr, sizeof v4.sin_addr);
    return read;
  }
  if (address.sa_family != AF_INET6) return std::nullopt;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  std::memcpy(read.bytes_.data(), &v6.sin6_addr, sizeof v6.sin6_addr);
  return read;
}

bool IpAddress::is_v4() const { return std::equal(v4_prefix.begin(), v4_prefix.begin() + v4_begin, bytes_.begin()); }

std::string IpAddress::text() const {
  char text[INET6_ADDRSTRLEN] = "";
  inet_ntop(is_v4() ? AF_INET : AF_INET6, bytes_.data() + (is_v4() ? v4_begin : 0), text, sizeof text);
  return text;
}

unsigned Cidr::longest_prefix(std::string_view text) { return text.find(':') == text.npos ? v4_bits : all_bits; }

std::optional<Cidr> Cidr::read(std::string_view text, Fault& fault) {
  const std::size_t slash = text.find('/');
  const unsigned longest = longest_prefix(text);
  const auto address = IpAddress::read(text.substr(0, slash));
  fault = Fault::NoAddress;
  if (!address) return std::nullopt;
  Cidr range;
  range.first_ = *address;
  range.own_bits_ = longest;
  if (slash != text.npos) {
    const std::string_view digits = text.substr(slash + 1);
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), range.own_bits_);
    fault = Fault::Prefix;
    if (problem != std::errc() || end != digits.data() + digits.size() || range.own_bits_ > longest)
      return std::nullopt;
  }
  range.prefix_ = range.own_bits_ + all_bits - longest;
  fault = Fault::BitsBehind;
  for (unsigned at = range.prefix_; at < all_bits; ++at)
    if (bit(range.first_.bytes_, at)) return std::nullopt;
  fault = Fault::None;
  return range;
}

bool Cidr::contains(const IpAddress& address) const {
  const auto whole = static_cast<std::ptrdiff_t>(prefix_ / 8);
  if (!std::equal(first_.bytes_.begin(), first_.bytes_.begin() + whole, address.bytes_.begin())) return false;
  if (prefix_ % 8 == 0) return true;
  const auto at = static_cast<std::size_t>(whole);
  return (first_.bytes_[at] ^ address.bytes_[at]) >> (8 - prefix_ % 8) == 0;
}

}  // namespace callisto
