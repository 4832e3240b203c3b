#include "engine/catalog/builder.h"

#include "engine/catalog/building.h"
#include "engine/catalog/holders.h"

#include <utility>

namespace callisto::catalog {

Builder::Builder(Definitions definitions) : definitions_(std::move(definitions)) {}

// Entities first, then what every entity needs of others: each step finds all its problems before the next begins.
BuildResult Builder::run() {
  declare_entities();
  fill_choices();
  resolve_parents();
  break_cycles();
  for (auto& [name, draft] : drafts_) complete(draft);
  check_shared_columns();
  check_former_names();
  resolve_lookups();
  for (auto& [name, draft] : drafts_) {
    resolve_mirrors(draft);
    add_query_aliases(draft);
    add_former_aliases(draft);
  }
  for (const auto& [name, draft] : drafts_) add_rights(draft);
  for (auto& [name, draft] : drafts_) {
    choose_summary(draft);
    choose_label(draft);
    add_sub_resources(draft);
    add_indexes(draft);
  }
  add_states();
  add_augmenters();
  add_actions();
  add_hooks();
  for (const auto& [name, draft] : drafts_) {
    check_history(draft);
    check_attachments(draft);
  }
  if (problems_.empty()) check_circles();
  if (!problems_.empty() || !definitions_.unreadable.empty()) return {nullptr, problems_.take(), {}};
  if (definitions_.stored) call_as_stored(*definitions_.stored);
  return {std::move(catalog_), {}, warnings_.take()};
}

// What hangs on a record is visible where that is, which must come to an end.
void Builder::check_circles() {
  const auto circle = circle_of_holders(*catalog_);
  if (circle.empty()) return;
  std::string names = "'" + circle.front().list->entity->name + "'";
  for (const Holder& holder : circle) names += " hangs on '" + holder.parent->name + "'";
  problems_.add(circle.back().list->origin, "lists lead in a circle: " + names,
                "leave the lookup of one of them without `required`, or the list out");
}

Builder::Draft* Builder::find(std::string_view name) {
  auto found = drafts_.find(name);
  return found == drafts_.end() ? nullptr : &found->second;
}

// The folder below scripts/ that a definition stands in.
bool Builder::is_scope(const std::string& entity, const Origin& origin, std::string_view what) {
  if (entity == "common" || find(entity)) return true;
  if (!is_unreadable(entity))
    problems_.unknown(origin, "entity", entity, "the folder of " + std::string(what), entity_names());
  return false;
}

std::vector<Builder::Draft*> Builder::roots_first() {
  std::vector<Draft*> drafts;
  for (auto& [name, draft] : drafts_)
    if (!draft.entity->parent) drafts.push_back(&draft);
  for (std::size_t i = 0; i < drafts.size(); ++i)  // grows as it goes
    for (const Entity* child : drafts[i]->entity->children) drafts.push_back(find(child->name));
  return drafts;
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
