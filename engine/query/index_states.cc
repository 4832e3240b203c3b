#include "engine/query/index_states.h"

#include "engine/catalog/type_index.h"
#include "engine/query/index_seek.h"
#include "engine/query/index_terms.h"

#include <algorithm>
#include <initializer_list>

namespace callisto::query {
namespace {

using Kind = Predicate::Kind;
using catalog::Property;
using Properties = std::vector<const Property*>;

// Of the searched record; null: the term asks for no range.
const Property* ranged_property(const Predicate& term) {
  const auto* path = std::get_if<Path>(&term.left);
  const bool is_range = term.kind == Kind::Compare && term.op != CompareOp::Equal && term.op != CompareOp::NotEqual &&
                        std::holds_alternative<ConstantRef>(term.right);
  return is_range && path && is_own(*path) ? path->property : nullptr;
}

bool is_among(const Properties& properties, const Property* property) {
  return std::any_of(properties.begin(), properties.end(),
                     [&](const Property* each) { return same_column(each, property); });
}

// Its first parts are `equal`, each of them, and then come the others. It has all rows that may be asked for.
bool leads_to(const catalog::Index& index, const Properties& equal, std::initializer_list<const Property*> then) {
  if (index.parts.size() < equal.size() + then.size()) return false;
  const auto rest = index.parts.begin() + static_cast<std::ptrdiff_t>(equal.size());
  return std::all_of(index.parts.begin(), rest, [&](const auto& part) { return is_among(equal, part.property); }) &&
         std::equal(then.begin(), then.end(), rest,
                    [](const Property* wanted, const auto& part) { return same_column(wanted, part.property); }) &&
         std::all_of(index.set.begin(), index.set.end(), [&](const Property* set) { return is_among(equal, set); });
}

constexpr std::size_t most_walks = 16;

// Of no known state; those are ascending, at least one, and small numbers (catalog.h).
std::vector<States> others_than(const std::vector<std::int64_t>& known) {
  std::vector<States> others{{}, {{}, std::nullopt, known.front() - 1}};  // null first
  for (std::size_t i = 1; i < known.size(); ++i)
    if (known[i] - 1 > known[i - 1]) others.push_back({{}, known[i - 1] + 1, known[i] - 1});
  others.push_back({{}, known.back() + 1, std::nullopt});
  return others;
}

StatesBetween all_states(const catalog::StateSet& states) {
  std::vector<std::int64_t> known;
  for (const catalog::State& state : states.states) known.push_back(state.value);
  std::sort(known.begin(), known.end());
  StatesBetween all{states.property, others_than(known), {{known, {}, {}}}};
  all.together.insert(all.together.end(), all.apart.begin(), all.apart.end());
  for (const std::int64_t each : known) all.apart.push_back({{each}, {}, {}});
  return all;
}

// Asks something of the row itself to which no index leads, such as words.
bool is_passed_over(const Plan& plan, const Predicate& term) {
  const auto* path = std::get_if<Path>(&term.left);
  const bool is_asked =
      term.kind == Kind::Text || term.kind == Kind::Flag || term.kind == Kind::Compare || term.kind == Kind::OneOf;
  if (!is_asked || !path || !is_own(*path) || path->property->is_key) return false;
  const catalog::StateSet& states = *plan.entity->states;
  return !has_own_index(*path->property) && !same_column(path->property, states.property);
}

// What the filter asks to be equal; nothing where it asks for more than that and a range of `next`.
std::optional<Properties> equal_beside(const Plan& plan, const Property& next, Others others) {
  Properties equal;
  for (const Predicate* term : terms_of(plan)) {
    const Property* ranged = ranged_property(*term);
    if (ranged && same_column(ranged, &next)) continue;
    if (others == Others::PassedOver && is_passed_over(plan, *term)) continue;
    const Property* property = equal_property(*term);
    if (!property || term->kind == Kind::IsNull) return std::nullopt;
    equal.push_back(property);
  }
  return equal;
}

std::optional<StatesBetween> states_before(const Plan& plan, const Property& next, Others others) {
  const catalog::Entity& entity = *plan.entity;
  if (!entity.states || !plan.joins.empty() || plan.grouping || plan.names_deleted) return std::nullopt;
  StatesBetween found = all_states(*entity.states);
  if (found.apart.size() > most_walks) return std::nullopt;
  const auto asked = equal_beside(plan, next, others);
  if (!asked || (others == Others::PassedOver && asked->empty())) return std::nullopt;
  const Properties& equal = *asked;
  bool is_between = false, is_direct = equal.empty() && (next.is_key || has_own_index(next));
  for_each_index(entity, [&](const catalog::Index& index) {
    if (catalog::type_of(index, entity)) return;  // the walks do not say that they go by it
    is_between = is_between || leads_to(index, equal, {found.state, &next});
    is_direct = is_direct || leads_to(index, equal, {&next});
  });
  return is_between && !is_direct ? std::optional(std::move(found)) : std::nullopt;
}

}  // namespace

std::optional<StatesBetween> states_before_order(const Plan& plan, Others others) {
  const bool is_all_own =
      std::all_of(plan.order.begin(), plan.order.end(), [](const SortKey& key) { return is_own(key.path); });
  if (plan.order.empty() || !is_all_own) return std::nullopt;
  const Property& first = *plan.order.front().path.property;
  auto states = states_before(plan, first, Others::None);
  return states || others == Others::None ? std::move(states) : states_before(plan, first, others);
}

std::optional<StatesBetween> states_before_range(const Plan& plan) {
  for (const Predicate* term : terms_of(plan))
    if (const Property* ranged = ranged_property(*term)) return states_before(plan, *ranged, Others::None);
  return std::nullopt;
}

}  // namespace callisto::query
