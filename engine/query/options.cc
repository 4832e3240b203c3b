#include "engine/query/options.h"

#include "engine/base/text.h"
#include "engine/query/lost_options.h"
#include "engine/query/parse/diagnostics.h"
#include "engine/query/parse/lexer.h"

#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

namespace callisto::query {

namespace {

enum class Name {
  Select,
  Filter,
  OrderBy,
  GroupBy,
  Aggregate,
  LeftJoin,
  InnerJoin,
  Top,
  Skip,
  After,
  Partition,
  Count,
  InlineCount,
  Metadata,
  Options,
  Explain,
  Expand
};

constexpr std::array<std::pair<std::string_view, Name>, 17> names{{{"$select", Name::Select},
                                                                   {"$filter", Name::Filter},
                                                                   {"$orderby", Name::OrderBy},
                                                                   {"$groupby", Name::GroupBy},
                                                                   {"$aggregate", Name::Aggregate},
                                                                   {"$leftJoin", Name::LeftJoin},
                                                                   {"$innerJoin", Name::InnerJoin},
                                                                   {"$top", Name::Top},
                                                                   {"$skip", Name::Skip},
                                                                   {"$after", Name::After},
                                                                   {"$partition", Name::Partition},
                                                                   {"$count", Name::Count},
                                                                   {"$inlinecount", Name::InlineCount},
                                                                   {"$metadata", Name::Metadata},
                                                                   {"$options", Name::Options},
                                                                   {"$explain", Name::Explain},
                                                                   {"$expand", Name::Expand}}};

std::string_view spelled(Name name) { return names[static_cast<std::size_t>(name)].first; }

Error wrong_value(std::string_view option, std::string_view value, std::string expected) {
  std::string message(option);
  message += ": found " + (value.empty() ? std::string("nothing") : text::quoted(value)) + ", expected " + expected;
  Error error = bad_option(std::string(option), std::move(message));
  error.diagnostic->found = excerpt(value);
  error.diagnostic->expected = {std::move(expected)};
  return error;
}

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> known;
  for (const auto& [name, id] : names) known.push_back(name);
  return known;
}

// API rule 1.4: what follows `$` matches ignoring case; a typo must never return the whole table.
Result<Name> find_name(std::string_view given) {
  for (const auto& [name, id] : names)
    if (text::equals_ignoring_ascii_case(given, name)) return id;
  const std::vector<std::string_view> known = known_names();
  // "amp;$filter", "?$filter" and " $filter" are broken urls, not parameters without '$'.
  const std::string meant = meant_name(given);
  const std::string_view name = std::string_view(meant).substr(meant.find('$'));
  std::string suggestion(option_for_word(name));
  if (suggestion.empty()) suggestion = text::nearest(name, known);
  const std::vector<std::string> expected(known.begin(), known.end());
  std::string message = "There is no option " + text::quoted(given);
  if (suggestion.empty()) message += "; there are " + listed(expected);
  else message += "; did you mean " + text::quoted(suggestion) + "?";
  Error error = bad_option({}, std::move(message), std::move(suggestion));
  error.diagnostic->found = excerpt(given);
  error.diagnostic->expected = expected;
  return error;
}

Result<std::int64_t> parse_number(Name name, std::string_view value, std::int64_t least) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, number);
  if (parsed.ec == std::errc{} && parsed.ptr == end && number >= least && number <= most) return number;
  return wrong_value(spelled(name), value, "a number from " + std::to_string(least) + " to " + std::to_string(most));
}

// API rule 1.6: `false` counts as absent.
Result<bool> parse_switch(Name name, std::string_view value) {
  if (value == "true" || value == "false") return value == "true";
  return wrong_value(spelled(name), value, "true or false");
}

Result<bool> parse_flag(Name name, std::string_view value) {
  if (value.empty() || value == "true") return true;
  return wrong_value(spelled(name), value, "true or nothing");
}

template <typename Target, typename Parsed>
Result<void> assign(Target& target, Result<Parsed> parsed) {
  CALLISTO_TRY(target, std::move(parsed));
  return {};
}

Result<void> set(Options& options, Name name, const std::string& value) {
  switch (name) {
    case Name::Select:
      return assign(options.select, Result<std::string>(value));
    case Name::Filter:
      return assign(options.filter, Result<std::string>(value));
    case Name::OrderBy:
      return assign(options.orderby, Result<std::string>(value));
    case Name::GroupBy:
      return assign(options.groupby, Result<std::string>(value));
    case Name::Aggregate:
      return assign(options.aggregate, Result<std::string>(value));
    case Name::LeftJoin:
    case Name::InnerJoin:
      options.joins.push_back({value, name == Name::InnerJoin});
      return {};
    case Name::Top:
      return assign(options.top, parse_number(name, value, 1));
    case Name::Skip:
      return assign(options.skip, parse_number(name, value, 0));
    case Name::After:
      return assign(options.after, Result<std::string>(value));
    case Name::Partition:
      return assign(options.partition, parse_number(name, value, 0));
    case Name::Count:
      return assign(options.count, parse_switch(name, value));
    case Name::InlineCount:
      return assign(options.inline_count, parse_switch(name, value));
    case Name::Metadata:
      return assign(options.metadata, parse_flag(name, value));
    case Name::Options:
      return assign(options.options, parse_flag(name, value));
    case Name::Explain:
      return assign(options.explain, parse_flag(name, value));
    case Name::Expand:
      return assign(options.expand, Result<std::string>(value));
  }
  return {};
}

bool is_option(std::string_view name) {
  return name.find('$') != name.npos || meant_name(name).find('$') != std::string::npos;
}

}  // namespace

Result<Options> parse_options(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Options options;
  std::array<bool, names.size()> given{};
  for (const auto& [key, value] : pairs) {
    if (!is_option(key)) {
      CALLISTO_CHECK(check_foreign(key, value, known_names()));
      continue;
    }
    CALLISTO_TRY(const Name name, find_name(key));
    const std::string option(spelled(name));
    bool& twice = given[static_cast<std::size_t>(name)];
    if (twice && name != Name::LeftJoin && name != Name::InnerJoin)
      return bad_option(option, option + " is given twice");
    twice = true;
    if (!text::is_utf8(value)) return bad_option(option, option + " is no UTF-8 text");
    CALLISTO_CHECK(set(options, name, value));
  }
  if (options.after && options.skip)
    return bad_option("$skip", "$skip is no option beside $after, which says itself where the page begins");
  return options;
}

std::size_t placeholders(std::string_view filter) {
  Lexer lexer(filter);
  std::size_t count = 0;
  for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next())
    if (token.kind == Token::Kind::Placeholder) ++count;
  return count;
}

Result<void> allow_select_only(const Options& options) {
  const std::pair<bool, Name> given[] = {{options.filter.has_value(), Name::Filter},
                                         {options.orderby.has_value(), Name::OrderBy},
                                         {options.groupby.has_value(), Name::GroupBy},
                                         {options.aggregate.has_value(), Name::Aggregate},
                                         {options.top.has_value(), Name::Top},
                                         {options.skip.has_value(), Name::Skip},
                                         {options.after.has_value(), Name::After},
                                         {options.partition.has_value(), Name::Partition},
                                         {options.count, Name::Count},
                                         {options.inline_count, Name::InlineCount},
                                         {options.explain, Name::Explain}};
  std::string_view refused;
  if (!options.joins.empty()) refused = spelled(options.joins.front().inner ? Name::InnerJoin : Name::LeftJoin);
  for (const auto& [present, name] : given)
    if (present && refused.empty()) refused = spelled(name);
  if (refused.empty()) return {};
  const std::string option(refused);
  return bad_option(option, option + " is for searches; a single record knows only $select");
}

Result<void> refuse_expand(const Options& options) {
  if (!options.expand) return {};
  return bad_option("$expand",
                    "$expand is for reading a single record, or for the metadata of an entity; what lookups lead to, "
                    "$select=Lookup.Property shows");
}

}  // namespace callisto::query
