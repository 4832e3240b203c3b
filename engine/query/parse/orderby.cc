#include "engine/base/text.h"
#include "engine/query/parse/parse.h"

#include <utility>

namespace callisto::query {

namespace {

using Kind = Token::Kind;

Result<OrderItem> parse_item(TokenReader& in) {
  OrderItem item;
  CALLISTO_TRY(item.path, parse_path(in, "a property"));
  if (!in.at(Kind::Name)) return item;
  const Token direction = in.take();
  if (direction.text == "asc" || direction.text == "desc") {
    item.descending = direction.text == "desc";
    return item;
  }
  // API rule 1.6: lower case only.
  std::string meant = text::nearest(direction.text, {"asc", "desc"});
  if (text::equals_ignoring_ascii_case(direction.text, "ascending")) meant = "asc";
  if (text::equals_ignoring_ascii_case(direction.text, "descending")) meant = "desc";
  return in.source().unexpected(direction.at, direction.text, {"asc", "desc", "','"}, std::move(meant));
}

}  // namespace

Result<std::vector<OrderItem>> parse_orderby(const Source& source, const Limits& limits) {
  TokenReader in(source);
  std::vector<OrderItem> items;
  do {
    const std::size_t at = in.current().at;
    CALLISTO_TRY(OrderItem item, parse_item(in));
    if (items.size() == limits.sort_keys)
      return source.refused(at, {}, "more than " + std::to_string(limits.sort_keys) + " sort keys");
    items.push_back(std::move(item));
  } while (in.skip(Kind::Comma));
  if (!in.at(Kind::End)) return in.unexpected({"asc", "desc", "','", "the end"});
  return items;
}

}  // namespace callisto::query
