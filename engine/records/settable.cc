#include "engine/records/settable.h"

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

// The number of its changes is what the ETag tells, and what a writer compares.
std::string not_settable(const Record& record, const Property& property, const Value& value) {
  if (!record.is_new() && real(property).is_key) return property.name + " is the record's key and cannot be changed";
  if (!record.is_new() && property.name == catalog::system::id)
    return property.name + " is what others know the record by and cannot be changed";
  if (!record.is_new() && property.name == catalog::system::version)
    return property.name + " counts the record's changes and cannot be set";
  return unknown_state(record.entity(), property, value);
}

}  // namespace callisto::records
