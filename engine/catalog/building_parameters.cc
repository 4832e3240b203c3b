#include "engine/base/text.h"
#include "engine/catalog/building.h"
#include "engine/catalog/naming.h"
#include "engine/catalog/property_rules.h"

#include <algorithm>
#include <utility>

namespace callisto::catalog {

// What the parameters say by themselves, whichever entity has the action.
void Builder::check_parameters(const ActionDefinition& definition) {
  std::set<std::string> names;
  for (const auto& parameter : definition.parameters) {
    const PropertyDefinition& wanted = parameter.property;
    const Property& property = wanted.property;
    if (!names.insert(text::ascii_lower(property.name)).second)
      problems_.add(property.origin,
                    "parameter " + text::quoted(property.name) + " of " + label(definition) + " is there already");
    if (!parameter.is_own) continue;
    check_property(wanted, problems_);
    if (parameter.secret != Parameter::Secret::No && property.type != DataType::Text)
      problems_.add(place(property.origin, wanted.lines, "secret"), "parameter " + text::quoted(property.name) +
                                                                        " of " + label(definition) +
                                                                        " is no text: only a text can be secret");
    check_target(wanted);
  }
}

// Of a lookup that is no entity's property.
void Builder::check_target(const PropertyDefinition& wanted) {
  const Property& property = wanted.property;
  if (property.type != DataType::Lookup || wanted.target_entity.empty()) return;
  Origin origin = place(property.origin, wanted.lines, "entity");
  Draft* target = find(wanted.target_entity);
  if (target && target->entity->key.size() != 1 && !target->incomplete)
    problems_.add(origin, "lookup '" + property.name + "' cannot refer to '" + wanted.target_entity +
                              "': its key has several parts");
  if (!target && !is_unreadable(wanted.target_entity))
    problems_.unknown(origin, "entity", wanted.target_entity, "lookup '" + property.name + "'", entity_names());
}

void Builder::check_answers(const ActionDefinition& definition) {
  const std::string& entity = definition.answers_entity;
  const Origin origin = place(definition.origin, definition.lines, "answers");
  const bool says = !entity.empty() || !definition.answers.empty();
  if (says && action_kind(definition.action.name) != Action::Kind::Own)
    problems_.add(origin, "'answers' is not for " + definition.action.name + ", which answers its own record");
  const Draft* target = find(entity);
  if (!entity.empty() && !target && !is_unreadable(entity))
    problems_.unknown(origin, "entity", entity, "'answers' of " + label(definition), entity_names());
  if (target && target->entity->key.size() != 1 && !target->incomplete)
    problems_.add(origin, label(definition) + " cannot answer a record of '" + entity + "': its key has several parts");
  std::set<std::string> names;
  for (const PropertyDefinition& wanted : definition.answers) {
    check_property(wanted, problems_);
    check_target(wanted);
    if (!names.insert(text::ascii_lower(wanted.property.name)).second)
      problems_.add(wanted.property.origin,
                    text::quoted(wanted.property.name) + " of 'answers' of " + label(definition) + " is there already");
  }
}

void Builder::resolve_parameters(const Draft& draft, const ActionDefinition& definition, Action& action) {
  for (const auto& wanted : definition.parameters) {
    const Property* property =
        wanted.is_own ? own_parameter(draft, wanted.property) : named_property(draft, definition, wanted.property);
    if (property)
      action.parameters.push_back({property, wanted.required, wanted.group, wanted.is_own, false, wanted.secret});
  }
}

void Builder::resolve_answers(const Draft& draft, const ActionDefinition& definition, Action& action) {
  if (const Draft* target = find(definition.answers_entity)) action.answers.entity = target->entity;
  for (const PropertyDefinition& wanted : definition.answers)
    action.answers.properties.push_back(own_parameter(draft, wanted));
}

const Property* Builder::own_parameter(const Draft& draft, const PropertyDefinition& wanted) {
  Property* property = own(wanted.property);
  property->owner = draft.entity;
  if (property->type == DataType::Lookup) property->property_class = PropertyClass::Lookup;
  if (property->display_name.empty()) property->display_name = title_of(property->name);
  if (property->display_types.empty()) property->display_types = default_display_types(property->type);
  if (Draft* target = find(wanted.target_entity)) property->target = target->entity;
  return property;
}

// A property that the action takes under its own name: one that a client may write.
const Property* Builder::named_property(const Draft& draft, const ActionDefinition& definition,
                                        const PropertyDefinition& wanted) {
  const std::string& word = wanted.property.name;
  const Property* property = draft.entity->find_property(word);
  if (property && !property->query_alias && !property->readonly) return property;
  std::string where = label(definition, *draft.entity);
  if (property && !property->query_alias)
    problems_.add(wanted.property.origin, "'" + word + "' is read-only, so that " + where + " cannot take it",
                  "give the action a parameter of its own");
  else if (!draft.incomplete)
    problems_.unknown(wanted.property.origin, "property", word, where, property_names(*draft.entity));
  return nullptr;
}

}  // namespace callisto::catalog
