// The terms of a filter as indexes see them. Pure; any thread.
#pragma once

#include "engine/query/plan.h"

#include <cstddef>
#include <vector>

namespace callisto::query {

std::vector<const Predicate*> terms_of(const Predicate& filter);  // of an `&&`, or the filter itself
std::vector<const Predicate*> terms_of(const Plan& plan);         // of its filter; without one there are none

bool is_own(const Path& path);  // a property of the searched record itself, which every session may read
bool same_column(const catalog::Property* left, const catalog::Property* right);

// The property of the searched record that a term asks to equal one constant, or to be null; null: it asks no such
// thing.
const catalog::Property* equal_property(const Predicate& term);

// The property that a term asks to equal one of several whole numbers, and `values`, of which no two are the same
// literal; null: it asks no such thing.
const catalog::Property* listed_property(const Plan& plan, const Predicate& term, std::vector<ConstantRef>& values);

// What a term asks of one property in a way that an index answers; null: nothing.
const catalog::Property* indexable_property(const Plan& plan, const Predicate& term);

// The property that a term asks to have one of some values, which null is not.
const catalog::Property* valued_property(const Plan& plan, const Predicate& term);

// The lookup of the searched record through which a term asks for something of another record; null: it does not.
const catalog::Property* looked_through(const Predicate& term);

// The term of the filter that asks the property to have one of some values; null: none does.
const Predicate* value_term(const Plan& plan, const catalog::Property& property);

// It compares a property with a constant by an order.
bool is_range(const Predicate& term);

// The terms that ask values of the index's parts from one to another, up to the first of which none is asked.
std::vector<const Predicate*> values_of(const Plan& plan, const catalog::Index& index, std::size_t part,
                                        std::size_t end);

// The term, and what is asked with it of one value: the other end of a range, since what lies between two moments may
// be little where what lies on either side is much; all that is asked through one lookup.
std::vector<const Predicate*> with_its_like(const Plan& plan, const Predicate* term);

// The index has the property's values.
bool holds(const catalog::Index& index, const catalog::Property& property);

// For every index that has all rows of the entity: its own and those of what it extends.
template <typename Use>
void for_each_index(const catalog::Entity& entity, const Use& use) {
  for (const catalog::Entity* each = &entity; each; each = each->parent)
    for (const catalog::Index& index : each->indexes) use(index);
}

}  // namespace callisto::query
