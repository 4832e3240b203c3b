#include "engine/query/index_terms.h"

#include <algorithm>

namespace callisto::query {
namespace {

using Kind = Predicate::Kind;
using catalog::Property;

constexpr std::size_t most_values = 32;  // of one term: more are no list that an index is walked by

// Of the searched record itself; null: of another.
const Property* own_property(const Operand& operand) {
  const auto* path = std::get_if<Path>(&operand);
  if (!path || !path->property || !is_own(*path)) return nullptr;
  return path->property->mirror_of ? path->property->mirror_of : path->property;
}

bool is_whole_number(catalog::DataType type) { return type == catalog::DataType::Lookup || catalog::is_whole(type); }

bool is_same_literal(const Plan& plan, ConstantRef left, ConstantRef right) {
  const Constant &a = plan.constants[left.index], &b = plan.constants[right.index];
  return !a.augmenter && !b.augmenter && a.value == b.value;
}

// Whole numbers alone: of others two constants may look different and be equal.
bool add_value(const Plan& plan, ConstantRef value, std::vector<ConstantRef>& values) {
  if (!is_whole_number(plan.constants[value.index].type) || values.size() == most_values) return false;
  if (std::none_of(values.begin(), values.end(),
                   [&](ConstantRef known) { return is_same_literal(plan, known, value); }))
    values.push_back(value);
  return true;
}

// The property that a term compares with constants in a way that an index answers.
const Property* sought_property(const Predicate& term) {
  const bool is_compared =
      term.kind == Kind::Compare && term.op != CompareOp::NotEqual && std::holds_alternative<ConstantRef>(term.right);
  if (is_compared || term.kind == Kind::OneOf) return own_property(term.left);
  // Texts that begin so lie between two texts.
  const bool is_beginning = term.kind == Kind::Text && term.text_op == TextOp::StartsWith;
  const Property* property = is_beginning ? own_property(term.left) : nullptr;
  return property && property->indexed ? property : nullptr;
}

}  // namespace

std::vector<const Predicate*> terms_of(const Predicate& filter) {
  if (filter.kind != Kind::And) return {&filter};
  std::vector<const Predicate*> all;
  for (const Predicate& child : filter.children) all.push_back(&child);
  return all;
}

std::vector<const Predicate*> terms_of(const Plan& plan) {
  return plan.filter ? terms_of(*plan.filter) : std::vector<const Predicate*>();
}

bool is_own(const Path& path) { return path.source == 0 && path.hops.empty() && !path.guarded; }

bool same_column(const Property* left, const Property* right) { return left->column == right->column; }

const Property* equal_property(const Predicate& term) {
  const bool is_equality = term.kind == Kind::IsNull || (term.kind == Kind::Compare && term.op == CompareOp::Equal &&
                                                         std::holds_alternative<ConstantRef>(term.right));
  const Property* property = own_property(term.left);
  const bool is_flag = term.kind == Kind::Flag && property && !property->stored.is_text();
  return is_equality || is_flag ? property : nullptr;
}

const Property* listed_property(const Plan& plan, const Predicate& term, std::vector<ConstantRef>& values) {
  const auto add = [&](ConstantRef value) { return add_value(plan, value, values); };
  if (term.kind == Kind::OneOf) {
    const Property* property = own_property(term.left);
    return property && std::all_of(term.values.begin(), term.values.end(), add) ? property : nullptr;
  }
  if (term.kind == Kind::Compare) {
    const Property* property = equal_property(term);
    return property && add(std::get<ConstantRef>(term.right)) ? property : nullptr;
  }
  if (term.kind != Kind::Or) return nullptr;
  const Property* first = nullptr;
  for (const Predicate& child : term.children) {
    const Property* property = listed_property(plan, child, values);
    if (!property || (first && property != first)) return nullptr;
    first = property;
  }
  return first;
}

const Property* indexable_property(const Plan& plan, const Predicate& term) {
  if (const Property* property = sought_property(term)) return property;
  std::vector<ConstantRef> ignored;
  return listed_property(plan, term, ignored);
}

const Property* valued_property(const Plan& plan, const Predicate& term) {
  if (term.kind == Kind::IsNull) return nullptr;
  if (const Property* property = equal_property(term)) return property;
  std::vector<ConstantRef> ignored;
  return listed_property(plan, term, ignored);
}

const Property* looked_through(const Predicate& term) {
  const auto* path = std::get_if<Path>(&term.left);
  const bool is_test =
      term.kind == Kind::OneOf || term.kind == Kind::Text || term.kind == Kind::Flag ||
      (term.kind == Kind::Compare && term.op != CompareOp::NotEqual && std::holds_alternative<ConstantRef>(term.right));
  const bool is_lookup = path && path->source == 0 && !path->hops.empty() && !path->guarded;
  return is_test && is_lookup ? path->hops.front() : nullptr;
}

const Predicate* value_term(const Plan& plan, const Property& property) {
  for (const Predicate* term : terms_of(plan))
    if (const Property* valued = valued_property(plan, *term); valued && same_column(valued, &property)) return term;
  return nullptr;
}

std::vector<const Predicate*> values_of(const Plan& plan, const catalog::Index& index, std::size_t part,
                                        std::size_t end) {
  std::vector<const Predicate*> terms;
  for (; part < end; ++part) {
    const Predicate* const term = value_term(plan, *index.parts[part].property);
    if (!term) break;
    terms.push_back(term);
  }
  return terms;
}

bool is_range(const Predicate& term) {
  return term.kind == Kind::Compare && term.op != CompareOp::Equal && term.op != CompareOp::NotEqual;
}

namespace {

bool is_from(const Predicate& term) { return term.op == CompareOp::Greater || term.op == CompareOp::GreaterEqual; }

std::vector<const Predicate*> terms_through(const Plan& plan, const Property& lookup) {
  std::vector<const Predicate*> terms;
  for (const Predicate* term : terms_of(plan))
    if (looked_through(*term) == &lookup) terms.push_back(term);
  return terms;
}

}  // namespace

std::vector<const Predicate*> with_its_like(const Plan& plan, const Predicate* term) {
  if (const Property* lookup = looked_through(*term)) return terms_through(plan, *lookup);
  const Property* property = is_range(*term) ? indexable_property(plan, *term) : nullptr;
  if (!property) return {term};
  for (const Predicate* other : terms_of(plan)) {
    const bool is_other_end = is_range(*other) && is_from(*other) != is_from(*term);
    const Property* of_other = is_other_end ? indexable_property(plan, *other) : nullptr;
    if (!of_other || !same_column(of_other, property)) continue;
    return is_from(*term) ? std::vector{term, other} : std::vector{other, term};
  }
  return {term};
}

bool holds(const catalog::Index& index, const Property& property) {
  const auto is_it = [&](const Property* each) { return same_column(each, &property); };
  return std::any_of(index.covers.begin(), index.covers.end(), is_it) ||
         std::any_of(index.parts.begin(), index.parts.end(), [&](const auto& part) { return is_it(part.property); });
}

}  // namespace callisto::query
