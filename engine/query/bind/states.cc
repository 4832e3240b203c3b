#include "engine/base/text.h"
#include "engine/query/bind/filter.h"

#include <algorithm>
#include <map>
#include <utility>

namespace callisto::query {

namespace {

using catalog::Entity;
using catalog::StateSet;
using Kind = Predicate::Kind;

// What a word stands for in one set of states, and the types of records that have these.
struct Meaning {
  std::vector<std::int64_t> values;
  std::vector<Value> types;
};
using Meanings = std::map<const StateSet*, Meaning>;

Meanings meanings_of(const Entity& entity, const std::string& word) {
  Meanings all;
  for (const Entity* type : entity.final_types()) {
    if (!type->states) continue;
    Meaning& meaning = all[type->states];
    if (meaning.types.empty()) meaning.values = type->states->named(word);
    meaning.types.emplace_back(type->name);
  }
  return all;
}

bool contains(const std::vector<std::int64_t>& values, std::int64_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Whether one property holds the states of all types, and no type has a state that another one means by the word, and
// does not mean it.
bool agree(const Meanings& all) {
  for (const auto& [states, meaning] : all)
    for (const auto& [others, other] : all) {
      if (states->property != others->property) return false;
      for (const std::int64_t value : meaning.values)
        if (others->find(value) && !contains(other.values, value)) return false;
    }
  return true;
}

std::vector<Value> values_of(const Meanings& all) {
  std::vector<Value> values;
  for (const auto& [states, meaning] : all)
    for (const std::int64_t value : meaning.values)
      if (std::find(values.begin(), values.end(), Value(value)) == values.end()) values.emplace_back(value);
  return values;
}

}  // namespace

// The states that a word stands for, by each type's own: where one of them means another thing by a number, the type is
// asked for as well.
Result<Predicate> FilterBinder::in_states(const std::string& word, const Expression& whole) {
  const Entity& entity = *draft_.plan.entity;
  const Meanings all = meanings_of(entity, word);
  if (values_of(all).empty()) {
    std::vector<std::string_view> known = entity.states->words();
    for (const auto& [states, meaning] : all)
      for (const std::string_view each : states->words()) known.push_back(each);
    return source_.refused(whole.at, text_of(whole),
                           entity.name + " has no state and no group of states " + text::quoted(word),
                           text::nearest(word, known), {"a state or a group of states"});
  }
  if (agree(all)) return one_of(*stored(*entity.states->property), values_of(all));
  Predicate any;
  any.kind = Kind::Or;
  for (const auto& [states, meaning] : all) {
    if (meaning.values.empty()) continue;
    Predicate both;
    both.kind = Kind::And;
    both.children.push_back(one_of(*entity.type_column, meaning.types));
    both.children.push_back(one_of(*stored(*states->property), {meaning.values.begin(), meaning.values.end()}));
    any.children.push_back(std::move(both));
  }
  if (any.children.size() > 1) return any;
  Predicate only = std::move(any.children.front());
  return only;
}

Predicate FilterBinder::one_of(const catalog::Property& property, const std::vector<Value>& values) {
  Predicate result;
  result.kind = values.size() == 1 ? Kind::Compare : Kind::OneOf;
  result.left = Path{0, {}, &property};
  for (const Value& value : values) {
    Constant constant;
    constant.value = value;
    constant.type = property.type;
    const ConstantRef reference = add_constant(draft_.plan, std::move(constant), property);
    if (values.size() == 1) result.right = reference;
    else result.values.push_back(reference);
  }
  return result;
}

}  // namespace callisto::query
