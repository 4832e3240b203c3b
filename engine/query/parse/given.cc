#include "engine/query/parse/given.h"

#include "engine/base/datetime.h"

#include <charconv>
#include <iterator>
#include <string>
#include <utility>

namespace callisto::query {

namespace {

// Shortest, and read again as the same number.
std::string spelled(double number) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), number);
  return {std::begin(text), end.ptr};
}

std::string spelled(const Decimal& number) {
  std::string text;
  append_decimal(text, number);
  return text;
}

Literal number(std::string text) {
  Literal literal;
  literal.kind = Literal::Kind::Number;
  literal.text = std::move(text);
  return literal;
}

}  // namespace

Literal any_literal() {
  Literal any;
  any.kind = Literal::Kind::Any;
  return any;
}

Literal literal_of(const Value& value) {
  using Form = Literal::Kind;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return number(std::to_string(*whole));
  if (const auto* real = std::get_if<double>(&value)) return number(spelled(*real));
  if (const auto* decimal = std::get_if<Decimal>(&value)) return number(spelled(*decimal));
  Literal literal;
  if (const auto* flag = std::get_if<bool>(&value)) literal.kind = Form::Boolean, literal.boolean = *flag;
  else if (const auto* text = std::get_if<std::string>(&value)) literal.kind = Form::Text, literal.text = *text;
  else if (const auto* moment = std::get_if<DateTime>(&value)) literal.kind = Form::Moment, literal.moment = *moment;
  return literal;
}

Call::Argument argument_of(const Given& given, std::size_t at) {
  if (!given.is_known || given.values.empty()) return {"?", false, at};
  const Literal literal = literal_of(given.values.front());
  if (literal.kind == Literal::Kind::Moment) return {to_iso8601(literal.moment), true, at};
  if (literal.kind == Literal::Kind::Boolean) return {literal.boolean ? "true" : "false", false, at};
  return {literal.kind == Literal::Kind::Null ? "null" : literal.text, literal.kind == Literal::Kind::Text, at};
}

}  // namespace callisto::query
