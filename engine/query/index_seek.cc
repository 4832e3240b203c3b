#include "engine/query/index_seek.h"

#include "engine/catalog/index_rows.h"
#include "engine/catalog/type_index.h"
#include "engine/query/index_choice.h"
#include "engine/query/index_states.h"
#include "engine/query/index_terms.h"

#include <algorithm>

namespace callisto::query {
namespace {

using Kind = Predicate::Kind;
using catalog::Property;

bool is_unique(const Plan& plan, const Property& property) {
  return property.name == catalog::system::id || (property.is_key && plan.entity->key.size() == 1);
}

}  // namespace

bool has_own_index(const Property& property) {
  return property.indexed || property.leads_index ||
         (property.type == catalog::DataType::Lookup && !property.unindexed);
}

namespace {

// An index leads to the property's values in the searched rows. That of a key of several parts begins with the first.
bool leads_to_rows(const Plan& plan, const Property& property) {
  return property.is_key ? &property == plan.entity->key.front() : has_own_index(property);
}

}  // namespace

bool has_seek(const Plan& plan) {
  const auto terms = terms_of(plan);
  return std::any_of(terms.begin(), terms.end(), [&](const Predicate* term) {
    const Property* property = indexable_property(plan, *term);
    return property && leads_to_rows(plan, *property);
  });
}

namespace {

// `||` of different properties, to each of which an index leads.
bool is_seek_of_several(const Plan& plan, const Predicate& term) {
  return term.kind == Kind::Or && std::all_of(term.children.begin(), term.children.end(), [&](const Predicate& child) {
           const Property* property = indexable_property(plan, child);
           return property && leads_to_rows(plan, *property);
         });
}

// How many parts of an index its terms ask for.
std::size_t parts_of(const Seek& seek) {
  const auto beyond_one = [](std::ptrdiff_t terms) { return terms > 1 ? static_cast<std::size_t>(terms - 1) : 0; };
  const auto is_end = [](const Predicate* term) { return !looked_through(*term) && is_range(*term); };
  const auto is_through = [](const Predicate* term) { return looked_through(*term) != nullptr; };
  return seek.size() - beyond_one(std::count_if(seek.begin(), seek.end(), is_end)) -
         beyond_one(std::count_if(seek.begin(), seek.end(), is_through));
}

void add_new(std::vector<Seek>& all, Seek seek) {
  if (std::find(all.begin(), all.end(), seek) == all.end()) all.push_back(std::move(seek));
}

// The terms that lead in the index to `property`, and those of the parts around it.
Seek led_through(const Plan& plan, const catalog::Index& index, const Predicate* term, const Property& property) {
  Seek led;
  bool is_met = false;
  for (const catalog::Index::Part& part : index.parts) {
    const bool is_own = same_column(part.property, &property);
    const Predicate* const value = is_own ? nullptr : value_term(plan, *part.property);
    if (!is_own && !value) break;
    is_met = is_met || is_own;
    const Seek leading = is_own ? with_its_like(plan, term) : Seek{value};
    led.insert(led.end(), leading.begin(), leading.end());
    const bool is_last = !valued_property(plan, *term) && !looked_through(*term) && term->kind != Kind::IsNull;
    if (is_own && is_last) break;  // behind a range nothing leads
  }
  return is_met ? led : Seek();
}

// By the index that leads furthest.
Seek furthest(const Plan& plan, const Predicate* term, const Property& property) {
  Seek best = with_its_like(plan, term);
  for_each_index(*plan.entity, [&](const catalog::Index& index) {
    Seek led = led_through(plan, index, term, property);
    if (led.size() > best.size()) best = std::move(led);
  });
  return best;
}

// Where the walk in order finds the property in its own index, it reads no row in vain, and only few rows are worth
// sorting: those that the term alone leads to.
Seek seek_of(const Plan& plan, const std::optional<IndexChoice>& in_order, const Predicate* term,
             const Property& property) {
  return in_order && holds(*in_order->index, property) ? with_its_like(plan, term) : furthest(plan, term, property);
}

// A term that asks for null, where an index of all rows has the property, behind values alone: that of most lookups has
// only the rows in which they are set.
const Property* null_with_index(const Plan& plan, const Predicate& term) {
  const Property* property = term.kind == Kind::IsNull ? equal_property(term) : nullptr;
  if (!property || property->indexed) return property;
  bool has_all = false;
  for (const catalog::Entity* each = plan.entity; each; each = each->parent)
    for (const catalog::Index& index : each->indexes) {
      const std::size_t led = values_of(plan, index, 0, index.parts.size()).size();
      const bool is_next = led < index.parts.size() && same_column(index.parts[led].property, property);
      const bool is_whole = index.set.empty() && (led > 0 || !catalog::is_of_values_alone(*each, index));
      has_all = has_all || (is_next && is_whole);
    }
  return has_all ? property : nullptr;
}

}  // namespace

std::vector<Seek> seeks_beside_order(const Plan& plan) {
  std::vector<Seek> seeks, through, nulls;
  if (plan.order.empty() || !plan.joins.empty() || plan.names_deleted) return seeks;
  if (states_before_order(plan, Others::PassedOver)) return seeks;
  const bool has_order = order_has_index(plan);
  const auto choice = index_in_order(plan);
  const auto gives_order = [&](const Property& property) {
    return has_order && same_column(&property, plan.order.front().path.property);
  };
  for (const Predicate* term : terms_of(plan)) {
    const Property* property = indexable_property(plan, *term);
    if (!property) {
      const Property* lookup = looked_through(*term);
      const bool is_led = lookup && (has_own_index(*lookup) || is_behind_values(plan, *lookup));
      const bool is_below_key = value_term(plan, *plan.entity->key.front()) != nullptr;
      if (is_led && !is_below_key && !gives_order(*lookup)) add_new(through, furthest(plan, term, *lookup));
      const Property* null = null_with_index(plan, *term);
      if (null && !(choice && is_led_by(*choice, *null))) nulls.push_back(furthest(plan, term, *null));
      if (is_seek_of_several(plan, *term)) seeks.push_back({term});
      continue;
    }
    if (gives_order(*property)) continue;
    const bool is_equality = term->kind != Kind::Compare || term->op == CompareOp::Equal;
    if (is_equality && is_unique(plan, *property)) return {};
    const bool is_whole_key = property->is_key && plan.entity->key.size() == 1;
    if (is_whole_key || !leads_to_rows(plan, *property) || (choice && is_led_by(*choice, *property))) continue;
    add_new(seeks, seek_of(plan, choice, term, *property));
  }
  seeks.insert(seeks.end(), nulls.begin(), nulls.end());
  seeks.insert(seeks.end(), through.begin(), through.end());
  const bool has_choice = has_order || seeks.size() > 1;
  return has_choice ? seeks : std::vector<Seek>();
}

bool is_through_lookup(const Seek& seek) {
  return std::any_of(seek.begin(), seek.end(), [](const Predicate* term) { return looked_through(*term) != nullptr; });
}

bool has_null(const Seek& seek) {
  return std::any_of(seek.begin(), seek.end(), [](const Predicate* term) { return term->kind == Kind::IsNull; });
}

Seek lead_of_order(const Plan& plan) {
  const auto choice = index_in_order(plan);
  return choice ? values_of(plan, *choice->index, 0, choice->equal) : Seek();
}

bool asks_for(const Plan& plan, const Seek& seek, const Property& property) {
  const auto asks = [&](const Predicate& term) {
    const Property* lookup = looked_through(term);
    const Property* asked = lookup ? lookup : indexable_property(plan, term);
    return asked && same_column(asked, &property);
  };
  return std::any_of(seek.begin(), seek.end(), [&](const Predicate* term) {
    return asks(*term) || std::any_of(term->children.begin(), term->children.end(), asks);
  });
}

const catalog::Entity* type_led_by(const Plan& plan, const Seek& seek) {
  const catalog::Entity* type = nullptr;
  for_each_index(*plan.entity, [&](const catalog::Index& index) {
    if (type || seek.empty() || index.parts.size() < parts_of(seek)) return;
    const auto end = index.parts.begin() + static_cast<std::ptrdiff_t>(parts_of(seek));
    const bool leads =
        std::all_of(index.parts.begin(), end, [&](const auto& part) { return asks_for(plan, seek, *part.property); });
    if (leads) type = catalog::type_of(index, *plan.entity);
  });
  return type;
}

std::vector<Seek> seeks(const Plan& plan) {
  std::vector<Seek> lists(1);
  const auto choice = index_in_order(plan);
  for (const Predicate* term : terms_of(plan)) {
    const Property* equal = equal_property(*term);
    const Property* property = equal ? equal : indexable_property(plan, *term);
    if (!property) continue;
    if (equal && choice && is_led_by(*choice, *equal)) lists.front().push_back(term);
    else if (leads_to_rows(plan, *property)) add_new(lists, with_its_like(plan, term));
  }
  if (lists.front().empty()) lists.erase(lists.begin());
  return lists;
}

std::vector<Seek> ways_to_rows(const Plan& plan) {
  std::vector<Seek> ways;
  for (const Predicate* term : terms_of(plan)) {
    const Property* property = indexable_property(plan, *term);
    if (!property || !leads_to_rows(plan, *property)) continue;
    add_new(ways, furthest(plan, term, *property));
  }
  return ways;
}

Seek led_behind(const Plan& plan, const Property& property) {
  Seek best;
  for_each_index(*plan.entity, [&](const catalog::Index& index) {
    if (!same_column(index.parts.front().property, &property)) return;
    Seek led = values_of(plan, index, 1, index.parts.size());
    if (led.size() > best.size()) best = std::move(led);
  });
  return best;
}

bool is_behind_values(const Plan& plan, const Property& property) {
  bool is_behind = false;
  for_each_index(*plan.entity, [&](const catalog::Index& index) {
    const std::size_t count = values_of(plan, index, 0, index.parts.size()).size();
    is_behind |= count > 0 && count < index.parts.size() && same_column(index.parts[count].property, &property);
  });
  return is_behind;
}

}  // namespace callisto::query
