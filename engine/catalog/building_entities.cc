#include "engine/base/text.h"
#include "engine/catalog/building.h"
#include "engine/catalog/naming.h"
#include "engine/catalog/property_rules.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace callisto::catalog {
namespace {

std::string quoted_name(const Property& property) { return '\'' + property.name + '\''; }

std::string at(const Origin& origin) { return origin.file + ':' + std::to_string(origin.line); }

}  // namespace

void Builder::declare_entities() {
  auto entities = std::exchange(definitions_.entities, {});
  for (EntityDefinition& definition : entities) declare(std::move(definition));
  for (EntityDefinition& addition : std::exchange(definitions_.additions, {})) add_to(std::move(addition));
  for (auto& [name, draft] : drafts_) {  // sorted by name, as the catalog promises
    catalog_->entities_.push_back(std::make_unique<Entity>());
    Entity& entity = *catalog_->entities_.back();
    const EntityDefinition& definition = draft.definition;
    draft.entity = &entity;
    entity.name = name;
    entity.pascal_name = text::pascal_case(name);
    entity.display_name = definition.display_name.empty() ? title_of(entity.pascal_name) : definition.display_name;
    entity.description = definition.description;
    entity.formerly = definition.formerly;
    entity.status = definition.status;
    entity.abstract = definition.abstract;
    entity.origin = definition.origin;
    for (const std::string& path : {text::ascii_lower(name), text::ascii_lower(entity.pascal_name)}) {
      auto [known, added] = catalog_->by_folded_name_.emplace(path, &entity);
      if (!added && known->second != &entity)
        problems_.add(entity.origin, "'" + name + "' answers to the same url as '" + known->second->name + "'");
    }
  }
}

void Builder::declare(EntityDefinition definition) {
  if (!is_kebab_name(definition.name)) {
    problems_.add(definition.origin, "an entity's name has small letters, digits and single hyphens only, not " +
                                         text::quoted(definition.name));
    return;
  }
  if (definition.name.size() > longest_name)
    problems_.add(definition.origin, "an entity's name has at most " + std::to_string(longest_name) +
                                         " characters; this one has " + std::to_string(definition.name.size()));
  if (Draft* known = find(definition.name)) {
    problems_.add(definition.origin,
                  "entity '" + definition.name + "' is already defined at " + at(known->definition.origin));
    return;
  }
  std::string name = definition.name;
  drafts_[name].definition = std::move(definition);
}

// As if they stood at the end of the entity's own file; each still knows where it does stand.
void Builder::add_to(EntityDefinition addition) {
  Draft* draft = find(addition.name);
  if (!draft) {
    if (!is_unreadable(addition.name))
      problems_.unknown(addition.origin, "entity", addition.name, "'add_to'", entity_names());
    return;
  }
  auto& properties = draft->definition.properties;
  std::move(addition.properties.begin(), addition.properties.end(), std::back_inserter(properties));
  auto& fields = draft->definition.fields;
  std::move(addition.fields.begin(), addition.fields.end(), std::back_inserter(fields));
  auto& indexes = draft->definition.indexes;
  std::move(addition.indexes.begin(), addition.indexes.end(), std::back_inserter(indexes));
}

// The families of this desk, where a property says that it takes their names.
void Builder::fill_choices() {
  std::set<std::string> families;
  for (const auto& [name, draft] : drafts_)
    if (!draft.definition.core_type.empty()) families.insert(draft.definition.core_type);
  const std::vector<std::string> word{"core_types"};
  for (auto& [name, draft] : drafts_)
    for (PropertyDefinition& definition : draft.definition.properties)
      if (definition.property.choices == word) definition.property.choices.assign(families.begin(), families.end());
}

void Builder::resolve_parents() {
  for (auto& [name, draft] : drafts_) {
    const EntityDefinition& definition = draft.definition;
    draft.incomplete = is_unreadable("common") || is_unreadable(name);
    if (definition.extends.empty()) continue;
    if (Draft* parent = find(definition.extends)) {
      draft.entity->parent = parent->entity;
      continue;
    }
    draft.incomplete = true;
    if (!is_unreadable(definition.extends))
      problems_.unknown(place(definition.origin, definition.lines, "extends"), "entity", definition.extends,
                        "'extends'", entity_names());
  }
}

void Builder::break_cycles() {
  for (auto& [name, draft] : drafts_) {
    std::string chain = name;
    std::set<const Entity*> seen{draft.entity};
    for (const Entity* each = draft.entity->parent; each; each = each->parent) {
      chain += " -> " + each->name;
      if (seen.insert(each).second) continue;
      if (each == draft.entity)  // once for each cycle: cut here, the others of it now end
        problems_.add(place(draft.definition.origin, draft.definition.lines, "extends"),
                      "'" + name + "' extends itself: " + chain, "take one 'extends' of these out");
      draft.entity->parent = nullptr;
      draft.incomplete = true;
      break;
    }
  }
  for (auto& [name, draft] : drafts_)
    if (draft.entity->parent) find(draft.entity->parent->name)->entity->children.push_back(draft.entity);
}

void Builder::complete(Draft& draft) {
  if (std::exchange(draft.completed, true)) return;
  const EntityDefinition& definition = draft.definition;
  Entity& entity = *draft.entity;
  if (entity.abstract && entity.children.empty() && definitions_.unreadable.empty())
    problems_.add(place(definition.origin, definition.lines, "abstract"),
                  "'" + entity.name + "' is abstract, but no entity extends it: no row could ever be one");
  entity.top_level = definition.extends.empty() || definition.top_level;  // API rule 1.2
  entity.partitioned = definition.partitioned;
  entity.history = definition.history;
  entity.attachments = definition.attachments;
  entity.deletable = definition.deletable;
  entity.core_type = definition.core_type;
  if (entity.parent) {
    Draft& parent = *find(entity.parent->name);
    complete(parent);
    inherit(draft, parent);
  } else {
    begin_root(draft);
  }
  for (const PropertyDefinition& own_property : definition.properties)
    if (!own_property.property.is_key || entity.parent) add_property(draft, own_property);
  if (!entity.parent && entity.deletable && !draft.incomplete) check_deleted_mark(entity);
  if (entity.key.empty() && !draft.incomplete)
    problems_.add(definition.origin, "'" + entity.name + "' has no key: give it a property `key \"Ref\"`");
}

// Of what is deleted the row stays, and every search leaves it out (API rule 2.11).
void Builder::check_deleted_mark(const Entity& entity) {
  const Property* mark = entity.find_property(system::is_deleted);
  if (mark && mark->type == DataType::Boolean) return;
  const bool is_common = !definitions_.common.empty();
  problems_.add(mark        ? mark->origin
                : is_common ? Origin{definitions_.common.front().property.origin.file}
                            : entity.origin,
                "deleted records need a property `boolean \"IsDeleted\"`",
                "put it where every entity has it, into common.lua, or say `deletable = false` of each");
}

void Builder::inherit(Draft& draft, const Draft& parent) {
  Entity& entity = *draft.entity;
  const Entity& above = *parent.entity;
  draft.incomplete = draft.incomplete || parent.incomplete;
  entity.partitioned = entity.partitioned || above.partitioned;
  entity.history = entity.history || above.history;
  entity.attachments = entity.attachments || above.attachments;
  entity.deletable = entity.deletable && above.deletable;
  if (entity.core_type.empty()) entity.core_type = above.core_type;
  entity.table = above.table;
  entity.type_column = above.type_column;
  entity.key = above.key;
  for (const Property* property : above.properties) list(draft, property);
}

// Keys, what every entity has, and the column that tells types apart. Keys of its own replace the common one.
void Builder::begin_root(Draft& draft) {
  draft.entity->table = SqlIdentifier::of(table_name(draft.entity->name));
  const auto& properties = draft.definition.properties;
  auto is_key = [](const PropertyDefinition& each) { return each.property.is_key; };
  bool has_key = std::any_of(properties.begin(), properties.end(), is_key);
  for (const PropertyDefinition& each : has_key ? properties : definitions_.common)
    if (each.property.is_key) add_property(draft, each);
  for (const PropertyDefinition& each : definitions_.common)
    if (!each.property.is_key) add_property(draft, each);
  if (!draft.entity->children.empty()) add_type_column(draft);
}

void Builder::add_type_column(Draft& draft) {
  Property type;
  type.name = system::entity_type;
  type.display_name = title_of(type.name);
  type.description = "The final entity of this row.";
  type.owner = draft.entity;
  type.display_types = default_display_types(DataType::Text);
  type.column = SqlIdentifier::of(type.name);
  type.internal = type.readonly = type.required = true;
  type.origin = draft.definition.origin;
  const Property* property = own(std::move(type));
  draft.entity->type_column = property;
  list(draft, property);
}

void Builder::add_property(Draft& draft, const PropertyDefinition& definition) {
  Entity& entity = *draft.entity;
  const Property& wanted = definition.property;
  // Column names ignore case in databases, so two properties may not differ by case alone.
  for (const Property* other : entity.properties)
    if (text::equals_ignoring_ascii_case(other->name, wanted.name)) {
      problems_.add(
          wanted.origin,
          "property " + quoted_name(wanted) + " of '" + entity.name + "' is already defined at " + at(other->origin),
          "give one of them another name, or take one away");
      return;
    }
  if (wanted.is_key && entity.parent) {
    problems_.add(wanted.origin,
                  "'" + entity.name + "' inherits its key; only '" + entity.root().name + "' can define one");
    return;
  }
  check_property(definition, problems_);
  Property* property = own(wanted);
  property->owner = &entity;
  property->column = SqlIdentifier::of(wanted.name);
  if (wanted.type == DataType::Lookup && wanted.property_class == PropertyClass::Field)
    property->property_class = PropertyClass::Lookup;
  if (wanted.display_name.empty()) property->display_name = title_of(wanted.name);
  if (wanted.display_types.empty()) property->display_types = default_display_types(wanted.type);
  property->rights_origin = wanted.origin;
  property->lines = definition.lines;
  if (wanted.is_key) entity.key.push_back(property);
  pending_.push_back({&definition, property});
  list(draft, property);
}

// What additions say of who may read and write properties that are there; the last one counts.
void Builder::add_rights(const Draft& draft) {
  for (const PropertyDefinition& field : draft.definition.fields) {
    const std::string& name = field.property.name;
    const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& each) {
      return each.property->owner == draft.entity && each.property->name == name;
    });
    const Property* known = draft.entity->find_property(name);
    if (found == pending_.end() && known && known->owner != draft.entity) {
      problems_.add(field.property.origin, text::quoted(name) + " is a property of '" + known->owner->name + "'",
                    "say it in an addition to '" + known->owner->name + "'");
    } else if (found == pending_.end()) {
      if (!draft.incomplete)
        problems_.unknown(field.property.origin, "property", name, "'fields' of '" + draft.entity->name + "'",
                          property_names(*draft.entity));
    } else {
      PropertyDefinition whole = *found->definition;
      whole.property.read = found->property->read = field.property.read ? field.property.read : found->property->read;
      whole.property.write = found->property->write =
          field.property.write ? field.property.write : found->property->write;
      whole.property.origin = found->property->rights_origin = field.property.origin;
      whole.lines = found->property->lines = field.lines;
      check_rights(whole, problems_);
    }
  }
}

void Builder::list(Draft& draft, const Property* property) {
  draft.entity->properties.push_back(property);
  draft.entity->property_by_name.emplace(property->name, property);
}

// A hierarchy is one table (ARCHITECTURE.md): brothers may use one name only for the same kind of column.
void Builder::check_shared_columns() {
  std::map<std::pair<const Entity*, std::string>, const Property*> columns;
  for (const Pending& each : pending_) {
    const Property& property = *each.property;
    std::pair<const Entity*, std::string> key(&property.owner->root(), text::ascii_lower(property.name));
    auto [known, added] = columns.emplace(std::move(key), &property);
    if (added) continue;
    const Property& other = *known->second;
    if (other.name == property.name && other.type == property.type && other.scale == property.scale &&
        other.stored.yes == property.stored.yes && other.stored.no == property.stored.no)
      continue;
    problems_.add(property.origin, quoted_name(property) + " is not stored as at " + at(other.origin) + ", and '" +
                                       property.owner->name + "' and '" + other.owner->name + "' share one table");
  }
}

}  // namespace callisto::catalog
