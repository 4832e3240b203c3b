#include "engine/query/index_choice.h"

#include "engine/query/index_terms.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace callisto::query {
namespace {

using Kind = Predicate::Kind;
using catalog::Property;

constexpr std::size_t most_walks = 16;

struct Terms {
  std::vector<const Property*> equal, null;  // of the first, those that are asked to be null
  std::vector<std::pair<const Property*, OneOfSeveral>> several;
};

Terms read_terms(const Plan& plan) {
  Terms terms;
  for (const Predicate* term : terms_of(plan)) {
    OneOfSeveral list{term, {}};
    if (const Property* property = equal_property(*term)) {
      terms.equal.push_back(property);
      if (term->kind == Kind::IsNull) terms.null.push_back(property);
    } else if (const Property* of_list = listed_property(plan, *term, list.values); of_list && list.values.size() > 1) {
      terms.several.emplace_back(of_list, std::move(list));
    }
  }
  return terms;
}

// How far the filter's equalities lead in the index, if the order follows there.
std::optional<IndexChoice> led_by(const Plan& plan, const Terms& terms, const catalog::Index& index) {
  const SortKey& first = plan.order.front();
  if (!is_own(first.path)) return std::nullopt;
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
  const Property* property = listed_property(plan, *list.term, ignored);
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

}  // namespace

bool is_led_by(const IndexChoice& choice, const Property& property) {
  for (std::size_t part = 0; part < choice.equal; ++part)
    if (same_column(choice.index->parts[part].property, &property)) return true;
  return false;
}

std::optional<IndexChoice> index_in_order(const Plan& plan) {
  std::optional<IndexChoice> best;
  if (plan.order.empty()) return best;
  for_each_index(*plan.entity, [&, terms = read_terms(plan)](const catalog::Index& index) {
    if (auto choice = led_by(plan, terms, index); choice && is_better(*choice, best)) best = std::move(choice);
  });
  return best;
}

bool order_has_index(const Plan& plan) {
  const Path& first = plan.order.front().path;
  if (!first.hops.empty() || first.guarded) return false;
  return first.property->is_key || first.property->indexed || first.property->leads_index ||
         index_in_order(plan).has_value();
}

bool has_order_behind(const Plan& plan, const Property& first) {
  Terms terms = read_terms(plan);
  terms.equal.push_back(&first);
  bool has_order = false;
  for_each_index(*plan.entity, [&](const catalog::Index& index) {
    const auto choice = led_by(plan, terms, index);
    has_order = has_order || (choice && choice->walked.empty() && is_led_by(*choice, first));
  });
  return has_order;
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
