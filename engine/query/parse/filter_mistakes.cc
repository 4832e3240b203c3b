#include "engine/query/parse/filter_mistakes.h"

#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "engine/query/parse/parse.h"

#include <iterator>
#include <variant>

namespace callisto::query {

using Kind = Token::Kind;

const std::vector<std::string>& FilterMistakes::operand_words() {
  static const std::vector<std::string> words{"a property", "a literal", "an augmenter"};
  return words;
}

Error FilterMistakes::no_function(const Segment& name) const {
  if (!operator_for_word(name.name).empty()) return no_operand(name);
  std::string method = text::nearest(name.name, {"Contains", "StartsWith", "EndsWith"});
  if (method.empty()) method = "Contains";
  return source_.refused(name.at, name.name,
                         text::quoted(name.name) + " is no function; a method follows its property, as in Property." +
                             method + "(\"text\")");
}

// not Closed: the word of another language was read as a property.
Error FilterMistakes::no_operand(const Segment& word) const {
  std::string meant(operator_for_word(word.name));
  if (meant == word.name) meant.clear();
  return source_.unexpected(word.at, word.name, operand_words(), std::move(meant));
}

Error FilterMistakes::no_method(const Segment& name) const {
  static constexpr std::string_view of_lists[] = {"Any", "All", "Count"};
  std::vector<std::string_view> names;
  std::vector<std::string> expected;
  for (const auto& [known, op] : text_methods) {
    names.push_back(known);
    expected.emplace_back(known);
  }
  names.insert(names.end(), std::begin(of_lists), std::end(of_lists));
  std::string suggestion = text::nearest(name.name, names);
  std::string problem = text::quoted(name.name) + " is no method";
  if (suggestion.empty()) problem += "; there are " + listed(expected);
  return source_.refused(name.at, name.name, problem, std::move(suggestion), std::move(expected));
}

Error FilterMistakes::after_operand(const Expression& last, std::size_t depth) const {
  const auto* word = std::get_if<PathName>(&last.form);
  if (word && word->segments.size() == 1 && at_operand() && !operator_for_word(word->segments[0].name).empty())
    return no_operand(word->segments[0]);
  if (const auto date = bare_date(last); !date.empty()) return date_without_augmenter(date);
  std::vector<std::string> expected;
  if (last.is_operand()) expected = {"an operator"};
  expected.insert(expected.end(), {"'&&'", "'||'"});
  if (depth > 0) expected.emplace_back("')'");
  else expected.emplace_back("the end");
  return in_.unexpected(std::move(expected));
}

bool FilterMistakes::at_operand() const {
  return in_.at(Kind::Name) || in_.at(Kind::Augmenter) || in_.at(Kind::Not) || at_literal(in_);
}

// CreatedDate > 2026-03-15 is read as the number 2026 with another behind it. Empty where no such date stands there.
std::string_view FilterMistakes::bare_date(const Expression& last) const {
  if (in_.current().at != last.end || !in_.current().text.starts_with('-')) return {};
  std::size_t start = last.end;
  while (start > 0 && source_.text()[start - 1] >= '0' && source_.text()[start - 1] <= '9') --start;
  const std::string_view rest = source_.text().substr(start);
  const std::string_view date = rest.substr(0, rest.find_first_of(" \t)&|"));
  return parse_iso8601(date) ? date : std::string_view();
}

Error FilterMistakes::date_without_augmenter(std::string_view date) const {
  const auto at = static_cast<std::size_t>(date.data() - source_.text().data());
  return source_.refused(at, date, text::quoted(date) + " is no number", "@DateTime(" + std::string(date) + ")",
                         operand_words());
}

Result<void> FilterMistakes::check_operand(const Expression& side, std::string in) const {
  if (side.is_operand()) return {};
  if (!std::holds_alternative<Negation>(side.form)) in.clear();
  return source_.refused(side.at, source_.text().substr(side.at, side.end - side.at),
                         "a condition is no operand of a comparison; compare a property, a literal or an augmenter",
                         std::move(in), operand_words());
}

}  // namespace callisto::query
