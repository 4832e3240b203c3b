#include "engine/query/index_cover.h"

#include "engine/catalog/index_rows.h"
#include "engine/catalog/type_index.h"
#include "engine/query/index_terms.h"

#include <algorithm>
#include <utility>

namespace callisto::query {

using catalog::Property;
using Kind = Predicate::Kind;

namespace {

const Property* asked_property(const Plan& plan, const Predicate& term) {
  const Property* equal = equal_property(term);
  return equal ? equal : indexable_property(plan, term);
}

// Its first parts by their values, and the next one by what else is asked of it.
Seek lead_in(const Plan& plan, const catalog::Index& index) {
  Seek led = values_of(plan, index, 0, index.parts.size());
  if (led.size() == index.parts.size()) return led;
  for (const Predicate* term : terms_of(plan)) {
    const Property* asked = asked_property(plan, *term);
    if (asked && same_column(asked, index.parts[led.size()].property)) {
      const Seek ends = with_its_like(plan, term);
      led.insert(led.end(), ends.begin(), ends.end());
      return led;
    }
  }
  return led;
}

bool holds_all_asked(const Plan& plan, const catalog::Index& index) {
  const auto terms = terms_of(plan);
  return std::all_of(terms.begin(), terms.end(), [&](const Predicate* term) {
    const Property* asked = asked_property(plan, *term);
    return asked && holds(index, *asked);
  });
}

// What a group is made of and comes to.
bool holds_groups(const Plan& plan, const catalog::Index& index) {
  const auto is_held = [&](const Path& path) { return is_own(path) && holds(index, *path.property); };
  return std::all_of(plan.columns.begin(), plan.columns.end(), is_held) &&
         std::all_of(plan.grouping->aggregates.begin(), plan.grouping->aggregates.end(),
                     [&](const Aggregate& each) { return is_held(each.path); });
}

}  // namespace

bool is_in_index(const Plan& plan, const Seek& seek) {
  bool is_held = false;
  for_each_index(*plan.entity, [&](const catalog::Index& index) {
    if (catalog::type_of(index, *plan.entity) || lead_in(plan, index) != seek) return;
    is_held = is_held || (holds_all_asked(plan, index) && holds_groups(plan, index));
  });
  return is_held;
}

bool has_all_asked(const Plan& plan) {
  bool has_all = false;
  for_each_index(*plan.entity, [&](const catalog::Index& index) {
    const bool is_whole = index.set.empty() && !catalog::is_of_values_alone(plan.entity->root(), index);
    has_all = has_all || (plan.filter && is_whole && holds_all_asked(plan, index));
  });
  return has_all;
}

namespace {

// The index begins with what the groups are of, and holds all that is asked of their rows.
bool is_in_order_of_groups(const Plan& plan, const catalog::Index& index) {
  const auto is_grouped = [&](const catalog::Index::Part& part) {
    return std::any_of(plan.columns.begin(), plan.columns.end(),
                       [&](const Path& path) { return same_column(path.property, part.property); });
  };
  const auto end = std::find_if_not(index.parts.begin(), index.parts.end(), is_grouped);
  const bool begins = static_cast<std::size_t>(end - index.parts.begin()) >= plan.columns.size();
  return begins && holds_all_asked(plan, index) && holds_groups(plan, index);
}

}  // namespace

bool has_groups_in_order(const Plan& plan) {
  bool has_order = false;
  for_each_index(*plan.entity,
                 [&](const catalog::Index& index) { has_order = has_order || is_in_order_of_groups(plan, index); });
  return has_order;
}

const catalog::Entity* type_of_groups(const Plan& plan) {
  const catalog::Entity* type = nullptr;
  for_each_index(*plan.entity, [&](const catalog::Index& index) {
    if (!type && is_in_order_of_groups(plan, index)) type = catalog::type_of(index, *plan.entity);
  });
  return type;
}

bool gives_groups(const Plan& plan, const Seek& seek) {
  bool gives = false;
  for_each_index(*plan.entity, [&](const catalog::Index& index) {
    const bool is_led = asks_for(plan, seek, *index.parts.front().property);
    gives = gives || (is_led && is_in_order_of_groups(plan, index));
  });
  return gives;
}

Seek lead_of_cover(const Plan& plan) {
  Seek best;
  if (!plan.joins.empty() || plan.grouping || plan.names_deleted || plan.partition) return best;
  const Seek terms = terms_of(plan);
  for_each_index(*plan.entity, [&](const catalog::Index& index) {
    if (catalog::type_of(index, *plan.entity)) return;
    const bool has_rows = std::all_of(index.set.begin(), index.set.end(),
                                      [&](const Property* set) { return asks_for(plan, terms, *set); });
    if (!has_rows || !holds_all_asked(plan, index)) return;
    Seek led = lead_in(plan, index);
    const bool may_lack_rows = led.empty() || led.front()->kind == Kind::IsNull;  // an index may be of values alone
    if (!may_lack_rows && led.size() > best.size()) best = std::move(led);
  });
  return best;
}

}  // namespace callisto::query
