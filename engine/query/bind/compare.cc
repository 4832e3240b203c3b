#include "engine/base/text.h"
#include "engine/query/bind/filter.h"
#include "engine/query/bind_types.h"
#include "engine/query/number.h"

#include <string>
#include <utility>

namespace callisto::query {

namespace {

using catalog::DataType;
using Kind = Predicate::Kind;

Predicate always(bool value) {
  Predicate result;
  result.constant_value = value;
  return result;
}

Predicate compared(const Named& left, CompareOp op, Operand right) {
  Predicate result;
  result.kind = Kind::Compare;
  result.op = op;
  result.left = left.path;
  result.right = std::move(right);
  return result;
}

Predicate negated(Predicate inner) {
  Predicate result;
  result.kind = Kind::Not;
  result.children.push_back(std::move(inner));
  return result;
}

// Priority -> Priority.Name: the first text that a search of the looked-up entity shows, else empty.
std::string text_behind(const Named& lookup, const Names& names) {
  const catalog::Property& property = *lookup.path.property;
  if (property.type != DataType::Lookup || !property.target) return {};
  for (const catalog::Property* each : property.target->summary)
    if (catalog::is_text(each->type) && names.may_name(*each)) return lookup.property->name + "." + each->name;
  return {};
}

std::string type_of(const Named& side) {
  const catalog::Property& property = *side.path.property;
  const std::string type = text::quoted(side.property->name) + " is " + catalog::name(side.property->type);
  return property.type == DataType::Lookup && property.target ? type + " of " + property.target->name : type;
}

Family family_of(const Literal& literal) {
  if (literal.kind == Literal::Kind::Moment) return Family::DateTime;
  if (literal.kind == Literal::Kind::Boolean) return Family::Boolean;
  return literal.kind == Literal::Kind::Number ? Family::Number : Family::Text;
}

}  // namespace

Result<FilterBinder::Side> FilterBinder::side(const Expression& expression) {
  if (const auto* path = std::get_if<PathName>(&expression.form)) {
    CALLISTO_TRY(Named named, draft_.names.resolve(*path, source_, use_));
    return Side(std::move(named));
  }
  if (const auto* literal = std::get_if<Literal>(&expression.form)) return Side(literal);
  if (expression.is_count())
    return source_.refused(expression.at, text_of(expression), "a count is compared with a number, by an operator", {},
                           {"a property", "a literal", "an augmenter"});
  CALLISTO_TRY(Constant value, value_of(std::get<Call>(expression.form), expression));
  return Side(std::move(value));
}

Result<Predicate> FilterBinder::comparison(const Comparison& form) {
  if (form.sides[0].is_count() || form.sides[1].is_count()) return counted(form);
  const Expression* left_place = &form.sides[0];
  const Expression* right_place = &form.sides[1];
  CALLISTO_TRY(Side left, side(*left_place));
  auto right_side = side(*right_place);
  if (!right_side) return unquoted(left, *right_place, std::move(right_side).error());
  Side right = *std::move(right_side);
  CompareOp op = form.op;
  if (!std::holds_alternative<Named>(left)) {
    std::swap(left, right);
    std::swap(left_place, right_place);
    op = mirrored(op);
  }
  const auto* path = std::get_if<Named>(&left);
  const auto* literal = std::get_if<const Literal*>(&right);
  if (path) {
    if (literal) return with_literal(*path, op, **literal, form, *right_place);
    if (auto* value = std::get_if<Constant>(&right)) return with_call(*path, op, std::move(*value), form, *right_place);
    return with_path(*path, op, std::get<Named>(right), form);
  }
  const auto* first = std::get_if<const Literal*>(&left);
  if (first && literal) return literals(**first, op, **literal, form);
  return source_.refused(form.op_at, spelled(form.op), "one side of a comparison with an augmenter must be a property",
                         {}, {"a property"});
}

// Name == Smith: an unknown name beside a text was meant as a text.
Error FilterBinder::unquoted(const Side& left, const Expression& place, Error error) const {
  const auto* named = std::get_if<Named>(&left);
  const auto* word = std::get_if<PathName>(&place.form);
  const bool is_word = word && word->segments.size() == 1 && error.diagnostic && error.diagnostic->suggestion.empty();
  if (!is_word || !named || !catalog::is_text(named->property->type)) return error;
  const std::string found(word->segments[0].name);
  return source_.refused(place.at, found, text::quoted(found) + " is no property of " + draft_.plan.entity->name,
                         "\"" + found + "\"", {literal_of(Family::Text)});
}

// API rule 2.7: < <= > >= are for numbers, and for dates.
Result<void> FilterBinder::check_order(const Named& left, CompareOp op, const Comparison& form) const {
  if (is_equality(op) || has_order(family(left.property->type))) return {};
  return source_.refused(form.op_at, spelled(form.op),
                         "found " + text::quoted(spelled(form.op)) + ", but " + text::quoted(left.property->name) +
                             " is " + catalog::name(left.property->type) + ", which knows only == and !=",
                         {}, {"==", "!="});
}

Error FilterBinder::mismatch(const Named& left, const Expression& place, std::string suggestion) const {
  const DataType type = left.property->type;
  const std::string expected = literal_of(family(type));
  std::string problem = text::quoted(left.property->name) + " is " + catalog::name(type) + ": found " +
                        text::quoted(text_of(place)) + ", expected " + expected;
  const auto* literal = std::get_if<Literal>(&place.form);
  const std::string path =
      literal && literal->kind == Literal::Kind::Text ? text_behind(left, draft_.names) : std::string();
  if (!path.empty()) problem += "; to compare texts, name " + path;
  return source_.refused(place.at, text_of(place), problem, std::move(suggestion), {expected});
}

Result<Predicate> FilterBinder::with_path(const Named& left, CompareOp op, const Named& right,
                                          const Comparison& form) const {
  CALLISTO_CHECK(check_order(left, op, form));
  CALLISTO_CHECK(check_order(right, op, form));
  if (comparable(left, right)) return compared(left, op, right.path);
  return source_.refused(form.op_at, spelled(form.op),
                         type_of(left) + " and " + type_of(right) + "; these cannot be compared");
}

Predicate FilterBinder::with_constant(const Named& left, CompareOp op, Constant right) {
  return compared(left, op, add_constant(draft_.plan, std::move(right), *left.property));
}

Result<Predicate> FilterBinder::with_literal(const Named& left, CompareOp op, const Literal& right,
                                             const Comparison& form, const Expression& place) {
  if (right.kind == Literal::Kind::Null) return with_null(left, op, form);
  CALLISTO_CHECK(check_order(left, op, form));
  if (right.kind == Literal::Kind::Any) return always(true);
  const Family wanted = family(left.property->type), given = family_of(right);
  if (wanted == Family::DateTime && given == Family::Text)
    return mismatch(left, place, "@DateTime(" + right.text + ")");
  if ((wanted == Family::Number || wanted == Family::Lookup) && given == Family::Number)
    return with_number(left, op, right, place);
  if (wanted != given) return mismatch(left, place);
  Constant constant;
  constant.type = left.property->type;
  constant.position = position_of(place);
  if (given == Family::Boolean) constant.value = right.boolean;
  else if (given == Family::DateTime) constant.value = right.moment;
  else constant.value = right.text;
  return with_constant(left, op, std::move(constant));
}

Result<Predicate> FilterBinder::with_null(const Named& left, CompareOp op, const Comparison& form) const {
  if (!is_equality(op))
    return source_.refused(form.op_at, spelled(form.op), "null has no order; compare with == null or != null", {},
                           {"==", "!="});
  Predicate is_null;
  is_null.kind = Kind::IsNull;
  is_null.left = left.path;
  return op == CompareOp::Equal ? is_null : negated(std::move(is_null));
}

// A number between two that the property can hold is compared exactly: with scale 2, Cost < 1.005 is Cost <= 1.00.
Result<Predicate> FilterBinder::with_number(const Named& left, CompareOp op, const Literal& right,
                                            const Expression& place) {
  const DataType type = left.property->type;
  auto number = typed_number(right.text, type, left.property->scale);
  if (!number)
    return source_.refused(place.at, text_of(place),
                           text::quoted(right.text) + " is out of range for " + text::quoted(left.property->name) +
                               ", which is " + catalog::name(type));
  if (!number->exact) {
    if (is_equality(op)) return always(op == CompareOp::NotEqual);
    op = *op_for_lower(op);
  }
  Constant constant;
  constant.value = std::move(number->value);
  constant.type = type;
  if (type == DataType::Decimal) constant.scale = left.property->scale;
  constant.position = position_of(place);
  return with_constant(left, op, std::move(constant));
}

Result<Predicate> FilterBinder::with_call(const Named& left, CompareOp op, Constant right, const Comparison& form,
                                          const Expression& place) {
  CALLISTO_CHECK(check_order(left, op, form));
  const DataType type = left.property->type;
  const bool keys = is_key_like(type) && is_key_like(right.type);
  const bool same = family(type) == family(right.type) && family(type) != Family::Binary;
  if (!keys && (!same || family(type) == Family::Lookup)) return mismatch(left, place);
  return with_constant(left, op, std::move(right));
}

// Two literals: decided now, by the same rules as for a property.
Result<Predicate> FilterBinder::literals(const Literal& left, CompareOp op, const Literal& right,
                                         const Comparison& form) const {
  if (left.kind == Literal::Kind::Any || right.kind == Literal::Kind::Any) return always(true);
  const bool nulls = left.kind == Literal::Kind::Null || right.kind == Literal::Kind::Null;
  const bool order = !is_equality(op);
  if (order && (nulls || !has_order(family_of(left))))
    return source_.refused(form.op_at, spelled(form.op), "only numbers and dates have an order", {}, {"==", "!="});
  if (nulls) return always((left.kind == right.kind) == (op == CompareOp::Equal));
  if (left.kind != right.kind)
    return source_.refused(form.op_at, spelled(form.op), "two literals of different types cannot be compared");
  if (left.kind == Literal::Kind::Number)
    return always(holds(op, compare(Number(left.text), Number(right.text)) <=> 0));
  if (left.kind == Literal::Kind::Moment) return always(holds(op, left.moment.ms <=> right.moment.ms));
  if (left.kind == Literal::Kind::Text) return always(holds(op, text::compare_folded(left.text, right.text) <=> 0));
  return always(holds(op, left.boolean <=> right.boolean));
}

Result<Predicate> FilterBinder::text_method(const Method& form) {
  CALLISTO_TRY(const Named receiver, draft_.names.resolve(form.receiver, source_, use_));
  const Segment& last = form.receiver.segments.back();
  if (!catalog::is_text(receiver.property->type))
    return source_.refused(last.at, last.name,
                           text::quoted(last.name) + " is " + catalog::name(receiver.property->type) +
                               "; Contains, StartsWith and EndsWith are for texts");
  const Expression& place = form.argument.front();
  CALLISTO_TRY(Side argument, side(place));
  Constant constant;
  if (auto* value = std::get_if<Constant>(&argument)) constant = std::move(*value);
  else if (const Literal& text = *std::get<const Literal*>(argument); text.kind == Literal::Kind::Text)
    constant.value = text.text;
  else if (text.kind == Literal::Kind::Null || text.kind == Literal::Kind::Any)
    return always(false);  // contains nothing
  else return mismatch(receiver, place);
  if (!catalog::is_text(constant.type)) return mismatch(receiver, place);
  constant.position = position_of(place);
  Predicate result;
  result.kind = Kind::Text;
  result.text_op = form.op;
  result.left = receiver.path;
  result.right = add_constant(draft_.plan, std::move(constant), *receiver.property);
  return result;
}

}  // namespace callisto::query
