#include "engine/base/text.h"
#include "engine/catalog/building.h"
#include "engine/catalog/naming.h"

#include <algorithm>
#include <utility>

namespace callisto::catalog {
namespace {

constexpr std::string_view common_scope = "common";

}  // namespace

void Builder::add_augmenters() {
  std::map<std::pair<std::string, std::string>, Origin> known;
  for (AugmenterDefinition& definition : definitions_.augmenters) {
    const Augmenter& augmenter = definition.augmenter;
    auto [first, added] = known.emplace(std::make_pair(definition.entity, augmenter.name), augmenter.origin);
    if (!added) {
      problems_.add(augmenter.origin, "'@" + augmenter.name + "' is already defined for '" + definition.entity +
                                          "' at " + first->second.file + ':' + std::to_string(first->second.line));
      continue;
    }
    check_augmenter(definition);
    catalog_->augmenters_.push_back(std::make_unique<Augmenter>(augmenter));
    augmenters_by_scope_[definition.entity].push_back(catalog_->augmenters_.back().get());
  }
  for (auto& [name, draft] : drafts_) hand_down_augmenters(draft);
}

void Builder::check_augmenter(const AugmenterDefinition& definition) {
  const Augmenter& augmenter = definition.augmenter;
  if (!is_pascal_name(augmenter.name))
    problems_.add(augmenter.origin, "an augmenter's name begins with a capital and has letters and digits only, not " +
                                        text::quoted(augmenter.name));
  bool is_common = definition.entity == common_scope;
  if (is_common) {
    for (auto& [name, draft] : drafts_) check_needs(definition, draft);
  } else if (is_scope(definition.entity, augmenter.origin, "'@" + augmenter.name + "'")) {
    check_needs(definition, *find(definition.entity));
  }
}

// Every path of `needs` leads through lookups to a property.
void Builder::check_needs(const AugmenterDefinition& definition, const Draft& draft) {
  const Augmenter& augmenter = definition.augmenter;
  for (const std::string& path : augmenter.needs) {
    Origin origin = place(augmenter.origin, definition.lines, "needs/" + path);
    const Draft* step = &draft;
    auto names = text::split(path, '.');
    for (std::size_t i = 0; i < names.size() && !step->incomplete; ++i) {
      const Property* property = step->entity->find_property(names[i]);
      bool is_last = i + 1 == names.size();
      if (property && (is_last || property->target)) {
        if (!is_last) step = find(property->target->name);
        continue;
      }
      if (property && property->type == DataType::Lookup) break;  // to nowhere: reported where it is defined
      if (property) problems_.add(origin, "'" + property->name + "' in needs " + text::quoted(path) + " is no lookup");
      else
        problems_.unknown(origin, "property", names[i], "needs of '@" + augmenter.name + "'",
                          property_names(*step->entity));
      break;
    }
  }
}

// Common ones first, then from the root down: the nearest of a name wins.
void Builder::hand_down_augmenters(Draft& draft) {
  Entity& entity = *draft.entity;
  std::vector<std::string> scopes{entity.name};
  for (const Entity* each = entity.parent; each; each = each->parent) scopes.insert(scopes.begin(), each->name);
  scopes.insert(scopes.begin(), std::string(common_scope));
  for (const std::string& scope : scopes) {
    auto found = augmenters_by_scope_.find(scope);
    if (found == augmenters_by_scope_.end()) continue;
    for (const Augmenter* augmenter : found->second) entity.augmenter_by_name[augmenter->name] = augmenter;
  }
  for (const auto& [name, augmenter] : entity.augmenter_by_name) entity.augmenters.push_back(augmenter);
}

}  // namespace callisto::catalog
