#include "engine/query/join_cost.h"

#include "engine/base/text.h"

#include <algorithm>

namespace callisto::query {

namespace {

using catalog::Entity;
using catalog::Property;

bool is_key(const Entity& entity, const Property* property) {
  const auto& key = entity.root().key;
  return key.size() == 1 && key.front()->column.text() == property->column.text();
}

const Entity& source_entity(const Plan& plan, const Path& path) {
  return path.source == 0 ? *plan.entity : *plan.joins[path.source - 1].target;
}

bool is_by_target_key(const Join& join) {
  return std::any_of(join.on.begin(), join.on.end(),
                     [&](const JoinOn& on) { return is_key(*join.target, on.target_property); });
}

bool is_by_source_key(const Plan& plan, const Join& join) {
  return std::any_of(join.on.begin(), join.on.end(), [&](const JoinOn& on) {
    const auto* path = std::get_if<Path>(&on.source);
    return path && path->hops.empty() && is_key(source_entity(plan, *path), path->property);
  });
}

bool has_index(const Entity& entity, const Property& property) {
  const bool has_own = property.type == catalog::DataType::Lookup && !property.unindexed;
  return has_own || property.indexed || property.leads_index || is_key(entity, &property);
}

}  // namespace

const Join* join_without_bound(const Plan& plan) {
  bool has_spread = false;  // one row became several
  for (const Join& join : plan.joins) {
    if (is_by_target_key(join)) continue;
    if (has_spread || !is_by_source_key(plan, join)) return &join;
    has_spread = true;
  }
  return nullptr;
}

std::string advice_on(const Join& join) {
  std::string names;
  const Property* without_index = nullptr;
  for (const JoinOn& on : join.on) {
    names += (names.empty() ? "" : " and ") + on.target_property->name;
    if (!has_index(*join.target, *on.target_property)) without_index = on.target_property;
  }
  std::string advice = "The join " + text::quoted(join.alias) + " pairs rows of " + join.target->name + " by " + names +
                       ", of which many may be equal. Join by a key, or give it another condition.";
  if (without_index)
    advice += " " + without_index->name + " of " + join.target->name +
              " has no index: an administrator can give it one (`indexed` in the entity's file).";
  return advice;
}

}  // namespace callisto::query
