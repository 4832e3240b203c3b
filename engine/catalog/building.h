// Inside of builder.h: the steps of one build, in the order of run(). One thread; use once.
#pragma once

#include "engine/catalog/problems.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::catalog {

class Builder {
 public:
  explicit Builder(Definitions definitions);
  BuildResult run();

 private:
  struct Draft {
    EntityDefinition definition;
    Entity* entity = nullptr;
    bool incomplete = false;   // something above it could not be read: names that seem unknown may well exist
    bool completed = false;
  };
  // A property's definition beside what became of it, for the steps that need every entity's properties.
  struct Pending {
    const PropertyDefinition* definition;
    Property* property;
  };

  // building_entities.cc
  void declare_entities();
  void declare(EntityDefinition definition);
  void resolve_parents();
  void break_cycles();
  void complete(Draft& draft);
  void inherit(Draft& draft, const Draft& parent);
  void begin_root(Draft& draft);
  void add_type_column(Draft& draft);
  void add_property(Draft& draft, const PropertyDefinition& definition);
  void list(Draft& draft, const Property* property);
  void check_shared_columns();

  // building_links.cc
  void resolve_lookups();
  void resolve_mirrors(Draft& draft);
  void add_query_aliases(Draft& draft);
  void add_query_aliases(Draft& draft, const Draft& from);
  void choose_summary(Draft& draft);
  std::vector<const Property*> default_summary(const Draft& draft) const;
  void add_sub_resources(Draft& draft);
  bool resolve_sub_resource(const Draft& draft, const EntityDefinition::SubResourceDefinition& definition,
                            bool is_own, SubResource& resolved);

  // building_augmenters.cc
  void add_augmenters();
  void check_augmenter(const AugmenterDefinition& definition);
  void check_needs(const AugmenterDefinition& definition, const Draft& draft);
  void hand_down_augmenters(Draft& draft);

  Draft* find(std::string_view name);
  std::vector<std::string_view> entity_names() const;
  static std::vector<std::string_view> property_names(const Entity& entity);
  bool is_unreadable(const std::string& name) const { return definitions_.unreadable.count(name) > 0; }
  Property* own(Property property);

  Definitions definitions_;
  Problems problems_;
  std::shared_ptr<Catalog> catalog_ = std::make_shared<Catalog>();
  std::map<std::string, Draft, std::less<>> drafts_;
  std::vector<Pending> pending_;
  std::map<std::string, std::vector<const Augmenter*>> augmenters_by_scope_;
};

}  // namespace callisto::catalog
