#include "engine/query/index_advice.h"

#include "engine/query/index_seek.h"
#include "engine/query/index_terms.h"

#include <algorithm>
#include <cstddef>

namespace callisto::query {
namespace {

using Kind = Predicate::Kind;
using catalog::Entity;
using catalog::Index;
using catalog::Property;

constexpr std::size_t most_parts = 4;

bool has(const std::vector<Index::Part>& parts, const Property* property) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const Index::Part& part) { return part.property->column == property->column; });
}

void add(std::vector<Index::Part>& parts, const Property* property, bool descending = false) {
  if (parts.size() < most_parts && !has(parts, property)) parts.push_back({property, descending});
}

// Of the searched record itself, and kept as it is compared; null: none of these.
const Property* own(const Operand& operand) {
  const auto* path = std::get_if<Path>(&operand);
  if (!path || path->source != 0 || !path->hops.empty()) return nullptr;
  const Property* property = path->property->mirror_of ? path->property->mirror_of : path->property;
  const bool is_plain = property->type != catalog::DataType::Binary && property->type != catalog::DataType::RichText;
  return is_plain && !property->sealed ? property : nullptr;
}

// The property that is asked to equal one of a few values, or to be null; null: it is something else.
const Property* equal_in(const Predicate& term) {
  if (term.kind == Kind::IsNull || term.kind == Kind::OneOf || term.kind == Kind::Flag) return own(term.left);
  if (term.kind == Kind::Compare && term.op == CompareOp::Equal && std::holds_alternative<ConstantRef>(term.right))
    return own(term.left);
  if (term.kind != Kind::Or) return nullptr;
  const Property* first = equal_in(term.children.front());
  const bool same = std::all_of(term.children.begin(), term.children.end(),
                                [&](const Predicate& child) { return equal_in(child) == first; });
  return same ? first : nullptr;
}

const Property* range_in(const Predicate& term) {
  const bool is_range = term.kind == Kind::Compare && term.op != CompareOp::Equal && term.op != CompareOp::NotEqual &&
                        std::holds_alternative<ConstantRef>(term.right);
  return is_range || (term.kind == Kind::Text && term.text_op == TextOp::StartsWith) ? own(term.left) : nullptr;
}

// By how many parts an index that there is begins as this one does, whatever the order of those that are asked to
// equal.
std::size_t led_by(const Index& index, const std::vector<Index::Part>& parts) {
  std::size_t count = 0;
  while (count < index.parts.size() && count < parts.size() && has(parts, index.parts[count].property)) ++count;
  return count;
}

bool is_there(const Entity& entity, const std::vector<Index::Part>& parts) {
  for (const Entity* each = &entity; each; each = each->parent)
    for (const Index& index : each->indexes)
      if (led_by(index, parts) == parts.size()) return true;
  return parts.size() == 1 && has_own_index(*parts.front().property);
}

// The farthest ancestor that has all of them: what is said there serves all that extend it.
const Entity* owner_of(const Entity& entity, const std::vector<Index::Part>& parts) {
  const auto has_all = [&](const Entity& each) {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const Index::Part& part) { return each.find_property(part.property->name) != nullptr; });
  };
  const Entity* owner = &entity;
  while (owner->parent && has_all(*owner->parent)) owner = owner->parent;
  return owner;
}

}  // namespace

std::string IndexAdvice::line() const {
  std::string text;
  for (const Index::Part& part : parts)
    text += (text.empty() ? "\"" : ", \"") + part.property->name + (part.descending ? " desc\"" : "\"");
  return "index { " + text + " }";
}

std::optional<IndexAdvice> advice_on(const Plan& plan) {
  if (!plan.joins.empty()) return std::nullopt;
  IndexAdvice advice;
  const auto terms = terms_of(plan);
  for (const Predicate* term : terms) {
    const Property* property = equal_in(*term);
    if (property && property->is_key) return std::nullopt;  // one row or few
    if (property && property->name != catalog::system::is_deleted) add(advice.parts, property);
  }
  // Behind them the order of the page; where rows are counted or come in the order of their keys, a range.
  const Property* order = plan.count || plan.grouping || plan.order.empty() ? nullptr : own(plan.order.front().path);
  if (order && !order->is_key) add(advice.parts, order);
  else if (plan.count || plan.grouping || !plan.order.empty())
    for (const Predicate* term : terms)
      if (const Property* property = range_in(*term)) add(advice.parts, property);
  const bool sorts_by_another = !plan.count && !plan.grouping && !plan.order.empty() && !order;
  if (advice.parts.empty() || (sorts_by_another && advice.parts.size() < 2)) return std::nullopt;
  advice.entity = owner_of(*plan.entity, advice.parts);
  return is_there(*plan.entity, advice.parts) ? std::nullopt : std::optional(advice);
}

}  // namespace callisto::query
