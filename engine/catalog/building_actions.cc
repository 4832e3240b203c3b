#include "engine/base/text.h"
#include "engine/catalog/building.h"
#include "engine/catalog/naming.h"
#include "engine/catalog/property_rules.h"

#include <algorithm>
#include <utility>

namespace callisto::catalog {
namespace {

constexpr std::string_view common_scope = "common";
constexpr const char* of_deleted_mark = " of deleted";

std::vector<std::string_view> state_names(const StateSet& states) {
  std::vector<std::string_view> names;
  for (const State& state : states.states) names.push_back(state.name);
  return names;
}

// The values that a state, or a group of states too, stands for.
std::vector<std::int64_t> values_of(const StateSet& states, const std::string& word, bool with_groups) {
  if (with_groups) return states.named(word);
  for (const State& state : states.states)
    if (state.name == word) return {state.value};
  return {};
}

}  // namespace

// An action for deleted records stands beside one of the same name for others.
std::string Builder::key_of(const Action& action) {
  return action.of_deleted ? key_of_deleted(action.name) : action.name;
}
std::string Builder::key_of_deleted(const std::string& name) { return name + of_deleted_mark; }

std::string Builder::label(const ActionDefinition& definition) {
  return (definition.addition.empty() ? "action '" : "addition to action '") + definition.action.name + "'";
}

// With the entity that has it, where that is not the one it is written for.
std::string Builder::label(const ActionDefinition& definition, const Entity& entity) {
  return label(definition) + (definition.entity == entity.name ? "" : " of '" + entity.name + "'");
}

void Builder::add_actions() {
  for (const ActionDefinition& definition : definitions_.actions) {
    if (!is_scope(definition.entity, definition.origin, label(definition))) continue;
    auto [known, added] = actions_by_scope_[definition.entity].emplace(key_of(definition.action), &definition);
    if (!added)
      problems_.add(definition.origin, label(definition) + " is already defined for '" + definition.entity + "' at " +
                                           known->second->origin.file + ':' +
                                           std::to_string(known->second->origin.line));
    check_action(definition);
    check_parameters(definition);
    check_answers(definition);
  }
  for (const ActionDefinition& addition : definitions_.action_additions) {
    if (!is_scope(addition.entity, addition.origin, "this " + label(addition))) continue;
    action_additions_by_scope_[addition.entity].push_back(&addition);
    check_action(addition);
    check_parameters(addition);
  }
  Reach common{actions_by_scope_[std::string(common_scope)], {}};
  add_to_actions(std::string(common_scope), common);
  for (auto& [name, draft] : drafts_)
    if (!draft.entity->parent) hand_down_actions(draft, common);
  tell_grants_in_vain();
  tell_lacking_states();
}

// The nearest of a name wins, and has the additions of all. Read, create, update and delete come first.
void Builder::hand_down_actions(Draft& draft, Reach reach) {
  auto& nearest = reach.nearest;
  for (const auto& [name, definition] : actions_by_scope_[draft.entity->name]) {
    if (action_kind(name) == Action::Kind::Own && !definition->action.supported && nearest.count(name) == 0)
      problems_.add(place(definition->origin, definition->lines, "supported"),
                    label(*definition) + " takes away nothing: '" + draft.entity->name + "' inherits no such action");
    nearest[name] = definition;
  }
  add_to_actions(draft.entity->name, reach);
  for (const Action::Kind kind : {Action::Kind::Read, Action::Kind::Create, Action::Kind::Update, Action::Kind::Delete})
    if (auto found = nearest.find(traits(kind).name); found != nearest.end()) add_action(draft, *found->second, reach);
  for (const auto& [name, definition] : nearest)
    if (action_kind(name) == Action::Kind::Own && !definition->action.of_deleted && definition->action.supported)
      add_action(draft, *definition, reach);
  for (const auto& [name, definition] : nearest)
    if (definition->action.of_deleted) add_restore(draft, *definition, reach);
  for (const Entity* child : draft.entity->children) hand_down_actions(*find(child->name), reach);
}

std::string Builder::inherited(const Draft& draft, std::string EntityDefinition::*option) {
  if (!(draft.definition.*option).empty() || !draft.entity->parent) return draft.definition.*option;
  return inherited(*find(draft.entity->parent->name), option);
}

std::string Builder::right_of(const Draft& draft, Action::Kind kind) {
  const std::string changing = kind == Action::Kind::Read || kind == Action::Kind::Own
                                   ? std::string()
                                   : inherited(draft, &EntityDefinition::writers);
  return changing.empty() ? inherited(draft, &EntityDefinition::right) : changing;
}

void Builder::add_action(Draft& draft, const ActionDefinition& definition, const Reach& reach) {
  if (broken_actions_.count(&definition) > 0) return;
  std::size_t known_problems = problems_.count();
  Action action = definition.action;
  action.kind = action_kind(action.name);
  action.pascal_name = text::pascal_case(action.name);
  if (action.title.empty()) action.title = sentence_of(action.name);
  action.supported = action.supported && !draft.entity->abstract;
  const std::string right = right_of(draft, action.kind);
  if (!right.empty() && !action.of_deleted &&
      (definition.entity == common_scope || definition.lines.count("allowed") == 0))
    action.allowed = {{right, Grant{Grant::Kind::Always, {}}}};
  action.file = definition.origin.file;
  action.line = definition.origin.line;
  action.lines = definition.lines;
  resolve_states(draft, definition, action);
  resolve_parameters(draft, definition, action);
  resolve_answers(draft, definition, action);
  if (problems_.count() > known_problems) broken_actions_.insert(&definition);
  const auto additions = reach.additions.find(key_of(action));
  if (action.supported && additions != reach.additions.end())
    for (const ActionDefinition* addition : additions->second) extend(draft, *addition, action);
  catalog_->actions_.push_back(std::make_unique<Action>(std::move(action)));
  const Action* added = catalog_->actions_.back().get();
  if (added->is_read()) draft.entity->read = added;
  else draft.entity->actions.push_back(added);
}

// What is common is for entities whose records are deleted by an action of their own, and stay stored.
void Builder::add_restore(Draft& draft, const ActionDefinition& definition, const Reach& reach) {
  Entity& entity = *draft.entity;
  const Action* removal = entity.find_action("delete");
  const bool is_meant = definition.entity != common_scope || (removal && removal->supported);
  if (!definition.action.supported || !is_meant || entity.abstract || !entity.deletable || entity.key.size() != 1)
    return;
  const bool is_taken = entity.find_action(definition.action.name) != nullptr;
  add_action(draft, definition, reach);
  if (entity.actions.empty() || !entity.actions.back()->of_deleted) return;
  entity.restore = entity.actions.back();
  if (is_taken) entity.actions.pop_back();
}

void Builder::check_action(const ActionDefinition& definition) {
  const Action& action = definition.action;
  auto wrong = [&](const std::string& word, std::string message, std::string suggestion = {}) {
    problems_.add(place(definition.origin, definition.lines, word), std::move(message), std::move(suggestion));
  };
  if (!is_kebab_name(action.name))
    wrong("", "an action's name has small letters, digits and single hyphens only, not " + text::quoted(action.name));
  for (const std::string& event : action.raises)
    if (!is_pascal_name(event))
      wrong("raises/" + event,
            "an event's name begins with a capital and has letters and digits only, not " + text::quoted(event));
  for (const auto& [type, grant] : action.allowed) {
    const std::vector<std::string_view> known(std::begin(grantees), std::end(grantees));
    if (std::find(known.begin(), known.end(), type) == known.end())
      problems_.unknown(place(definition.origin, definition.lines, "allowed/" + type), "session type or right", type,
                        "'allowed' of " + label(definition), known);
    if (grant.kind == Grant::Kind::Where && text::trim(grant.filter).empty())
      wrong("allowed/" + type, "the filter of '" + type + "' in 'allowed' of " + label(definition) + " is empty",
            "write true or false, or a filter");
  }
  if (action.of_deleted)
    for (const char* word : {"from", "due", "moves_to", "may_move_to"})
      if (definition.lines.count(word) > 0)
        wrong(word, "'" + std::string(word) + "' is not for deleted records, which come back as they were");
  if (action.of_deleted && action_kind(action.name) != Action::Kind::Own)
    wrong("deleted", "'deleted' is not for " + action.name);
  const bool demands = std::any_of(definition.parameters.begin(), definition.parameters.end(),
                                   [](const auto& each) { return each.required || !each.group.empty(); });
  if (!action.due.empty() && action_kind(action.name) == Action::Kind::Create)
    wrong("due", "'due' is not for create: there is no record yet");
  if (!action.due.empty() && demands)
    wrong("due", label(definition) + " cannot be 'due': nobody can give what is mandatory");
  if (action_kind(action.name) == Action::Kind::Read) {
    for (const char* word : {"from", "offered", "due", "moves_to", "may_move_to", "raises", "mandatory", "optional",
                             "run", "supported", "answers", "needs", "before", "after"})
      if (definition.lines.count(word) > 0)
        wrong(word, "'" + std::string(word) + "' is not for read, which says who sees which records",
              "'allowed' and 'description' are for read");
  }
  if (action_kind(action.name) != Action::Kind::Create) return;
  if (!definition.from.empty()) wrong("from", "'from' is not for create: there is no state yet");
  if (!definition.moves_to.empty())
    wrong("moves_to", "'moves_to' is not for create: a new record has the initial state, or what 'run' sets");
  if (!action.offered.empty()) wrong("offered", "'offered' is not for create: there is no record yet");
}

void Builder::resolve_states(const Draft& draft, const ActionDefinition& definition, Action& action) {
  const Entity& entity = *draft.entity;
  bool is_unknown = draft.incomplete;  // states may well be where something could not be read
  for (const Entity* each = &entity; each; each = each->parent)
    is_unknown = is_unknown || is_unreadable(each->name + "/states");
  if (const KnownStates* known = states_of(entity)) is_unknown = is_unknown || !known->is_sound;
  if (is_unknown || action.is_read()) return;
  auto resolve = [&](const std::string& option, const std::string& word, bool with_groups) {
    std::string where = "'" + option + "' of " + label(definition, entity);
    if (!entity.states) {
      problems_.add(place(definition.origin, definition.lines, option),
                    where + " needs states, and '" + entity.name + "' has none",
                    "they stand in " + entity.name + "/states.lua");
      return std::vector<std::int64_t>();
    }
    auto values = values_of(*entity.states, word, with_groups);
    if (values.empty() && is_above_states(definition, entity)) note_lacking(entity, definition, word);
    else if (values.empty())
      problems_.unknown(
          place(place(definition.origin, definition.lines, option), definition.lines, option + '/' + word), "state",
          word, where, with_groups ? entity.states->words() : state_names(*entity.states));
    return values;
  };
  auto resolve_all = [&](const std::string& option, const std::vector<std::string>& words) {
    std::vector<std::int64_t> all;
    for (const std::string& word : words)
      for (std::int64_t value : resolve(option, word, true))
        if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
    return all;
  };
  for (const std::int64_t value : resolve_all("may_move_to", definition.may_move_to)) {
    auto& all = action.may_move_to;
    if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
  }
  if (!definition.addition.empty()) return;  // which says no more of states
  if (action.creates()) return;
  action.from = resolve_all("from", definition.from);
  if (definition.moves_to.empty()) return;
  if (auto values = resolve("moves_to", definition.moves_to, false); !values.empty()) action.moves_to = values[0];
}

}  // namespace callisto::catalog
