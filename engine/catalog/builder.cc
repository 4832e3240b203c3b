#include "engine/catalog/builder.h"

#include "engine/catalog/building.h"

#include <utility>

namespace callisto::catalog {

Builder::Builder(Definitions definitions) : definitions_(std::move(definitions)) {}

// Entities first, then what every entity needs of others: each step finds all its problems before the next begins.
BuildResult Builder::run() {
  declare_entities();
  resolve_parents();
  break_cycles();
  for (auto& [name, draft] : drafts_) complete(draft);
  check_shared_columns();
  resolve_lookups();
  for (auto& [name, draft] : drafts_) {
    resolve_mirrors(draft);
    add_query_aliases(draft);
  }
  for (auto& [name, draft] : drafts_) {
    choose_summary(draft);
    add_sub_resources(draft);
  }
  add_augmenters();
  if (!problems_.empty() || !definitions_.unreadable.empty()) return {nullptr, problems_.take()};
  return {std::move(catalog_), {}};
}

Builder::Draft* Builder::find(std::string_view name) {
  auto found = drafts_.find(name);
  return found == drafts_.end() ? nullptr : &found->second;
}

std::vector<std::string_view> Builder::entity_names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, draft] : drafts_) names.push_back(name);
  return names;
}

std::vector<std::string_view> Builder::property_names(const Entity& entity) {
  std::vector<std::string_view> names;
  for (const Property* property : entity.properties) names.push_back(property->name);
  return names;
}

Property* Builder::own(Property property) {
  catalog_->properties_.push_back(std::make_unique<Property>(std::move(property)));
  return catalog_->properties_.back().get();
}

BuildResult build(Definitions definitions) { return Builder(std::move(definitions)).run(); }

}  // namespace callisto::catalog
