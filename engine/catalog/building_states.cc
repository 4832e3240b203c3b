#include "engine/base/text.h"
#include "engine/catalog/building.h"
#include "engine/catalog/property_rules.h"

#include <algorithm>
#include <set>
#include <utility>

namespace callisto::catalog {
namespace {

constexpr std::string_view common_scope = "common";
constexpr std::string_view history_list = "history";
constexpr std::string_view attachment_list = "attachment";

std::string at(const Origin& origin) { return origin.file + ':' + std::to_string(origin.line); }

}  // namespace

void Builder::add_states() {
  std::map<std::string, const StateSetDefinition*> own_states;
  std::map<std::string, std::vector<const StateSetDefinition*>> additions;
  const auto belongs = [&](const StateSetDefinition& definition) {
    const bool is_common = definition.entity == common_scope;
    if (is_common) problems_.add(definition.origin, "states belong to an entity, not to 'common'");
    return !is_common && is_scope(definition.entity, definition.origin, "these states");
  };
  for (const StateSetDefinition& definition : definitions_.states)
    if (belongs(definition)) own_states[definition.entity] = &definition;
  for (const StateSetDefinition& definition : definitions_.state_additions)
    if (belongs(definition)) additions[definition.entity].push_back(&definition);
  for (Draft* draft : roots_first()) {
    const auto own_ones = own_states.find(draft->entity->name);
    choose_states(*draft, own_ones == own_states.end() ? nullptr : own_ones->second, additions[draft->entity->name]);
  }
}

// Its own ones, else those that it inherits; with what is added to them in its folder.
void Builder::choose_states(Draft& draft, const StateSetDefinition* own_states,
                            const std::vector<const StateSetDefinition*>& additions) {
  Entity& entity = *draft.entity;
  const KnownStates* inherited = nullptr;
  for (const Entity* each = entity.parent; each && !inherited; each = each->parent)
    if (const auto found = states_by_scope_.find(each->name); found != states_by_scope_.end())
      inherited = &found->second;
  if (!own_states && additions.empty()) {
    if (inherited) entity.states = inherited->made;
    return;
  }
  if (!own_states && !inherited) {
    if (!is_unreadable(entity.name + "/states"))
      problems_.add(additions.front()->origin, "'" + entity.name + "' has no states to add to",
                    "they stand in " + entity.name + "/states.lua");
    return;
  }
  KnownStates& known = states_by_scope_[entity.name];
  known.definition = own_states ? *own_states : inherited->definition;
  known.is_sound = own_states || inherited->is_sound;
  const std::size_t known_problems = problems_.count();
  for (const StateSetDefinition* addition : additions) add_states(known.definition, *addition);
  make_states(draft, known);
  known.is_sound = known.is_sound && problems_.count() == known_problems;
  entity.states = known.made;
}

// New states, and more groups for those that are there.
void Builder::add_states(StateSetDefinition& states, const StateSetDefinition& addition) {
  for (const auto& added : addition.states) {
    if (added.has_value) states.states.push_back(added);
    else add_groups(states, added);
  }
}

void Builder::add_groups(StateSetDefinition& states, const StateSetDefinition::StateDefinition& added) {
  const std::string quoted = text::quoted(added.state.name);
  for (const auto& [option, line] : added.lines)
    if (option != "group" && !option.starts_with("group/"))
      return problems_.add({added.origin.file, line}, "'" + option + "' of state " + quoted + " without a value",
                           "a state that is there takes 'group' alone, a new one needs 'value'");
  if (added.state.groups.empty())
    return problems_.add(added.origin, "state " + quoted + " has neither 'value' nor 'group'",
                         "a new state needs 'value', one that is there takes 'group'");
  const auto is_it = [&](const auto& each) { return each.state.name == added.state.name; };
  const auto found = std::find_if(states.states.begin(), states.states.end(), is_it);
  if (found != states.states.end()) {
    auto& groups = found->state.groups;
    groups.insert(groups.end(), added.state.groups.begin(), added.state.groups.end());
    return;
  }
  std::vector<std::string_view> names;
  for (const auto& each : states.states) names.push_back(each.state.name);
  const std::string near = did_you_mean(added.state.name, names);
  problems_.add(added.origin, "there is no state " + quoted + " to give groups to",
                near.empty() ? "a new state needs 'value'" : near);
}

void Builder::make_states(const Draft& draft, KnownStates& known) {
  const StateSetDefinition& definition = known.definition;
  check_states(definition);
  check_state_property(definition, draft);
  auto states = std::make_unique<StateSet>();
  states->property = draft.entity->find_property(definition.property);
  states->file = definition.origin.file;
  for (const auto& each : definition.states) {
    states->states.push_back(each.state);
    states->states.back().file = each.origin.file;
    states->states.back().line = each.origin.line;
  }
  known.made = states.get();
  catalog_->state_sets_.push_back(std::move(states));
}

// Names and values that stand for one state each, and one of them to begin with.
void Builder::check_states(const StateSetDefinition& definition) {
  std::map<std::string, Origin> names;
  std::map<std::int64_t, const State*> values;
  const State* initial = nullptr;
  for (const auto& [state, has_value, origin, lines] : definition.states) {
    if (auto [known, added] = names.emplace(state.name, origin); !added)
      problems_.add(origin, "state " + text::quoted(state.name) + " is already defined at " + at(known->second));
    else if (auto [other, is_new] = values.emplace(state.value, &state); !is_new)
      problems_.add(place(origin, lines, "value"), "state " + text::quoted(state.name) + " has the value " +
                                                       std::to_string(state.value) + " of " +
                                                       text::quoted(other->second->name));
    if (state.initial && initial)
      problems_.add(place(origin, lines, "initial"), text::quoted(initial->name) + " is initial already, and " +
                                                         text::quoted(state.name) + " cannot be as well");
    if (state.initial && !initial) initial = &state;
  }
  for (const auto& [state, has_value, origin, lines] : definition.states)
    for (const std::string& group : state.groups)
      if (names.count(group) > 0)
        problems_.add(place(origin, lines, "group/" + group),
                      "group " + text::quoted(group) + " has the name of a state");
  if (!initial)
    problems_.add(definition.origin, "no state is the one of a new record: give one of them 'initial = true'");
}

void Builder::check_state_property(const StateSetDefinition& definition, const Draft& draft) {
  const Property* property = draft.entity->find_property(definition.property);
  if (!property || property->query_alias) {
    if (!draft.incomplete)
      problems_.unknown(definition.origin, "property", definition.property, "the states of '" + definition.entity + "'",
                        property_names(*draft.entity));
    return;
  }
  if (property->type != DataType::Lookup && !is_whole(property->type)) {
    problems_.add(definition.origin, "a state is held by a lookup or a whole number, and '" + property->name + "' is " +
                                         name(property->type));
    return;
  }
  for (const auto& [state, has_value, origin, lines] : definition.states)
    if (!fits(Value(state.value), property->type))
      problems_.add(place(origin, lines, "value"),
                    "the value of state " + text::quoted(state.name) + " is no " + name(property->type) + " in range");
}

// History rows are numbered below their record: a list "history" of an entity whose key is the record and a whole
// number.
void Builder::check_history(const Draft& draft) {
  const Entity& entity = *draft.entity;
  bool is_told_above = entity.parent && entity.parent->history && draft.definition.sub_resources.empty();
  if (!entity.history || draft.incomplete || is_told_above) return;
  Origin origin = place(draft.definition.origin, draft.definition.lines, "history");
  const SubResource* list = entity.find_sub_resource(history_list);
  if (!list) {
    if (definitions_.unreadable.empty())
      problems_.add(origin,
                    "'" + entity.name + "' keeps history, but has no list \"history\" among its 'sub_resources'");
    return;
  }
  const auto& key = list->entity->key;
  auto is_order = [&](const Property* each) { return each != list->link && is_whole(each->type); };
  if (find(list->entity->name)->incomplete) return;
  if (key.size() != 2 || std::find(key.begin(), key.end(), list->link) == key.end() ||
      std::none_of(key.begin(), key.end(), is_order))
    problems_.add(origin, "the key of '" + list->entity->name + "', where '" + entity.name +
                              "' keeps history, must be '" + (list->link ? list->link->name : "") +
                              "' and a whole number that counts the rows");
}

// Files of a record are the rows of its list "attachment" (API rule 4.6).
void Builder::check_attachments(const Draft& draft) {
  const Entity& entity = *draft.entity;
  bool is_told_above = entity.parent && entity.parent->attachments && draft.definition.sub_resources.empty();
  if (!entity.attachments || draft.incomplete || is_told_above || entity.find_sub_resource(attachment_list)) return;
  if (definitions_.unreadable.empty())
    problems_.add(place(draft.definition.origin, draft.definition.lines, "attachments"),
                  "'" + entity.name + "' takes attachments, but has no list \"attachment\" among its 'sub_resources'");
}

}  // namespace callisto::catalog
