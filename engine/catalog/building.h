// Inside of builder.h: the steps of one build, in the order of run(). One thread; use once.
#pragma once

#include "engine/catalog/problems.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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
  bool takes(const Draft& draft, const AugmenterDefinition& addition);
  static std::vector<std::string_view> augmenter_names(const Entity& entity);
  const Augmenter* joined(const Augmenter& augmenter, const std::vector<const AugmenterDefinition*>& additions);
  const Augmenter* state_condition();

  // building_states.cc
  // The states of a scope, with all that adds to them, and what became of them.
  struct KnownStates {
    StateSetDefinition definition;
    const StateSet* made = nullptr;
    bool is_sound = true;  // false: something of them is wrong, and what names them may be right
  };
  void add_states();
  void choose_states(Draft& draft, const StateSetDefinition* own_states,
                     const std::vector<const StateSetDefinition*>& additions);
  void make_states(const Draft& draft, KnownStates& known);
  void add_states(StateSetDefinition& states, const StateSetDefinition& addition);
  void add_groups(StateSetDefinition& states, const StateSetDefinition::StateDefinition& added);
  void check_states(const StateSetDefinition& definition);
  void check_state_property(const StateSetDefinition& definition, const Draft& draft);

  // building_hooks.cc
  void add_hooks();
  void append_hooks(Hooks& hooks, const HooksDefinition& definition, std::map<int, Origin>& places);
  void check_history(const Draft& draft);
  void check_attachments(const Draft& draft);
  void check_circles();

  // building_actions.cc
  static std::string key_of(const Action& action);               // in Reach
  static std::string key_of_deleted(const std::string& name);    // of one for deleted records
  static std::string label(const ActionDefinition& definition);  // "action 'close'"
  static std::string label(const ActionDefinition& definition, const Entity& entity);
  void add_actions();
  void check_action(const ActionDefinition& definition);
  // What the names of actions stand for in a scope, and what adds to them.
  struct Reach {
    std::map<std::string, const ActionDefinition*> nearest;
    std::map<std::string, std::vector<const ActionDefinition*>> additions;
  };
  void hand_down_actions(Draft& draft, Reach reach);
  // As the entity, else what it extends, says it.
  std::string inherited(const Draft& draft, std::string EntityDefinition::*option);
  std::string right_of(const Draft& draft, Action::Kind kind);
  void add_action(Draft& draft, const ActionDefinition& definition, const Reach& reach);
  void add_restore(Draft& draft, const ActionDefinition& definition, const Reach& reach);
  void resolve_states(const Draft& draft, const ActionDefinition& definition, Action& action);

  // building_parameters.cc
  void check_parameters(const ActionDefinition& definition);
  void check_answers(const ActionDefinition& definition);
  void check_target(const PropertyDefinition& wanted);
  void resolve_parameters(const Draft& draft, const ActionDefinition& definition, Action& action);
  void resolve_answers(const Draft& draft, const ActionDefinition& definition, Action& action);
  const Property* named_property(const Draft& draft, const ActionDefinition& definition,
                                 const PropertyDefinition& wanted);
  const Property* own_parameter(const Draft& draft, const PropertyDefinition& wanted);

  // building_additions.cc
  void add_to_actions(const std::string& scope, Reach& reach);
  void extend(const Draft& draft, const ActionDefinition& addition, Action& action);
  void narrow(const ActionDefinition& addition, Action& action);
  void add_parameters(const Draft& draft, const ActionDefinition& addition, Action& action);
  void add_needs(const Draft& draft, const ActionDefinition& addition, Action& action, Addition& told);
  void tell_grants_in_vain();
  void note_lacking(const Entity& entity, const ActionDefinition& definition, const std::string& word);
  void tell_lacking_states();
  bool is_above_states(const ActionDefinition& definition, const Entity& entity);
  KnownStates* states_of(const Entity& entity);

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
  Problems warnings_;
  std::map<std::string, std::vector<const Augmenter*>> augmenters_by_scope_;
  // Augmenters with the same additions are one.
  std::map<std::vector<const void*>, const Augmenter*> joined_augmenters_;
  const Augmenter* state_condition_ = nullptr;
  std::map<std::string, KnownStates> states_by_scope_;  // of entities with states or additions of their own
  std::map<std::string, std::map<std::string, const ActionDefinition*>> actions_by_scope_;
  std::map<std::string, std::vector<const ActionDefinition*>> action_additions_by_scope_;
  std::map<std::pair<const ActionDefinition*, std::string>, bool> narrowed_;  // grants of additions: met one
  struct Lacking {
    std::vector<std::string> words, actions;
    const ActionDefinition* first = nullptr;
  };
  std::map<std::string, Lacking> lacking_;  // by the scope of states: what inherited actions name and these have not
  std::set<const ActionDefinition*> broken_actions_;  // said already: what inherits one has the same problem
};

}  // namespace callisto::catalog
