#include "engine/query/parse/diagnostics.h"

#include "engine/base/text.h"

#include <utility>

namespace callisto::query {

std::size_t Source::column(std::size_t byte) const { return text::column(text_, byte); }

Error Source::unexpected(std::size_t byte, std::string_view found, std::vector<std::string> expected,
                         std::string suggestion) const {
  std::string problem = "found ";
  problem += found.empty() ? std::string("the end") : text::quoted(found);
  problem += ", expected ";
  problem += alternatives(expected);
  return refused(byte, found, problem, std::move(suggestion), std::move(expected));
}

Error Source::refused(std::size_t byte, std::string_view found, std::string_view problem, std::string suggestion,
                      std::vector<std::string> expected) const {
  const std::size_t at = column(byte);
  std::string message(option_);
  message += ", column ";
  message += std::to_string(at);
  message += ": ";
  message += problem;
  if (!suggestion.empty()) message += "; did you mean " + text::quoted(suggestion) + "?";
  return bad_query(std::move(message),
                   {std::string(option_), at, excerpt(found), std::move(expected), std::move(suggestion)});
}

// text::quoted cuts between characters; only its quotes are too much here.
std::string excerpt(std::string_view found) {
  const std::string shown = text::quoted(found);
  return shown.substr(1, shown.size() - 2);
}

namespace {

std::string joined(const std::vector<std::string>& items, const char* before_last) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? before_last : ", ";
    text += items[i];
  }
  return text;
}

using Words = std::pair<std::string_view, std::string_view>;

template <std::size_t Count>
std::string_view meaning(const Words (&words)[Count], std::string_view word) {
  for (const auto& [spelled, meant] : words)
    if (text::equals_ignoring_ascii_case(word, spelled)) return meant;
  return {};
}

}  // namespace

std::string alternatives(const std::vector<std::string>& items) { return joined(items, " or "); }
std::string listed(const std::vector<std::string>& items) { return joined(items, " and "); }

std::string_view operator_for_word(std::string_view word) {
  static constexpr Words words[] = {{"eq", "=="}, {"ne", "!="},  {"lt", "<"},   {"le", "<="},          {"gt", ">"},
                                    {"ge", ">="}, {"is", "=="},  {"and", "&&"}, {"or", "||"},          {"not", "!"},
                                    {"&", "&&"},  {"|", "||"},   {"<>", "!="},  {"like", ".Contains"}, {"=>", ">="},
                                    {"=<", "<="}, {"===", "=="}, {"!==", "!="}, {"in", "in"}};
  return meaning(words, word);
}

std::string_view advice_for_word(std::string_view word) {
  static constexpr Words words[] = {{"between", "compare with '>=' and with '<=', and join both with '&&'"}};
  return meaning(words, word);
}

std::string_view option_for_word(std::string_view option) {
  static constexpr Words words[] = {{"$join", "$leftJoin"},  {"$sort", "$orderby"},      {"$limit", "$top"},
                                    {"$take", "$top"},       {"$offset", "$skip"},       {"$where", "$filter"},
                                    {"$query", "$filter"},   {"$search", "$filter"},     {"$fields", "$select"},
                                    {"$include", "$select"}, {"$total", "$inlinecount"}, {"$group", "$groupby"},
                                    {"$apply", "$groupby"},  {"$having", "$filter"}};
  return meaning(words, option);
}

}  // namespace callisto::query
