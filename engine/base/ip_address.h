// IP addresses and ranges of them (CIDR, RFC 4632 and RFC 4291 2.3). Immutable; any thread.
#pragma once

#include <sys/socket.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace callisto {

// RFC 4291 2.5.5.2: "IPv4-mapped IPv6 address" and the IPv4 address in it are one and the same here.
class IpAddress {
 public:
  using Bytes = std::array<unsigned char, 16>;

  static std::optional<IpAddress> read(std::string_view text);  // IPv4 or IPv6, without a port and a zone
  static std::optional<IpAddress> of(const sockaddr& address);  // nothing for other families

  bool is_v4() const;
  const Bytes& bytes() const { return bytes_; }
  std::string text() const;

 private:
  friend class Cidr;
  Bytes bytes_{};
};

class Cidr {
 public:
  enum class Fault { None, NoAddress, Prefix, BitsBehind };
  // "192.0.2.1", "10.1.0.0/16", "fd00::/8". Refused: names, and bits behind the prefix. `fault` tells why.
  static std::optional<Cidr> read(std::string_view text, Fault& fault);

  bool contains(const IpAddress& address) const;
  bool is_everything() const { return own_bits_ == 0; }   // 0.0.0.0/0 or ::/0
  static unsigned longest_prefix(std::string_view text);  // that its address may have: 32 or 128

 private:
  IpAddress first_;
  unsigned prefix_ = 0;    // of 128
  unsigned own_bits_ = 0;  // as it was written
};

}  // namespace callisto
