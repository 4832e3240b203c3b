#include "engine/query/bind_types.h"

#include "engine/query/number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace callisto::query {

namespace {

using catalog::DataType;

std::optional<TypedNumber> floating(const Number& number, DataType type) {
  const std::optional<double> value = number.to_double();
  if (!value) return std::nullopt;
  if (type == DataType::Float && std::abs(*value) > static_cast<double>(std::numeric_limits<float>::max()))
    return std::nullopt;
  return TypedNumber{*value, true};
}

}  // namespace

const char* literal_of(Family family) {
  switch (family) {
    case Family::Number:
      return "a number";
    case Family::Text:
      return "a text in double quotes";
    case Family::Boolean:
      return "true or false";
    case Family::DateTime:
      return "a date such as @DateTime(2026-03-15T08:00:00Z) or @Now";
    case Family::Binary:
      return "null";
    case Family::Lookup:
      return "a key (a whole number)";
  }
  return "a literal";
}

bool is_equality(CompareOp op) { return op == CompareOp::Equal || op == CompareOp::NotEqual; }

CompareOp mirrored(CompareOp op) {
  switch (op) {
    case CompareOp::Less:
      return CompareOp::Greater;
    case CompareOp::LessEqual:
      return CompareOp::GreaterEqual;
    case CompareOp::Greater:
      return CompareOp::Less;
    case CompareOp::GreaterEqual:
      return CompareOp::LessEqual;
    default:
      return op;
  }
}

const char* spelled(CompareOp op) {
  switch (op) {
    case CompareOp::Equal:
      return "==";
    case CompareOp::NotEqual:
      return "!=";
    case CompareOp::Less:
      return "<";
    case CompareOp::LessEqual:
      return "<=";
    case CompareOp::Greater:
      return ">";
    case CompareOp::GreaterEqual:
      return ">=";
  }
  return "==";
}

bool holds(CompareOp op, std::partial_ordering order) {
  switch (op) {
    case CompareOp::Equal:
      return order == 0;
    case CompareOp::NotEqual:
      return order != 0;
    case CompareOp::Less:
      return order < 0;
    case CompareOp::LessEqual:
      return order <= 0;
    case CompareOp::Greater:
      return order > 0;
    case CompareOp::GreaterEqual:
      return order >= 0;
  }
  return false;
}

bool has_order(Family family) { return family == Family::Number || family == Family::DateTime; }

bool has_partitioned_rows(const catalog::Entity& entity) {
  const auto types = entity.final_types();
  return entity.partitioned ||
         std::any_of(types.begin(), types.end(), [](const auto* type) { return type->partitioned; });
}

bool is_key_like(DataType type) { return type == DataType::Lookup || catalog::is_whole(type); }

// API rule 2.7: numbers, texts, dates and Booleans among themselves; a lookup with a lookup to the same entity (or one
// of its hierarchy, whose keys are the same) or with a whole number.
bool comparable(const Named& left, const Named& right) {
  const Family a = family(left.property->type), b = family(right.property->type);
  if (a == Family::Binary || b == Family::Binary) return false;
  if (a == Family::Lookup && b == Family::Lookup)
    return &left.path.property->target->root() == &right.path.property->target->root();
  if (a == Family::Lookup || b == Family::Lookup)
    return is_key_like(left.property->type) && is_key_like(right.property->type);
  return a == b;
}

std::optional<TypedNumber> typed_number(const std::string& spelled, DataType type, int scale) {
  const Number number(spelled);
  if (type == DataType::Float || type == DataType::Double) return floating(number, type);
  const int places = type == DataType::Decimal ? scale : 0;
  const auto scaled = number.scaled(places);
  // Keys are no larger than an integer.
  const auto [least, most] = catalog::traits(type == DataType::Lookup ? DataType::Integer : type).range;
  if (!scaled || scaled->floor < least || scaled->floor > most) return std::nullopt;
  if (type == DataType::Decimal) return TypedNumber{Decimal{scaled->floor, places}, scaled->exact};
  return TypedNumber{scaled->floor, scaled->exact};
}

std::optional<CompareOp> op_for_lower(CompareOp op) {
  if (is_equality(op)) return std::nullopt;
  return op == CompareOp::Less || op == CompareOp::LessEqual ? CompareOp::LessEqual : CompareOp::Greater;
}

}  // namespace callisto::query
