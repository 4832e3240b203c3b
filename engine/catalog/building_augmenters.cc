#include "engine/base/text.h"
#include "engine/catalog/building.h"
#include "engine/catalog/naming.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace callisto::catalog {
namespace {

constexpr std::string_view common_scope = "common";

void add_filters(const AugmenterDefinition& addition, Augmenter& all) {
  for (const auto& [word, filter, sign] :
       {std::tuple{"also", &addition.also, " || "}, {"only", &addition.only, " && "}}) {
    if (filter->empty()) continue;
    all.filter = "(" + all.filter + ")" + sign + "(" + *filter + ")";
    all.parts.push_back(
        {*filter, addition.augmenter.origin.file, place(addition.augmenter.origin, addition.lines, word).line});
  }
}

void add_code(const AugmenterDefinition& addition, Augmenter& all) {
  all.after.push_back(addition.after);
  for (const std::string& need : addition.augmenter.needs)
    if (std::find(all.needs.begin(), all.needs.end(), need) == all.needs.end()) all.needs.push_back(need);
  all.parts.push_back({"", addition.augmenter.origin.file, addition.augmenter.origin.line});
}

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
  for (const AugmenterDefinition& addition : definitions_.augmenter_additions) {
    const std::string label = "addition to '@" + addition.augmenter.name + "'";
    const bool is_empty = addition.also.empty() && addition.only.empty() && addition.after < 0;
    if (is_scope(addition.entity, addition.augmenter.origin, label) && is_empty)
      problems_.add(addition.augmenter.origin, label + " adds nothing",
                    "to a condition 'also' is a filter that makes it hold as well, 'only' one that must hold too; to "
                    "any other, 'after' is a function that gets its value and returns another");
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

// Common ones first, then from the root down: the nearest of a name wins, and has the additions of all.
void Builder::hand_down_augmenters(Draft& draft) {
  Entity& entity = *draft.entity;
  std::vector<std::string> scopes{entity.name};
  for (const Entity* each = entity.parent; each; each = each->parent) scopes.insert(scopes.begin(), each->name);
  scopes.insert(scopes.begin(), std::string(common_scope));
  std::map<std::string, std::vector<const AugmenterDefinition*>> additions;
  for (const std::string& scope : scopes) {
    for (const Augmenter* augmenter : augmenters_by_scope_[scope])
      entity.augmenter_by_name[augmenter->name] = augmenter;
    for (const AugmenterDefinition& addition : definitions_.augmenter_additions)
      if (addition.entity == scope && takes(draft, addition)) additions[addition.augmenter.name].push_back(&addition);
  }
  for (const auto& [name, added] : additions) {
    const Augmenter*& augmenter = entity.augmenter_by_name[name];
    augmenter = joined(*augmenter, added);
  }
  if (entity.states) entity.augmenter_by_name.emplace(system::state_condition, state_condition());
  for (const auto& [name, augmenter] : entity.augmenter_by_name) entity.augmenters.push_back(augmenter);
}

// What an addition adds to is there, and has what the addition speaks of.
bool Builder::takes(const Draft& draft, const AugmenterDefinition& addition) {
  const Entity& entity = *draft.entity;
  const std::string& name = addition.augmenter.name;
  const Augmenter* known = entity.find_augmenter(name);
  const Origin& origin = addition.augmenter.origin;
  if (!known) {
    if (definitions_.unreadable_rules.count(name) == 0)
      problems_.add(origin, "'" + addition.entity + "' has no augmenter '@" + name + "' to add to",
                    did_you_mean(name, augmenter_names(entity)));
    return false;
  }
  const bool is_condition = known->kind == AugmenterKind::Condition;
  if (is_condition && addition.after >= 0)
    problems_.add(place(origin, addition.lines, "after"),
                  "'after' is code, and '@" + name + "' is a condition, which has none",
                  "'also' is a filter that makes it hold as well, 'only' one that must hold too");
  else if (!is_condition && !(addition.also.empty() && addition.only.empty()))
    problems_.add(origin, "'@" + name + "' is no condition, and has no filter to add to",
                  "write 'after', a function that gets its value and returns another");
  else if (known->kind != AugmenterKind::Extension && !addition.augmenter.needs.empty())
    problems_.add(place(origin, addition.lines, "needs"),
                  "'needs' is for extensions, and '@" + name + "' reads no record");
  else {
    check_needs(addition, draft);
    return true;
  }
  return false;
}

std::vector<std::string_view> Builder::augmenter_names(const Entity& entity) {
  std::vector<std::string_view> names;
  for (const auto& [name, augmenter] : entity.augmenter_by_name) names.push_back(name);
  return names;
}

const Augmenter* Builder::joined(const Augmenter& augmenter, const std::vector<const AugmenterDefinition*>& additions) {
  std::vector<const void*> key{&augmenter};
  key.insert(key.end(), additions.begin(), additions.end());
  const Augmenter*& made = joined_augmenters_[key];
  if (made) return made;
  Augmenter all = augmenter;
  all.parts = {{all.filter, all.origin.file, all.filter_line}};
  for (const AugmenterDefinition* addition : additions)
    if (addition->after >= 0) add_code(*addition, all);
    else add_filters(*addition, all);
  catalog_->augmenters_.push_back(std::make_unique<Augmenter>(std::move(all)));
  return made = catalog_->augmenters_.back().get();
}

const Augmenter* Builder::state_condition() {
  if (state_condition_) return state_condition_;
  Augmenter condition;
  condition.name = system::state_condition;
  condition.kind = AugmenterKind::Condition;
  condition.description = "Whether the state is the named one, or of the named group; '*' stands for any characters.";
  condition.parameters = {{"states", DataType::Text}};
  condition.of_states = true;
  catalog_->augmenters_.push_back(std::make_unique<Augmenter>(std::move(condition)));
  return state_condition_ = catalog_->augmenters_.back().get();
}

}  // namespace callisto::catalog
