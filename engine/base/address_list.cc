#include "engine/base/address_list.h"

#include "engine/base/text.h"

#include <algorithm>

namespace callisto {

namespace {

constexpr std::string_view unix_word = "unix";

Error refuse(std::string_view item, const std::string& why) { return bad_format(text::quoted(item) + " " + why); }

Result<Cidr> parse_range(std::string_view item) {
  Cidr::Fault fault{};
  const auto range = Cidr::read(item, fault);
  if (range && range->is_everything()) return refuse(item, "would trust every address; name the proxies");
  switch (fault) {
    case Cidr::Fault::None:
      return *range;
    case Cidr::Fault::NoAddress:
      return refuse(item, "is no IP address or range; write one such as 10.1.0.0/16");
    case Cidr::Fault::Prefix:
      return refuse(item, "has no prefix length from 1 to " + std::to_string(Cidr::longest_prefix(item)));
    case Cidr::Fault::BitsBehind:
      break;
  }
  return refuse(item, "has address bits behind its prefix; write the first address of the range");
}

}  // namespace

Result<AddressList> AddressList::parse(const std::vector<std::string>& items) {
  AddressList list;
  for (const std::string& each : items) {
    const std::string_view item = text::trim(each);
    if (item == unix_word) {
      list.has_unix_ = true;
      continue;
    }
    CALLISTO_TRY(const Cidr range, parse_range(item));
    list.ranges_.push_back(range);
  }
  return list;
}

bool AddressList::is_address(std::string_view text) { return IpAddress::read(text).has_value(); }

bool AddressList::contains(std::string_view text) const {
  if (text == unix_word) return has_unix_;
  const auto address = IpAddress::read(text);
  return address &&
         std::any_of(ranges_.begin(), ranges_.end(), [&](const Cidr& range) { return range.contains(*address); });
}

}  // namespace callisto
