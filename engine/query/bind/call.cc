#include "engine/base/text.h"
#include "engine/base/zoned_time.h"
#include "engine/query/bind/filter.h"
#include "engine/query/bind_types.h"
#include "engine/query/parse/lexer.h"
#include "engine/query/power_of_ten.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace callisto::query {

namespace {

using catalog::Augmenter;
using catalog::AugmenterKind;
using catalog::DataType;

bool is_number_token(std::string_view text) {
  Lexer lexer(text);
  return lexer.next().kind == Token::Kind::Number && lexer.next().kind == Token::Kind::End;
}

// As an argument a number is exact: a Decimal has the digits after the point that it was written with.
std::optional<Value> number_value(const std::string& text, DataType type) {
  if (!is_number_token(text)) return std::nullopt;
  const std::size_t point = text.find('.');
  const std::size_t places =
      point == std::string::npos ? 0 : std::min(text.find_first_of("eE", point), text.size()) - point - 1;
  const int scale = static_cast<int>(std::min<std::size_t>(places, max_scale));
  const auto number = typed_number(text, type, scale);
  if (!number || !number->exact) return std::nullopt;
  return number->value;
}

// @DateTime(2026-03-15T08:05:00,5+01:00): the only argument of such a function is all that stands in its parentheses.
bool takes_everything(const Augmenter& function) {
  if (function.parameters.size() != 1) return false;
  const DataType type = function.parameters.front().type;
  return catalog::is_text(type) || type == DataType::DateTime;
}

// In a url a '+' arrives as a blank, and in a moment that can only be the sign of an offset.
std::string with_plus(std::string text) {
  if (const std::size_t blank = text.rfind(' '); blank != text.npos) text[blank] = '+';
  return text;
}

}  // namespace

Result<const Augmenter*> FilterBinder::augmenter(const Call& call, const Expression& whole) {
  const catalog::Entity& entity = *draft_.plan.entity;
  const Augmenter* found = entity.find_augmenter(call.name);
  if (!found) {
    std::vector<std::string_view> known;
    for (const Augmenter* each : entity.augmenters)
      if (each->kind != AugmenterKind::Extension) known.push_back(each->name);
    std::string suggestion = text::nearest(call.name, known);
    if (!suggestion.empty()) suggestion.insert(0, 1, '@');
    return source_.refused(whole.at, "@" + std::string(call.name),
                           text::quoted("@" + std::string(call.name)) + " is no augmenter of " + entity.name,
                           std::move(suggestion), {"an augmenter of " + entity.name});
  }
  if (found->kind == AugmenterKind::Extension)
    return source_.refused(whole.at, text_of(whole),
                           "@" + found->name + " is computed for each row of a page; it can be selected, not searched");
  if (expanding_.empty())
    draft_.plan.augmenters.push_back({found, std::string(source_.option()), source_.column(whole.at)});
  return found;
}

Result<Constant> FilterBinder::value_of(const Call& call, const Expression& whole) {
  CALLISTO_TRY(const Augmenter* found, augmenter(call, whole));
  if (found->kind == AugmenterKind::Condition)
    return source_.refused(
        whole.at, text_of(whole),
        "@" + found->name + " is a condition and no value; use it alone, or negated as !@" + found->name, {},
        {"a property", "a literal", "an augmenter that yields a value"});
  Constant constant;
  constant.type = found->returns;
  constant.position = position_of(whole);
  CALLISTO_TRY(constant.arguments, arguments(*found, call, whole));
  if (found->constant) {
    const std::size_t at = call.arguments.empty() ? whole.at : call.arguments.front().at;
    return fold(*found, std::move(constant), at);
  }
  // The digits of a Decimal mean nothing without its scale, which only a value brings along.
  if (found->returns == DataType::Decimal)
    return source_.refused(whole.at, text_of(whole), "@" + found->name + " yields a Decimal, which cannot be searched");
  constant.augmenter = found;
  return constant;
}

Result<Constant> FilterBinder::fold(const Augmenter& function, Constant call, std::size_t at) const {
  auto value = draft_.folder.call(function, call.arguments);
  if (!value) {
    if (!value.error().is_refusal()) return std::move(value).error();
    const std::string_view found = source_.text().substr(at);
    return source_.refused(at, found.substr(0, found.find(')')), "@" + function.name + ": " + value.error().message);
  }
  call.value = *std::move(value);
  call.arguments.clear();
  if (const auto* decimal = std::get_if<Decimal>(&call.value)) call.scale = decimal->scale;
  return call;
}

Result<std::vector<Value>> FilterBinder::arguments(const Augmenter& function, const Call& call,
                                                   const Expression& whole) const {
  std::vector<Value> values;
  if (takes_everything(function) && !call.arguments.empty() && !call.arguments.front().quoted) {
    const Call::Argument all{std::string(text::trim(call.inside)), false, call.arguments.front().at};
    CALLISTO_TRY(Value value, argument(function.parameters.front(), all));
    values.push_back(std::move(value));
    return values;
  }
  if (call.arguments.size() != function.parameters.size()) {
    std::string names;
    for (const auto& parameter : function.parameters) names += (names.empty() ? "" : ", ") + parameter.name;
    return source_.refused(whole.at, text_of(whole),
                           "@" + function.name + (names.empty() ? " takes no arguments" : " takes (" + names + ")") +
                               ", found " + std::to_string(call.arguments.size()) +
                               (call.arguments.size() == 1 ? " argument" : " arguments"));
  }
  values.reserve(call.arguments.size());
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    CALLISTO_TRY(Value value, argument(function.parameters[i], call.arguments[i]));
    values.push_back(std::move(value));
  }
  return values;
}

Result<Value> FilterBinder::argument(const Augmenter::Parameter& parameter, const Call::Argument& given) const {
  const Family wanted = family(parameter.type);
  if (wanted == Family::Text) return Value(given.text);
  if (wanted == Family::DateTime) {
    const std::string text = with_plus(given.text);
    if (const auto moment = parse_iso8601(text, TimeZone::local())) return Value(*moment);
    if (is_iso8601(text)) return source_.unexpected(given.at, given.text, {expected_instead(text)});
  } else if (wanted == Family::Boolean && !given.quoted) {
    if (given.text == "true" || given.text == "false") return Value(given.text == "true");
  } else if ((wanted == Family::Number || wanted == Family::Lookup) && !given.quoted) {
    if (auto number = number_value(given.text, parameter.type)) return *std::move(number);
  }
  const std::string expected = std::string(catalog::name(parameter.type)) + " for '" + parameter.name + "'";
  return source_.unexpected(given.at, given.text, {expected});
}

}  // namespace callisto::query
