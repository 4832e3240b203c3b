#include "engine/base/address_list.h"

#include "engine/base/text.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

namespace callisto {

namespace {

constexpr unsigned v4_prefix = 96;  // RFC 4291 2.5.5.2: ::ffff:0:0/96 holds IPv4

bool bit(const std::array<unsigned char, 16>& bytes, unsigned at) { return (bytes[at / 8] >> (7 - at % 8) & 1) != 0; }

Error refuse(std::string_view item, const std::string& why) { return bad_format(text::quoted(item) + " " + why); }

}  // namespace

bool AddressList::read(std::string_view text, Bytes& bytes, bool& is_v4) {
  const std::string terminated(text);
  bytes = {};
  is_v4 = inet_pton(AF_INET, terminated.c_str(), bytes.data() + 12) == 1;
  if (is_v4) {
    bytes[10] = bytes[11] = 0xff;
    return true;
  }
  return inet_pton(AF_INET6, terminated.c_str(), bytes.data()) == 1;
}

Result<AddressList::Range> AddressList::parse_range(std::string_view item) {
  const std::size_t slash = item.find('/');
  Range range{};
  bool is_v4 = false;
  if (!read(item.substr(0, slash), range.first, is_v4))
    return refuse(item, "is no IP address or range; write one such as 10.1.0.0/16");
  const unsigned longest = is_v4 ? 128 - v4_prefix : 128;
  range.prefix = longest;
  if (slash != item.npos) {
    const std::string_view digits = item.substr(slash + 1);
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), range.prefix);
    if (fault != std::errc() || end != digits.data() + digits.size() || range.prefix > longest)
      return refuse(item, "has no prefix length from 1 to " + std::to_string(longest));
  }
  if (range.prefix == 0) return refuse(item, "would trust every address; name the proxies");
  range.prefix += 128 - longest;
  for (unsigned at = range.prefix; at < 128; ++at)
    if (bit(range.first, at))
      return refuse(item, "has address bits behind its prefix; write the first address of the range");
  return range;
}

Result<AddressList> AddressList::parse(const std::vector<std::string>& items) {
  AddressList list;
  for (const std::string& item : items) {
    CALLISTO_TRY(const Range range, parse_range(text::trim(item)));
    list.ranges_.push_back(range);
  }
  return list;
}

bool AddressList::is_address(std::string_view text) {
  Bytes bytes;
  bool is_v4 = false;
  return text.find('\0') == text.npos && read(text, bytes, is_v4);
}

bool AddressList::contains(std::string_view address) const {
  Bytes bytes;
  bool is_v4 = false;
  if (!read(address, bytes, is_v4)) return false;
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
    for (unsigned at = 0; at < range.prefix; ++at)
      if (bit(bytes, at) != bit(range.first, at)) return false;
    return true;
  });
}

}  // namespace callisto
