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
  std::map<std::string, const StateSet*> by_scope;
  for (const StateSetDefinition& definition : definitions_.states) {
    if (definition.entity == common_scope) {
      problems_.add(definition.origin, "states belong to an entity, not to 'common'");
      continue;
    }
    if (!is_scope(definition.entity, definition.origin, "these states")) continue;
    check_states(definition);
    Draft& draft = *find(definition.entity);
    check_state_property(definition, draft);
    auto states = std::make_unique<StateSet>();
    states->property = draft.entity->find_property(definition.property);
    states->file = definition.origin.file;
    for (const auto& each : definition.states) {
      states->states.push_back(each.state);
      states->states.back().file = each.origin.file;
      states->states.back().line = each.origin.line;
    }
    by_scope[definition.entity] = states.get();
    catalog_->state_sets_.push_back(std::move(states));
  }
  for (Draft* draft : roots_first()) {
    Entity& entity = *draft->entity;
    auto own_states = by_scope.find(entity.name);
    if (own_states != by_scope.end()) entity.states = own_states->second;
    else if (entity.parent) entity.states = entity.parent->states;
  }
}

// Names and values that stand for one state each, and one of them to begin with.
void Builder::check_states(const StateSetDefinition& definition) {
  std::map<std::string, Origin> names;
  std::map<std::int64_t, const State*> values;
  const State* initial = nullptr;
  for (const auto& [state, origin, lines] : definition.states) {
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
  for (const auto& [state, origin, lines] : definition.states)
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
  for (const auto& [state, origin, lines] : definition.states)
    if (!fits(Value(state.value), property->type))
      problems_.add(place(origin, lines, "value"),
                    "the value of state " + text::quoted(state.name) + " is no " + name(property->type) + " in range");
}

// Function by function: own, else inherited, else common.
void Builder::add_hooks() {
  std::map<std::string, const HooksDefinition*> by_scope;
  for (const HooksDefinition& definition : definitions_.hooks)
    if (is_scope(definition.entity, definition.origin, "these hooks")) by_scope[definition.entity] = &definition;
  auto lay_over = [&](Hooks& hooks, const std::string& scope) {
    auto found = by_scope.find(scope);
    if (found == by_scope.end()) return;
    for (const auto& [name, member] : hook_names)
      if (found->second->hooks.*member >= 0) hooks.*member = found->second->hooks.*member;
  };
  for (Draft* draft : roots_first()) {
    Entity& entity = *draft->entity;
    if (entity.parent) entity.hooks = entity.parent->hooks;
    else lay_over(entity.hooks, std::string(common_scope));
    lay_over(entity.hooks, entity.name);
  }
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
