#include "engine/catalog/catalog.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>

namespace callisto::catalog {
namespace {

void collect_final_types(const Entity& entity, std::vector<const Entity*>& types) {
  if (!entity.abstract) types.push_back(&entity);
  for (const Entity* child : entity.children) collect_final_types(*child, types);
}

}  // namespace

const char* name(PropertyClass value) {
  switch (value) {
    case PropertyClass::Field:
      return "Field";
    case PropertyClass::Lookup:
      return "Lookup";
    case PropertyClass::Computed:
      return "Computed";
    case PropertyClass::Extension:
      return "Extension";
  }
  return "";
}

const char* name(AugmenterKind kind) {
  switch (kind) {
    case AugmenterKind::Condition:
      return "Condition";
    case AugmenterKind::Function:
      return "Function";
    case AugmenterKind::Token:
      return "Token";
    case AugmenterKind::Extension:
      return "Extension";
  }
  return "";
}

const char* name(Status status) {
  switch (status) {
    case Status::Alpha:
      return "Alpha";
    case Status::Beta:
      return "Beta";
    case Status::GA:
      return "GA";
  }
  return "";
}

const Property* Entity::find_property(std::string_view exact_name) const {
  auto found = property_by_name.find(exact_name);
  return found == property_by_name.end() ? nullptr : found->second;
}

const Augmenter* Entity::find_augmenter(std::string_view exact_name) const {
  auto found = augmenter_by_name.find(exact_name);
  return found == augmenter_by_name.end() ? nullptr : found->second;
}

const Action* Entity::find_action(std::string_view any_case) const {
  for (const Action* each : actions)
    if (text::equals_ignoring_ascii_case(each->name, any_case) ||
        text::equals_ignoring_ascii_case(each->pascal_name, any_case))
      return each;
  return nullptr;
}

// Both call/7/attachment and call/7/attachments (API rule 4.6).
const SubResource* Entity::find_sub_resource(std::string_view any_case) const {
  for (const SubResource& each : sub_resources)
    if (text::equals_ignoring_ascii_case(each.name, any_case) ||
        text::equals_ignoring_ascii_case(each.name + "s", any_case))
      return &each;
  return nullptr;
}

const Property* Entity::limiting_partition() const { return partitioned ? find_property(system::partition) : nullptr; }

bool Entity::is_or_extends(const Entity& other) const {
  for (const Entity* each = this; each; each = each->parent)
    if (each == &other) return true;
  return false;
}

const Entity& Entity::root() const {
  const Entity* top = this;
  while (top->parent) top = top->parent;
  return *top;
}

std::vector<const Entity*> Entity::final_types() const {
  std::vector<const Entity*> types;
  collect_final_types(*this, types);
  return types;
}

const Entity* Catalog::find(std::string_view any_case_or_pascal) const {
  auto found = by_folded_name_.find(text::ascii_lower(any_case_or_pascal));
  return found == by_folded_name_.end() ? nullptr : found->second;
}

const Entity* Catalog::find_written(std::string_view name) const {
  if (const Entity* entity = find(name)) return entity;
  for (const auto& entity : entities_)
    if (std::find(entity->formerly.begin(), entity->formerly.end(), name) != entity->formerly.end())
      return entity.get();
  return nullptr;
}

std::vector<std::string_view> Catalog::entity_names() const {
  std::vector<std::string_view> names;
  for (const auto& entity : entities_) names.push_back(entity->name);
  return names;
}

}  // namespace callisto::catalog
