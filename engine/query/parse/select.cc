#include "engine/base/text.h"
#include "engine/query/parse/parse.h"

#include <utility>

namespace callisto::query {

namespace {

using Kind = Token::Kind;

// [Alias:](@Name | Path), or *.
Result<SelectItem> parse_item(TokenReader& in) {
  SelectItem item;
  item.at = in.current().at;
  if (in.skip(Kind::Star)) {
    item.what = std::monostate{};
    return item;
  }
  if (!in.at(Kind::Augmenter)) {
    if (!in.at(Kind::Name)) return in.unexpected({"a property", "an augmenter", "'*'"});
    CALLISTO_TRY(PathName path, parse_path(in, "a property"));
    if (path.segments.size() > 1 || !in.skip(Kind::Colon)) {
      item.what = std::move(path);
      return item;
    }
    item.alias = path.segments.front();
  }
  if (in.at(Kind::Augmenter)) {
    const Token name = in.take();
    item.what = Segment{name.text, name.at};
    return item;
  }
  CALLISTO_TRY(item.what, parse_path(in, "a property or an augmenter"));
  return item;
}

// SQL names a column behind it, `Path as Name`; here the name stands before it.
Error after_item(TokenReader& in, const SelectItem& item) {
  const Token found = in.take();
  std::string suggestion;
  if (text::equals_ignoring_ascii_case(found.text, "as") && in.at(Kind::Name)) {
    const std::string_view path = in.source().text().substr(item.at, found.at - item.at);
    suggestion = std::string(in.current().text) + ":" + std::string(text::trim(path));
  }
  return in.source().unexpected(found.at, found.text, {"','", "the end"}, std::move(suggestion));
}

}  // namespace

Result<std::vector<SelectItem>> parse_select(const Source& source, const Limits& limits) {
  TokenReader in(source);
  std::vector<SelectItem> items;
  do {
    CALLISTO_TRY(SelectItem item, parse_item(in));
    if (items.size() == limits.selected_paths)
      return source.refused(item.at, {}, "more than " + std::to_string(limits.selected_paths) + " selected paths");
    items.push_back(std::move(item));
  } while (in.skip(Kind::Comma));
  if (in.at(Kind::Name)) return after_item(in, items.back());
  if (!in.at(Kind::End)) return in.unexpected({"','", "the end"});
  return items;
}

}  // namespace callisto::query
