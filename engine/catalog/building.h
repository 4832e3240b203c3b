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
    bool incomplete = false;  // something above it could not be read: names that seem unknown may well exist
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
  void fill_choices();
  void add_to(EntityDefinition addition);
  void resolve_parents();
  void break_cycles();
  void complete(Draft& draft);
  void check_deleted_mark(const Entity& entity);
  void inherit(Draft& draft, const Draft& parent);
  void begin_root(Draft& draft);
  void add_type_column(Draft& draft);
  void add_property(Draft& draft, const PropertyDefinition& definition);
  void add_rights(const Draft& draft);
  void list(Draft& draft, const Property* property);
  void check_shared_columns();

  // building_links.cc
  void resolve_lookups();
  void resolve_mirrors(Draft& draft);
  void add_query_aliases(Draft& draft);
  void add_query_aliases(Draft& draft, const Draft& from);
  void add_alias(Draft& draft, const Property& target, const std::string& alias, const Origin& origin);
  void choose_summary(Draft& draft);
  void choose_label(Draft& draft);
  std::vector<const Property*> default_summary(const Draft& draft) const;
  void add_sub_resources(Draft& draft);
  bool resolve_sub_resource(const Draft& draft, const EntityDefinition::SubResourceDefinition& definition, bool is_own,
                            SubResource& resolved);

  // building_formerly.cc
  void check_former_names();
  void check_former_properties();
  void check_former_entities();
  void check_former_states(const StateSetDefinition& definition);
  void add_former_aliases(Draft& draft);
  void call_as_stored(const StoredNames& stored);

  // building_indexes.cc
  void add_indexes(Draft& draft);
  void add_index(Draft& draft, const EntityDefinition::IndexDefinition& definition);
  bool read_part(const Draft& draft, const EntityDefinition::IndexDefinition& definition, const std::string& word,
                 Index& index);
  const Property* indexable(const Draft& draft, const EntityDefinition::IndexDefinition& definition,
                            const std::string& name);
  bool read_where(const Draft& draft, const EntityDefinition::IndexDefinition& definition, Index& index);
  void check_doubles(const Entity& entity, const Index& index);

  // building_augmenters.cc
  void add_augmenters();
  void check_augmenter(const AugmenterDefinition& definition);
  void check_needs(const AugmenterDefinition& definition, const Draft& draft);
  void hand_down_augmenters(Draft& draft);

  // building_states.cc
  void add_states();
  void check_states(const StateSetDefinition& definition);
  void check_state_property(const StateSetDefinition& definition, const Draft& draft);
  void add_hooks();
  void check_history(const Draft& draft);
  void check_attachments(const Draft& draft);
  void check_circles();

  // building_actions.cc
  void add_actions();
  void check_action(const ActionDefinition& definition);
  void check_parameters(const ActionDefinition& definition);
  void check_answers(const ActionDefinition& definition);
  void check_target(const PropertyDefinition& wanted);
  void hand_down_actions(Draft& draft, std::map<std::string, const ActionDefinition*> nearest);
  // As the entity, else what it extends, says it.
  std::string inherited(const Draft& draft, std::string EntityDefinition::*option);
  std::string right_of(const Draft& draft, Action::Kind kind);
  void add_action(Draft& draft, const ActionDefinition& definition);
  void add_restore(Draft& draft, const ActionDefinition& definition);
  void resolve_states(const Draft& draft, const ActionDefinition& definition, Action& action);
  void resolve_parameters(const Draft& draft, const ActionDefinition& definition, Action& action);
  void resolve_answers(const Draft& draft, const ActionDefinition& definition, Action& action);
  const Property* named_property(const Draft& draft, const ActionDefinition& definition,
                                 const PropertyDefinition& wanted);
  const Property* own_parameter(const Draft& draft, const PropertyDefinition& wanted);

  bool is_scope(const std::string& entity, const Origin& origin, std::string_view what);
  std::vector<Draft*> roots_first();

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
  std::map<std::string, std::map<std::string, const ActionDefinition*>> actions_by_scope_;
  std::set<const ActionDefinition*> broken_actions_;  // said already: what inherits one has the same problem
};

}  // namespace callisto::catalog
