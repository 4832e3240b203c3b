// Which types a query compares with which, and literals as values of a property's type (API rule
// 2.7). Pure; any thread.
#pragma once

#include "engine/query/bind/names.h"
#include "engine/query/plan.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace callisto::query {

using catalog::Family;
using catalog::family;
const char* literal_of(Family family);  // "a text in double quotes", for messages

bool is_equality(CompareOp op);
CompareOp mirrored(CompareOp op);  // a op b is b mirrored(op) a
const char* spelled(CompareOp op);
bool holds(CompareOp op, std::partial_ordering order);  // what a compares as to b

bool has_order(Family family);  // < <= > >=

bool has_partitioned_rows(const catalog::Entity& entity);  // of one of its types at least

bool is_key_like(catalog::DataType type);  // a lookup, or a whole number, which can hold its key
bool comparable(const Named& left, const Named& right);

// A number for a property of type `type`: between two values that the type can hold `exact` is false and `value` is the
// lower one. Nothing where it is out of range.
struct TypedNumber {
  Value value;
  bool exact = true;
};
std::optional<TypedNumber> typed_number(const std::string& spelled, catalog::DataType type, int scale);

// `property op number` for an inexact number, as a comparison with the value below it; nothing where it is decided
// already: equality never holds, inequality always.
std::optional<CompareOp> op_for_lower(CompareOp op);

}  // namespace callisto::query
