#include "engine/query/bind/filter.h"

#include "engine/base/text.h"
#include "engine/query/parse/parse.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace callisto::query {

using catalog::AugmenterKind;
using Kind = Predicate::Kind;

Result<Predicate> FilterBinder::predicate(const Expression& expression) {
  if (const auto* form = std::get_if<Connective>(&expression.form)) return connective(*form);
  if (const auto* form = std::get_if<Comparison>(&expression.form)) return comparison(*form);
  if (const auto* form = std::get_if<Membership>(&expression.form)) return one_of(*form);
  if (const auto* form = std::get_if<ListMethod>(&expression.form)) return list_test(*form, expression);
  if (const auto* form = std::get_if<Method>(&expression.form)) return text_method(*form);
  if (const auto* form = std::get_if<PathName>(&expression.form)) return flag(*form, expression);
  if (const auto* form = std::get_if<Literal>(&expression.form)) return literal_flag(*form, expression);
  if (const auto* form = std::get_if<Call>(&expression.form)) return condition(*form, expression);
  Predicate negation;
  negation.kind = Kind::Not;
  CALLISTO_TRY(Predicate child, predicate(std::get<Negation>(expression.form).child.front()));
  negation.children.push_back(std::move(child));
  return negation;
}

// Conditions and parentheses bring in connectives of the same kind; they join the list (SQLite's parser stack is
// small).
Result<Predicate> FilterBinder::connective(const Connective& form) {
  Predicate all;
  all.kind = form.conjunction ? Kind::And : Kind::Or;
  all.children.reserve(form.children.size());
  for (const Expression& each : form.children) {
    CALLISTO_TRY(Predicate child, predicate(each));
    if (child.kind == all.kind)
      std::move(child.children.begin(), child.children.end(), std::back_inserter(all.children));
    else all.children.push_back(std::move(child));
  }
  return all;
}

Result<Predicate> FilterBinder::flag(const PathName& path, const Expression& whole) {
  CALLISTO_TRY(Named named, draft_.names.resolve(path, source_, use_));
  if (named.property->type != catalog::DataType::Boolean)
    return source_.refused(whole.at, text_of(whole),
                           text::quoted(text_of(whole)) + " is " + catalog::name(named.property->type) +
                               " and no condition; compare it with something",
                           {}, {"a comparison", "a Boolean property"});
  Predicate result;
  result.kind = Kind::Flag;
  result.left = std::move(named.path);
  return result;
}

Result<Predicate> FilterBinder::literal_flag(const Literal& literal, const Expression& whole) const {
  if (literal.kind != Literal::Kind::Boolean && literal.kind != Literal::Kind::Any)
    return source_.refused(
        whole.at, text_of(whole),
        "the literal " + text::quoted(text_of(whole)) + " is no condition; compare a property with it", {},
        {"a comparison", "a Boolean property"});
  Predicate result;
  result.constant_value = literal.boolean;
  return result;
}

Result<Predicate> FilterBinder::condition(const Call& call, const Expression& whole) {
  CALLISTO_TRY(const catalog::Augmenter* found, augmenter(call, whole));
  if (found->kind != AugmenterKind::Condition)
    return source_.refused(whole.at, text_of(whole),
                           "@" + found->name +
                               " yields a value and is no condition; compare a property "
                               "with it",
                           {}, {"a comparison", "a condition augmenter"});
  CALLISTO_TRY(const std::vector<Value> given, arguments(*found, call, whole));
  if (found->of_states) return in_states(std::get<std::string>(given.front()), whole);
  if (found->name == catalog::system::deleted_condition && expanding_.empty()) draft_.plan.names_deleted = true;
  return expand(*found, whole);
}

// A condition is its own text, bound on the same entity. What is wrong in it is told at the place that named it.
Result<Predicate> FilterBinder::expand(const catalog::Augmenter& condition, const Expression& whole) {
  const std::string label = "@" + condition.name;
  auto unusable = [&](const std::string& why) {
    return source_.refused(whole.at, text_of(whole),
                           label + " cannot be used on " + draft_.plan.entity->name + ": " + why);
  };
  if (std::find(expanding_.begin(), expanding_.end(), &condition) != expanding_.end())
    return unusable("its filter leads back to itself");
  const Source inner_source(label, condition.filter);
  FilterBinder inner(draft_, inner_source, Use::Own);
  inner.outer_position_ = position_of(whole);
  inner.expanding_ = expanding_;
  inner.expanding_.push_back(&condition);
  auto parsed = parse_filter(inner_source, draft_.limits);
  if (!parsed) return unusable(parsed.error().message);
  auto bound = inner.predicate(*parsed);
  if (bound || !bound.error().is_refusal()) return bound;
  return unusable(bound.error().message);
}

Result<void> bind_filter(Draft& draft, const Source& source, Use use) {
  CALLISTO_TRY(const Expression root, parse_filter(source, draft.limits));
  CALLISTO_TRY(draft.plan.filter, FilterBinder(draft, source, use).predicate(root));
  return {};
}

}  // namespace callisto::query
