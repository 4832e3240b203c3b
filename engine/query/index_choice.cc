#include "engine/query/index_choice.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace callisto::query {
namespace {

using Kind = Predicate::Kind;
using catalog::Property;

constexpr std::size_t most_walks = 16;
constexpr std::size_t most_values = 32;  // of one term: more are no list that an index is walked by

std::vector<const Predicate*> terms_of(const Predicate& filter) {
  if (filter.kind != Kind::And) return {&filter};
  std::vector<const Predicate*> all;
  for (const Predicate& child : filter.children) all.push_back(&child);
  return all;
}

// Of the searched record itself; null: of another.
const Property* own_property(const Operand& operand) {
  const auto* path = std::get_if<Path>(&operand);
  if (!path || !path->property || path->source != 0 || !path->hops.empty() || path->guarded) return nullptr;
  return path->property->mirror_of ? path->property->mirror_of : path->property;
}

bool is_whole_number(catalog::DataType type) { return type == catalog::DataType::Lookup || catalog::is_whole(type); }

// The property that a term asks to equal one constant, or to be null.
const Property* equal_property(const Predicate& term) {
  const bool is_equality = term.kind == Kind::IsNull || (term.kind == Kind::Compare && term.op == CompareOp::Equal &&
                                                         std::holds_alternative<ConstantRef>(term.right));
  const Property* property = own_property(term.left);
  const bool is_flag = term.kind == Kind::Flag && property && !property->stored.is_text();
  return is_equality || is_flag ? property : nullptr;
}

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

// The property and its values, where the term is such a list.
const Property* collect(const Plan& plan, const Predicate& term, std::vector<ConstantRef>& values) {
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
    const Property* property = collect(plan, child, values);
    if (!property || (first && property != first)) return nullptr;
    first = property;
  }
  return first;
}

struct Terms {
  std::vector<const Property*> equal, null;  // of the first, those that are asked to be null
  std::vector<std::pair<const Property*, OneOfSeveral>> several;
};

Terms read_terms(const Plan& plan) {
  Terms terms;
  if (!plan.filter) return terms;
  for (const Predicate* term : terms_of(*plan.filter)) {
    OneOfSeveral list{term, {}};
    if (const Property* property = equal_property(*term)) {
      terms.equal.push_back(property);
      if (term->kind == Kind::IsNull) terms.null.push_back(property);
    } else if (const Property* of_list = collect(plan, *term, list.values); of_list && list.values.size() > 1) {
      terms.several.emplace_back(of_list, std::move(list));
    }
  }
  return terms;
}

bool same_column(const Property* left, const Property* right) { return left->column == right->column; }

// How far the filter's equalities lead in the index, if the order follows there.
std::optional<IndexChoice> led_by(const Plan& plan, const Terms& terms, const catalog::Index& index) {
  const SortKey& first = plan.order.front();
  if (first.path.source != 0 || !first.path.hops.empty() || first.path.guarded) return std::nullopt;
  IndexChoice choice{&index, 0, 0, {}};
  std::size_t walks = 1;
  for (const catalog::Index::Part& part : index.parts) {
    const auto is_part = [&](const Property* property) { return same_column(property, part.property); };
    if (std::any_of(terms.equal.begin(), terms.equal.end(), is_part)) {
      ++choice.equal;
      if (std::any_of(terms.null.begin(), terms.null.end(), is_part)) ++choice.null;
      continue;
    }
    if (is_part(first.path.property)) return choice;
    const auto list =
        std::find_if(terms.several.begin(), terms.several.end(), [&](const auto& each) { return is_part(each.first); });
    if (list == terms.several.end()) return std::nullopt;
    ++choice.equal;
    walks *= list->second.values.size();
    if (walks > most_walks) return std::nullopt;
    choice.walked.push_back(list->second);
  }
  return std::nullopt;
}

// What is null is seldom rare: it counts where nothing else tells two apart.
bool is_better(const IndexChoice& choice, const std::optional<IndexChoice>& known) {
  if (!known) return true;
  const std::size_t values = choice.equal - choice.null, known_values = known->equal - known->null;
  if (values != known_values) return values > known_values;
  if (choice.equal != known->equal) return choice.equal > known->equal;
  return choice.walked.size() < known->walked.size();
}

void choose_among(const catalog::Entity& entity, const Plan& plan, const Terms& terms,
                  std::optional<IndexChoice>& best) {
  for (const catalog::Index& index : entity.indexes)
    if (auto choice = led_by(plan, terms, index); choice && is_better(*choice, best)) best = std::move(choice);
  for (const catalog::Entity* child : entity.children) choose_among(*child, plan, terms, best);
}

Predicate equals(const Property* property, ConstantRef value) {
  Predicate term;
  term.kind = Kind::Compare;
  term.op = CompareOp::Equal;
  term.left = Path{0, {}, property};
  term.right = value;
  return term;
}

// The term for one of its values. What an augmenter gives may be what another one gave.
Predicate bound_to(const Plan& plan, const OneOfSeveral& list, std::size_t number) {
  std::vector<ConstantRef> ignored;
  const Property* property = collect(plan, *list.term, ignored);
  Predicate chosen = equals(property, list.values[number]);
  Predicate all;
  all.kind = Kind::And;
  all.children.push_back(chosen);
  for (std::size_t before = 0; before < number; ++before) {
    const bool may_be_same =
        plan.constants[list.values[before].index].augmenter || plan.constants[list.values[number].index].augmenter;
    if (!may_be_same) continue;
    Predicate other;
    other.kind = Kind::Not;
    other.children.push_back(equals(property, list.values[before]));
    all.children.push_back(std::move(other));
  }
  return all.children.size() == 1 ? chosen : all;
}

// `&&` of the terms, none of them an `&&` itself.
Predicate joined(std::vector<Predicate> terms) {
  Predicate all;
  all.kind = Kind::And;
  for (Predicate& term : terms) {
    if (term.kind != Kind::And) all.children.push_back(std::move(term));
    else std::move(term.children.begin(), term.children.end(), std::back_inserter(all.children));
  }
  return all.children.size() == 1 ? Predicate(all.children.front()) : all;
}

// The property that a term compares with constants in a way that an index answers.
const Property* sought_property(const Predicate& term) {
  const bool is_compared =
      term.kind == Kind::Compare && term.op != CompareOp::NotEqual && std::holds_alternative<ConstantRef>(term.right);
  return is_compared || term.kind == Kind::OneOf ? own_property(term.left) : nullptr;
}

bool is_unique(const Plan& plan, const Property& property) {
  return property.name == catalog::system::id || (property.is_key && plan.entity->key.size() == 1);
}

// What a term asks of one property in a way that an index answers.
const Property* indexable_property(const Plan& plan, const Predicate& term) {
  if (const Property* property = sought_property(term)) return property;
  std::vector<ConstantRef> ignored;
  return collect(plan, term, ignored);
}

}  // namespace

bool is_led_by(const IndexChoice& choice, const Property& property) {
  for (std::size_t part = 0; part < choice.equal; ++part)
    if (same_column(choice.index->parts[part].property, &property)) return true;
  return false;
}

bool has_own_index(const Property& property) {
  return property.indexed || property.leads_index ||
         (property.type == catalog::DataType::Lookup && !property.unindexed);
}

bool has_seek(const Plan& plan) {
  if (!plan.filter) return false;
  const auto terms = terms_of(*plan.filter);
  return std::any_of(terms.begin(), terms.end(), [&](const Predicate* term) {
    const Property* property = indexable_property(plan, *term);
    return property && (property->is_key || has_own_index(*property));
  });
}

namespace {

// `||` of different properties, to each of which an index leads.
bool is_seek_of_several(const Plan& plan, const Predicate& term) {
  return term.kind == Kind::Or && std::all_of(term.children.begin(), term.children.end(), [&](const Predicate& child) {
           const Property* property = indexable_property(plan, child);
           return property && (property->is_key || has_own_index(*property));
         });
}

}  // namespace

std::vector<const Predicate*> seeks_beside_order(const Plan& plan) {
  std::vector<const Predicate*> seeks;
  if (!plan.filter || plan.order.empty() || !plan.joins.empty() || plan.names_deleted) return seeks;
  const Path& first = plan.order.front().path;
  if (first.source != 0 || !first.hops.empty() || first.guarded) return seeks;
  const auto choice = index_in_order(plan);
  if (!choice && !first.property->is_key && !has_own_index(*first.property)) return seeks;
  for (const Predicate* term : terms_of(*plan.filter)) {
    const Property* property = indexable_property(plan, *term);
    if (!property) {
      if (is_seek_of_several(plan, *term)) seeks.push_back(term);
      continue;
    }
    if (same_column(property, first.property)) continue;
    const bool is_equality = term->kind != Kind::Compare || term->op == CompareOp::Equal;
    if (is_equality && is_unique(plan, *property)) return {};
    if (property->is_key || !has_own_index(*property) || (choice && is_led_by(*choice, *property))) continue;
    seeks.push_back(term);
  }
  return seeks;
}

std::vector<std::vector<const Predicate*>> seeks(const Plan& plan) {
  std::vector<std::vector<const Predicate*>> lists(1);
  if (!plan.filter) return {};
  const auto choice = index_in_order(plan);
  for (const Predicate* term : terms_of(*plan.filter)) {
    const Property* equal = equal_property(*term);
    const Property* property = equal ? equal : indexable_property(plan, *term);
    if (!property) continue;
    if (equal && choice && is_led_by(*choice, *equal)) lists.front().push_back(term);
    else if (property->is_key || has_own_index(*property)) lists.push_back({term});
  }
  if (lists.front().empty()) lists.erase(lists.begin());
  return lists;
}

namespace {

bool has_value(const Terms& terms, const Property& property) {
  const auto is_it = [&](const Property* each) { return same_column(each, &property); };
  const bool is_null = std::any_of(terms.null.begin(), terms.null.end(), is_it);
  return (!is_null && std::any_of(terms.equal.begin(), terms.equal.end(), is_it)) ||
         std::any_of(terms.several.begin(), terms.several.end(), [&](const auto& each) { return is_it(each.first); });
}

bool is_behind_values(const Terms& terms, const catalog::Entity& entity, const Property& property) {
  const auto has = [&](const catalog::Index& index) {
    auto part = index.parts.begin();
    while (part != index.parts.end() && has_value(terms, *part->property)) ++part;
    return part != index.parts.begin() && part != index.parts.end() && same_column(part->property, &property);
  };
  return std::any_of(entity.indexes.begin(), entity.indexes.end(), has) ||
         std::any_of(entity.children.begin(), entity.children.end(),
                     [&](const catalog::Entity* child) { return is_behind_values(terms, *child, property); });
}

}  // namespace

bool is_behind_values(const Plan& plan, const Property& property) {
  return is_behind_values(read_terms(plan), plan.entity->root(), property);
}

std::optional<IndexChoice> index_in_order(const Plan& plan) {
  std::optional<IndexChoice> best;
  if (plan.order.empty()) return best;
  choose_among(plan.entity->root(), plan, read_terms(plan), best);
  return best;
}

std::vector<Predicate> filters_of_walks(const Plan& plan, const std::vector<OneOfSeveral>& walked) {
  std::vector<std::vector<Predicate>> walks{{}};
  for (const Predicate* term : terms_of(*plan.filter)) {
    const auto list =
        std::find_if(walked.begin(), walked.end(), [&](const OneOfSeveral& each) { return each.term == term; });
    const std::size_t count = list == walked.end() ? 1 : list->values.size();
    std::vector<std::vector<Predicate>> more;
    for (const auto& walk : walks)
      for (std::size_t number = 0; number < count; ++number) {
        more.push_back(walk);
        more.back().push_back(list == walked.end() ? *term : bound_to(plan, *list, number));
      }
    walks = std::move(more);
  }
  std::vector<Predicate> filters;
  for (auto& walk : walks) filters.push_back(joined(std::move(walk)));
  return filters;
}

}  // namespace callisto::query
