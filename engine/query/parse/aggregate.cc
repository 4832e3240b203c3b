#include "engine/base/text.h"
#include "engine/query/parse/parse.h"

#include <array>
#include <utility>

namespace callisto::query {

namespace {

using Kind = Token::Kind;

constexpr std::array<std::pair<std::string_view, Aggregate::Kind>, 5> functions{{{"count", Aggregate::Kind::Count},
                                                                                 {"sum", Aggregate::Kind::Sum},
                                                                                 {"avg", Aggregate::Kind::Avg},
                                                                                 {"min", Aggregate::Kind::Min},
                                                                                 {"max", Aggregate::Kind::Max}}};

std::string meant_by(std::string_view word) {
  if (text::equals_ignoring_ascii_case(word, "mean")) return "avg";
  std::vector<std::string_view> names;
  for (const auto& [name, kind] : functions) {
    if (text::equals_ignoring_ascii_case(word.substr(0, name.size()), name)) return std::string(name);
    names.push_back(name);
  }
  return text::nearest(word, names);
}

Result<Aggregate::Kind> take_function(TokenReader& in) {
  const Token word = in.take();
  for (const auto& [name, kind] : functions)
    if (word.text == name) return kind;
  const bool is_name = word.kind == Kind::Name;
  return in.source().unexpected(word.at, word.text, {"count", "sum", "avg", "min", "max"},
                                is_name ? meant_by(word.text) : std::string());
}

Result<AggregateItem> parse_item(TokenReader& in) {
  AggregateItem item;
  item.function = {in.current().text, in.current().at};
  CALLISTO_TRY(item.kind, take_function(in));
  CALLISTO_TRY(const Token open, in.expect(Kind::Open, "'('"));
  if (in.at(Kind::Star) || in.at(Kind::Close))
    return in.source().refused(in.current().at, in.current().text,
                               "every group says the number of its rows as '__count'; name a property here", {},
                               {"a property"});
  CALLISTO_TRY(item.path, parse_path(in, "a property"));
  CALLISTO_TRY(const Token close, in.expect(Kind::Close, "')'"));
  const bool is_as = in.at(Kind::Name) && in.current().text == "as";
  if (!is_as) return in.unexpected({"as and a name for the result"});
  in.take();
  CALLISTO_TRY(const Token name, in.expect(Kind::Name, "a name for the result"));
  item.name = {name.text, name.at};
  return item;
}

}  // namespace

Result<std::vector<AggregateItem>> parse_aggregate(const Source& source, const Limits& limits) {
  TokenReader in(source);
  std::vector<AggregateItem> items;
  do {
    const std::size_t at = in.current().at;
    CALLISTO_TRY(AggregateItem item, parse_item(in));
    if (items.size() == limits.selected_paths)
      return source.refused(at, {}, "more than " + std::to_string(limits.selected_paths) + " aggregates");
    items.push_back(std::move(item));
  } while (in.skip(Kind::Comma));
  if (!in.at(Kind::End)) return in.unexpected({"','", "the end"});
  return items;
}

}  // namespace callisto::query
