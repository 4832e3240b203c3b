#include "engine/records/settable.h"

#include <algorithm>

namespace callisto::records {

namespace {

using catalog::Property;

const Property& real(const Property& property) { return property.mirror_of ? *property.mirror_of : property; }

}  // namespace

std::string unknown_state(const catalog::Entity& entity, const Property& property, const Value& value) {
  const catalog::StateSet* states = entity.states;
  if (!states || states->property != &real(property)) return {};
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number && states->find(*number)) return {};
  std::string known;
  for (const catalog::State& state : states->states)
    known += (known.empty() ? "" : ", ") + state.name + " (" + std::to_string(state.value) + ")";
  return entity.name + " has no state " + (number ? std::to_string(*number) : "null") + "; its states are " + known;
}

std::string not_moved(const Record& record, const catalog::Action* action, const Property& property,
                      const Value& value) {
  const catalog::Entity& entity = record.entity();
  const catalog::StateSet* states = entity.states;
  const auto* number = std::get_if<std::int64_t>(&value);
  if (!states || states->property != &real(property) || !number) return {};
  if (record.before(*states->property) == value || record.get(*states->property) == value) return {};
  const std::string name = states->find(*number)->name;
  if (!action)
    return "no action of this " + entity.name + " runs, so that it cannot move to " + name +
           ": ask for one that moves there, with record:act(\"...\")";
  const auto& allowed = action->may_move_to;
  if (action->moves_to == *number || std::find(allowed.begin(), allowed.end(), *number) != allowed.end()) return {};
  return action->name + " of " + entity.name + " does not say that it may move to " + name +
         ": write may_move_to = \"" + name + "\" in " + action->file + ", or in a file that adds to it";
}

// The number of its changes is what the ETag tells, and what a writer compares.
std::string not_settable(const Record& record, const Property& property, const Value& value) {
  if (!record.is_new() && real(property).is_key) return property.name + " is the record's key and cannot be changed";
  if (!record.is_new() && property.name == catalog::system::id)
    return property.name + " identifies the record for others and cannot be changed";
  if (!record.is_new() && property.name == catalog::system::version)
    return property.name + " counts the record's changes and cannot be set";
  if (!record.is_new() && is_null(value) && &property == record.entity().limiting_partition())
    return property.name + " limits who sees the record and cannot be null";
  return unknown_state(record.entity(), property, value);
}

}  // namespace callisto::records
