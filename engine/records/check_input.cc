#include "engine/records/check_input.h"

#include <algorithm>
#include <utility>

namespace callisto::records {

namespace {

using catalog::Property;

// Of a body whose lookups alone are wrong.
Error leads_nowhere(std::vector<PropertyError> problems) {
  Error told = invalid(std::move(problems));
  Error error = linked_record_not_found(told.status, std::move(told.message));
  error.errors = std::move(told.errors);
  return error;
}

// The record that it leads to stays with the change, where a script that asks for it finds it.
Result<void> check_link(const Context& context, Change& change, const Property& property, const Value& value,
                        const Record& record, std::vector<PropertyError>& problems) {
  if (record.get(property) == value) return {};
  const bool limits = &property == record.entity().limiting_partition();
  if (limits && !record.is_new() && context.session.type == auth::SessionType::User)
    return forbidden("Partition: it limits who sees this " + record.entity().name +
                     "; a User session cannot change it.");
  const auto* key = std::get_if<std::int64_t>(&value);
  if (!key || !property.target || property.target->key.size() != 1) return {};
  const auto& partitions = context.session.partitions;
  if (property.name == catalog::system::partition && partitions &&
      !std::binary_search(partitions->begin(), partitions->end(), *key))
    return forbidden("Partition: the session has no access to partition " + std::to_string(*key) + ".");
  CALLISTO_TRY(const auto linked, change.find_visible(*property.target, *key));
  if (!linked)
    problems.push_back({property.name, "there is no " + property.target->name + " " + std::to_string(*key) +
                                           ", or this session may not see it."});
  return {};
}

}  // namespace

Result<void> check_input(const Context& context, Change& change, const catalog::Action& action, const Record& record,
                         ReadBody& read) {
  std::vector<PropertyError> links;
  for (const auto& [property, value] : read.input.properties)
    CALLISTO_CHECK(check_link(context, change, *property, value, record, links));
  for (const catalog::Parameter& parameter : action.parameters)
    if (const auto given = read.input.parameters.find(parameter.property->name); given != read.input.parameters.end())
      CALLISTO_CHECK(check_link(context, change, *parameter.property, given->second, record, links));
  if (read.problems.empty() && !links.empty()) return leads_nowhere(std::move(links));
  read.problems.insert(read.problems.end(), links.begin(), links.end());
  if (!read.problems.empty()) return invalid(std::move(read.problems));
  return {};
}

}  // namespace callisto::records
