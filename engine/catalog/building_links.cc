#include "engine/base/text.h"
#include "engine/catalog/building.h"
#include "engine/catalog/naming.h"

#include <algorithm>

namespace callisto::catalog {
namespace {

constexpr std::size_t default_summary_size = 5;

// One value that says which row: what a lookup or a sub-resource's link holds.
bool has_single_key(const Entity& entity) { return entity.key.size() == 1; }

}  // namespace

void Builder::resolve_lookups() {
  for (const Pending& each : pending_) {
    const PropertyDefinition& definition = *each.definition;
    if (each.property->type != DataType::Lookup || definition.target_entity.empty()) continue;
    Draft* target = find(definition.target_entity);
    if (target) each.property->target = target->entity;
    bool is_fine =
        target ? target->incomplete || has_single_key(*target->entity) : is_unreadable(definition.target_entity);
    if (is_fine) continue;
    Origin origin = place(definition.property.origin, definition.lines, "entity");
    if (!target)
      problems_.unknown(origin, "entity", definition.target_entity, "lookup '" + each.property->name + "'",
                        entity_names());
    else
      problems_.add(origin, "lookup '" + each.property->name + "' cannot refer to '" + definition.target_entity +
                                "': its key has several parts");
  }
}

// UserId reads and writes User: one column, two names (API rule 2.15).
void Builder::resolve_mirrors(Draft& draft) {
  for (const Pending& each : pending_) {
    if (each.property->owner != draft.entity || each.definition->mirror.empty()) continue;
    Origin origin = place(each.property->origin, each.definition->lines, "mirror");
    const Property* mirrored = draft.entity->find_property(each.definition->mirror);
    if (!mirrored) {
      if (!draft.incomplete)
        problems_.unknown(origin, "property", each.definition->mirror, "'mirror' of '" + each.property->name + "'",
                          property_names(*draft.entity));
    } else if (mirrored->type != DataType::Lookup) {
      problems_.add(origin, "'" + each.property->name + "' can mirror only a lookup, and '" + mirrored->name + "' is " +
                                name(mirrored->type));
    } else {
      each.property->mirror_of = mirrored;
      each.property->column = mirrored->column;
    }
  }
}

void Builder::add_query_aliases(Draft& draft) {
  for (const Entity* each = draft.entity; each; each = each->parent) add_query_aliases(draft, *find(each->name));
}

void Builder::add_query_aliases(Draft& draft, const Draft& from) {
  const EntityDefinition& definition = from.definition;
  for (const auto& [alias, target_name] : definition.query_aliases) {
    Origin origin = place(definition.origin, definition.lines, "query_aliases/" + alias);
    const Property* target = draft.entity->find_property(target_name);
    if (!target) {
      if (!draft.incomplete)
        problems_.unknown(origin, "property", target_name, "query alias '" + alias + "'",
                          property_names(*draft.entity));
      continue;
    }
    if (!is_pascal_name(alias) || draft.entity->find_property(alias)) {
      problems_.add(origin, "query alias " + text::quoted(alias) + " is no free name for a property");
      continue;
    }
    add_alias(draft, *target, alias, origin);
  }
}

void Builder::add_alias(Draft& draft, const Property& target, const std::string& alias, const Origin& origin) {
  Property property = target;
  property.name = alias;
  property.display_name = title_of(alias);
  property.owner = draft.entity;
  property.mirror_of = &target;
  property.query_alias = true;
  property.is_key = false;
  property.formerly.clear();
  property.origin = origin;
  list(draft, own(std::move(property)));
}

void Builder::choose_summary(Draft& draft) {
  const EntityDefinition& definition = draft.definition;
  for (const std::string& word : definition.summary) {
    if (const Property* property = draft.entity->find_property(word)) {
      draft.entity->summary.push_back(property);
    } else if (!draft.incomplete) {
      problems_.unknown(place(definition.origin, definition.lines, "summary/" + word), "property", word, "summary",
                        property_names(*draft.entity));
    }
  }
  if (!definition.summary.empty()) return;
  for (const Entity* above = draft.entity->parent; above; above = above->parent) {
    const Draft& other = *find(above->name);
    if (other.definition.summary.empty()) continue;
    for (const std::string& word : other.definition.summary)  // its own unknown words are its own problem
      if (const Property* property = draft.entity->find_property(word)) draft.entity->summary.push_back(property);
    return;
  }
  draft.entity->summary = default_summary(draft);
}

// A text, nearest wins; where nobody says one, that which is called Name, else the first of the summary.
void Builder::choose_label(Draft& draft) {
  const EntityDefinition& definition = draft.definition;
  Entity& entity = *draft.entity;
  if (!definition.label.empty()) {
    entity.label = entity.find_property(definition.label);
    if (!entity.label && !draft.incomplete)
      problems_.unknown(place(definition.origin, definition.lines, "label"), "property", definition.label, "label",
                        property_names(entity));
    return;
  }
  for (const Entity* above = entity.parent; above && !entity.label; above = above->parent)
    if (const std::string& word = find(above->name)->definition.label; !word.empty())
      entity.label = entity.find_property(word);
  if (!entity.label) entity.label = entity.find_property(system::label);
  for (const Property* property : entity.summary)
    if (!entity.label && property->type == DataType::Text) entity.label = property;
}

// The key and the first few short Public properties that make this entity what it is; those of every entity come last.
std::vector<const Property*> Builder::default_summary(const Draft& draft) const {
  std::vector<const Property*> summary = draft.entity->key;
  auto is_common = [&](const Property* property) {
    return std::any_of(definitions_.common.begin(), definitions_.common.end(),
                       [&](const PropertyDefinition& each) { return each.property.name == property->name; });
  };
  for (bool common : {false, true})
    for (const Property* property : draft.entity->properties) {
      if (summary.size() > default_summary_size) return summary;
      bool is_short = property->type != DataType::Binary && property->type != DataType::RichText;
      if (is_short && !property->internal && !property->query_alias && !property->is_key && !property->mirror_of &&
          is_common(property) == common)
        summary.push_back(property);
    }
  return summary;
}

void Builder::add_sub_resources(Draft& draft) {
  std::vector<const Draft*> line{&draft};  // from the root down, so that the nearest definition of a name wins
  for (const Entity* each = draft.entity->parent; each; each = each->parent)
    line.insert(line.begin(), find(each->name));
  for (const Draft* each : line)
    for (const auto& definition : each->definition.sub_resources) {
      SubResource resolved;
      if (!resolve_sub_resource(draft, definition, each == &draft, resolved)) continue;
      auto same = std::find_if(
          draft.entity->sub_resources.begin(), draft.entity->sub_resources.end(),
          [&](const SubResource& known) { return text::equals_ignoring_ascii_case(known.name, resolved.name); });
      if (same == draft.entity->sub_resources.end()) draft.entity->sub_resources.push_back(std::move(resolved));
      else *same = std::move(resolved);
    }
}

bool Builder::resolve_sub_resource(const Draft& draft, const EntityDefinition::SubResourceDefinition& definition,
                                   bool is_own, SubResource& resolved) {
  // What is wrong with an inherited list is said once, of the entity that defines it.
  auto unknown = [&](std::string_view what, std::string_view word, const std::vector<std::string_view>& candidates) {
    if (is_own) problems_.unknown(definition.origin, what, word, "list '" + definition.name + "'", candidates);
    return false;
  };
  auto wrong = [&](std::string message) {
    if (is_own) problems_.add(definition.origin, std::move(message));
    return false;
  };
  if (!is_kebab_name(definition.name))
    return wrong("a list's name has small letters, digits and hyphens only, not " + text::quoted(definition.name));
  if (!has_single_key(*draft.entity) && !draft.incomplete)
    return wrong("'" + draft.entity->name + "' cannot have lists: its key has several parts");
  Draft* child = find(definition.entity);
  if (!child) return !is_unreadable(definition.entity) && unknown("entity", definition.entity, entity_names());
  resolved.name = definition.name;
  resolved.origin = definition.origin;
  resolved.entity = child->entity;
  resolved.link = child->entity->find_property(definition.link);
  resolved.type_link = child->entity->find_property(definition.type_link);
  if (child->incomplete) return true;
  if (!resolved.link) return unknown("property", definition.link, property_names(*child->entity));
  if (!resolved.type_link && !definition.type_link.empty())
    return unknown("property", definition.type_link, property_names(*child->entity));
  if (!is_whole(resolved.link->type) && resolved.link->type != DataType::Lookup)
    return wrong("'link' must hold a key, and '" + definition.link + "' is " + name(resolved.link->type));
  if (resolved.type_link && !is_text(resolved.type_link->type))
    return wrong("'type_link' must be a text, and '" + definition.type_link + "' is " + name(resolved.type_link->type));
  return true;
}

}  // namespace callisto::catalog
