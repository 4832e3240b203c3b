// Former names: what is stored under a former name is kept, so nothing else may have that name.
#include "engine/base/text.h"
#include "engine/catalog/building.h"
#include "engine/catalog/naming.h"
#include "engine/catalog/stored_names.h"

#include <utility>

namespace callisto::catalog {
namespace {

std::string at(const Origin& origin) { return origin.file + ':' + std::to_string(origin.line); }

constexpr const char* take_away = "take it out of 'formerly', or what has this name away";

}  // namespace

void Builder::check_former_names() {
  check_former_properties();
  check_former_entities();
  for (const StateSetDefinition& definition : definitions_.states) check_former_states(definition);
}

// A hierarchy is one table: names of brothers count too.
void Builder::check_former_properties() {
  using Column = std::pair<const Entity*, std::string>;
  std::map<Column, const Property*> now, before;
  const auto column = [](const Property& property, const std::string& name) {
    return Column(&property.owner->root(), text::ascii_lower(name));
  };
  for (const Pending& each : pending_) now.emplace(column(*each.property, each.property->name), each.property);
  for (const Pending& each : pending_) {
    const Property& property = *each.property;
    for (const std::string& name : property.formerly) {
      const Origin origin = place(property.origin, each.definition->lines, "formerly/" + name);
      const std::string what = text::quoted(name) + " in 'formerly' of '" + property.name + "'";
      if (!is_pascal_name(name))
        problems_.add(origin, what + " is no name that a property had: those begin with a capital");
      else if (!each.definition->mirror.empty() || property.property_class == PropertyClass::Computed)
        problems_.add(origin, what + " means nothing: '" + property.name + "' stores nothing of its own",
                      "say it of the property that does");
      else if (const auto other = now.find(column(property, name)); other != now.end())
        problems_.add(origin, what + " is a property still, at " + at(other->second->origin), take_away);
      else if (const auto [known, added] = before.emplace(column(property, name), &property);
               !added && known->second->name != property.name)
        problems_.add(origin,
                      what + " is what '" + known->second->name + "' was called too, at " + at(known->second->origin),
                      "what is stored can become one of them: take it out of the other");
    }
  }
}

void Builder::check_former_entities() {
  std::map<std::string, const Entity*> before;
  for (const auto& [entity_name, draft] : drafts_)
    for (const std::string& name : draft.definition.formerly) {
      const Origin origin = place(draft.definition.origin, draft.definition.lines, "formerly/" + name);
      const std::string what = text::quoted(name) + " in 'formerly' of '" + entity_name + "'";
      if (!is_kebab_name(name))
        problems_.add(origin, what + " is no name that an entity had: those have small letters, digits and hyphens");
      else if (const Draft* other = find(name))
        problems_.add(origin, what + " is an entity still, at " + at(other->definition.origin), take_away);
      else if (const auto [known, added] = before.emplace(name, draft.entity); !added && known->second != draft.entity)
        problems_.add(origin,
                      what + " is what '" + known->second->name + "' was called too, at " + at(known->second->origin),
                      "its rows can become one of them: take it out of the other");
    }
}

void Builder::check_former_states(const StateSetDefinition& definition) {
  std::map<std::string, const State*> before;
  for (const auto& [state, has_value, origin, lines] : definition.states)
    for (const std::string& name : state.formerly) {
      const Origin where = place(origin, lines, "formerly/" + name);
      const std::string what = text::quoted(name) + " in 'formerly' of state " + text::quoted(state.name);
      for (const auto& other : definition.states)
        if (other.state.name == name)
          problems_.add(where, what + " is a state still, at " + at(other.origin), take_away);
      if (const auto [known, added] = before.emplace(name, &state); !added && known->second != &state)
        problems_.add(where, what + " is what " + text::quoted(known->second->name) + " was called too",
                      "take it out of one of them");
    }
}

// Queries, webhooks among them, that know the former name go on.
void Builder::add_former_aliases(Draft& draft) {
  const std::vector<const Property*> properties = draft.entity->properties;
  for (const Property* property : properties)
    for (const std::string& name : property->formerly)
      if (!property->query_alias && is_pascal_name(name) && !draft.entity->find_property(name))
        add_alias(draft, *property, name, property->origin);
}

void Builder::call_as_stored(const StoredNames& stored) {
  for (const auto& property : catalog_->properties_) {
    if (!property->owner || property->column.text().empty()) continue;
    const auto table = stored.tables.find(property->owner->root().table.text());
    if (table == stored.tables.end()) continue;
    const auto column = table->second.columns.find(property->column.text());
    property->column = column == table->second.columns.end() ? SqlIdentifier() : column->second;
  }
  for (const auto& entity : catalog_->entities_)
    if (const auto table = stored.tables.find(entity->table.text());
        table != stored.tables.end() && !table->second.name.text().empty())
      entity->table = table->second.name;
}

}  // namespace callisto::catalog
