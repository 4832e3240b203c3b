#include "engine/base/text.h"
#include "engine/query/bind/filter.h"
#include "engine/query/bind_types.h"

#include <algorithm>
#include <utility>

namespace callisto::query {

namespace {

using Kind = Predicate::Kind;

bool is_never(const Predicate& predicate) { return predicate.kind == Kind::Always && !predicate.constant_value; }

// What one value of a list asks joins what those before it ask: comparisons with constants become one.
void add(Predicate& constants, std::vector<Predicate>& others, Predicate equal) {
  const auto* constant = std::get_if<ConstantRef>(&equal.right);
  if (equal.kind == Kind::Compare && constant) {
    constants.left = std::move(equal.left);
    constants.values.push_back(*constant);
  } else if (!is_never(equal) && std::find(others.begin(), others.end(), equal) == others.end()) {
    others.push_back(std::move(equal));
  }
}

Predicate joined(Predicate constants, std::vector<Predicate> others) {
  if (constants.values.size() == 1) {
    constants.kind = Kind::Compare;
    constants.right = constants.values.front();
    constants.values.clear();
  }
  if (constants.kind == Kind::Compare || !constants.values.empty()) others.insert(others.begin(), std::move(constants));
  Predicate any;
  any.constant_value = !others.empty();
  if (others.empty()) return any;
  if (others.size() == 1) return std::move(others.front());
  any.kind = Kind::Or;
  any.children = std::move(others);
  return any;
}

}  // namespace

// Decision 0038: equal to one of the values, each by the rules of `==`.
Result<Predicate> FilterBinder::one_of(const Membership& form) {
  const Expression& place = form.member.front();
  const auto* path = std::get_if<PathName>(&place.form);
  if (!path)
    return source_.refused(
        place.at, text_of(place),
        text::quoted(text_of(place)) + " is no property; 'in' asks whether a property has one of " + "several values",
        {}, {"a property"});
  CALLISTO_TRY(const Named member, draft_.names.resolve(*path, source_, use_));
  Predicate constants;
  constants.kind = Kind::OneOf;
  std::vector<Predicate> others;
  for (const Expression& value : form.values) {
    CALLISTO_TRY(Predicate each, equal(member, value, form));
    add(constants, others, std::move(each));
  }
  Predicate any = joined(std::move(constants), std::move(others));
  if (!form.negated) return any;
  Predicate none;
  none.kind = Kind::Not;
  none.children.push_back(std::move(any));
  return none;
}

Result<Predicate> FilterBinder::equal(const Named& member, const Expression& value, const Membership& form) {
  const Comparison comparison{CompareOp::Equal, form.op_at, {}};
  auto right = side(value);
  if (!right) return unquoted(member, value, std::move(right).error());
  if (const auto* literal = std::get_if<const Literal*>(&*right))
    return with_literal(member, CompareOp::Equal, **literal, comparison, value);
  if (auto* constant = std::get_if<Constant>(&*right))
    return with_call(member, CompareOp::Equal, std::move(*constant), comparison, value);
  return with_path(member, CompareOp::Equal, std::get<Named>(*right), comparison);
}

}  // namespace callisto::query
