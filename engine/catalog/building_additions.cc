#include "engine/base/text.h"
#include "engine/catalog/building.h"

#include <algorithm>
#include <utility>

namespace callisto::catalog {
namespace {

constexpr std::string_view common_scope = "common";

std::string at(const Origin& origin) { return origin.file + ':' + std::to_string(origin.line); }

// `all` and what `added` says as well. `base`: where all that is there so far stands.
void join(std::string& all, std::vector<FilterPart>& parts, FilterPart base, FilterPart added) {
  if (parts.empty() && !all.empty()) parts.push_back(std::move(base));
  parts.push_back(std::move(added));
  if (parts.size() == 1) {
    all = parts.front().filter;
    return;
  }
  all.clear();
  for (const FilterPart& part : parts) all += (all.empty() ? "(" : " && (") + part.filter + ")";
}

FilterPart part_of(const std::string& filter, const Origin& origin) { return {filter, origin.file, origin.line}; }

template <typename T>
void add_once(std::vector<T>& all, const T& one) {
  if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

}  // namespace

// Those of a scope, each to what has its name there: an action for deleted records where there is no other.
void Builder::add_to_actions(const std::string& scope, Reach& reach) {
  for (const ActionDefinition* addition : action_additions_by_scope_[scope]) {
    const std::string& name = addition->action.name;
    auto found = reach.nearest.find(name);
    if (found == reach.nearest.end()) found = reach.nearest.find(key_of_deleted(name));
    if (found != reach.nearest.end() && found->second->action.supported) {
      reach.additions[found->first].push_back(addition);
    } else if (found != reach.nearest.end()) {
      problems_.add(addition->origin, "'" + scope + "' has no action '" + name +
                                          "' to add to: " + at(found->second->origin) + " takes it away");
    } else if (definitions_.unreadable_rules.count(name) == 0) {
      std::vector<std::string_view> names;
      for (const auto& [each, definition] : reach.nearest) names.push_back(definition->action.name);
      problems_.add(addition->origin, "'" + scope + "' has no action '" + name + "' to add to",
                    did_you_mean(name, names));
    }
  }
}

// What is wrong in an addition is said once, however many entities have the action.
void Builder::extend(const Draft& draft, const ActionDefinition& addition, Action& action) {
  if (broken_actions_.count(&addition) > 0) return;
  const std::size_t known_problems = problems_.count();
  Addition told{addition.addition, addition.origin.file, addition.origin.line, {}, addition.before, addition.after};
  if (!addition.action.offered.empty())
    join(action.offered, action.parts["offered"],
         part_of(action.offered, place({action.file, action.line}, action.lines, "offered")),
         part_of(addition.action.offered, place(addition.origin, addition.lines, "offered")));
  narrow(addition, action);
  for (const std::string& event : addition.action.raises) add_once(action.raises, event);
  resolve_states(draft, addition, action);
  add_parameters(draft, addition, action);
  add_needs(draft, addition, action, told);
  action.additions.push_back(std::move(told));
  if (problems_.count() > known_problems) broken_actions_.insert(&addition);
}

// An addition takes rights away and gives none.
void Builder::narrow(const ActionDefinition& addition, Action& action) {
  for (const auto& [grantee, grant] : addition.action.allowed) {
    const auto found = action.allowed.find(grantee);
    const bool is_met = found != action.allowed.end() && found->second.kind != Grant::Kind::Never;
    bool& met = narrowed_[{&addition, grantee}];
    met = met || is_met || grant.kind == Grant::Kind::Never;
    if (!is_met || grant.kind == Grant::Kind::Always) continue;
    if (grant.kind == Grant::Kind::Never) {
      found->second = {};
      continue;
    }
    const std::string option = "allowed/" + grantee;
    join(found->second.filter, action.parts[option],
         part_of(found->second.filter, place({action.file, action.line}, action.lines, option)),
         part_of(grant.filter, place(addition.origin, addition.lines, option)));
    found->second.kind = Grant::Kind::Where;
  }
}

void Builder::tell_grants_in_vain() {
  for (const auto& [grant, is_met] : narrowed_) {
    const auto& [addition, grantee] = grant;
    if (is_met) continue;
    problems_.add(place(addition->origin, addition->lines, "allowed/" + grantee),
                  "'" + grantee + "' in 'allowed' of " + label(*addition) + " narrows nothing: no " + grantee +
                      " may " + addition->action.name,
                  "an addition takes rights away; to give some, write an action '" + addition->action.name +
                      "' in a folder of yours");
  }
}

// A property that the action takes already is no mistake: whoever wrote the action may have come to the same idea.
void Builder::add_parameters(const Draft& draft, const ActionDefinition& addition, Action& action) {
  Action added;
  resolve_parameters(draft, addition, added);
  for (Parameter& parameter : added.parameters) {
    const auto known = std::find_if(action.parameters.begin(), action.parameters.end(), [&](const Parameter& each) {
      return text::equals_ignoring_ascii_case(each.property->name, parameter.property->name);
    });
    if (known == action.parameters.end()) {
      action.parameters.push_back(std::move(parameter));
    } else if (known->is_own || parameter.is_own) {
      problems_.add(parameter.property->origin,
                    "parameter " + text::quoted(parameter.property->name) + " of " + label(addition) +
                        " is there already, at " + at(known->property->origin),
                    "give this one another name, or leave it out");
    }
  }
}

// What a client may write becomes a parameter as well; what only code writes is asked for when the action is done.
void Builder::add_needs(const Draft& draft, const ActionDefinition& addition, Action& action, Addition& told) {
  for (const std::string& word : addition.needs) {
    const Property* property = draft.entity->find_property(word);
    if (!property || property->query_alias) {
      if (!draft.incomplete)
        problems_.unknown(place(addition.origin, addition.lines, "needs/" + word), "property", word,
                          "'needs' of " + label(addition, *draft.entity), property_names(*draft.entity));
      continue;
    }
    const Property& real = property->mirror_of ? *property->mirror_of : *property;
    told.needs.push_back(&real);
    if (property->readonly || property->internal || action.removes()) continue;
    const auto is_it = [&](const Parameter& each) { return !each.is_own && each.property == property; };
    auto known = std::find_if(action.parameters.begin(), action.parameters.end(), is_it);
    if (known == action.parameters.end())
      known = action.parameters.insert(known, {property, false, {}, false, false, Parameter::Secret::No});
    known->needed = true;
  }
}

Builder::KnownStates* Builder::states_of(const Entity& entity) {
  for (const Entity* each = &entity; each; each = each->parent)
    if (const auto found = states_by_scope_.find(each->name); found != states_by_scope_.end()) return &found->second;
  return nullptr;
}

// Whether the action was written for states that the entity has no more: it, or what it extends, has states of its own.
bool Builder::is_above_states(const ActionDefinition& definition, const Entity& entity) {
  const KnownStates* known = states_of(entity);
  const Draft* owner = known ? find(known->definition.entity) : nullptr;
  if (!owner || definition.entity == common_scope) return owner != nullptr;
  const Entity* above = find(definition.entity)->entity;
  return above != owner->entity && owner->entity->is_or_extends(*above);
}

void Builder::note_lacking(const Entity& entity, const ActionDefinition& definition, const std::string& word) {
  Lacking& lacking = lacking_[states_of(entity)->definition.entity];
  if (!lacking.first) lacking.first = &definition;
  add_once(lacking.words, text::quoted(word));
  add_once(lacking.actions, definition.action.name);
}

// One problem of the states, not one for each action and each state that it names.
void Builder::tell_lacking_states() {
  const auto joined = [](const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
    return all;
  };
  for (const auto& [scope, lacking] : lacking_) {
    const bool is_one = lacking.actions.size() == 1;
    problems_.add(states_by_scope_[scope].definition.origin,
                  "'" + scope + "' has states of its own, without " + joined(lacking.words) + ", which " +
                      std::to_string(lacking.actions.size()) +
                      (is_one ? " inherited action names: " : " inherited actions name: ") + joined(lacking.actions),
                  "add states to those of '" + lacking.first->entity + "' in " + scope + "/states+" + scope +
                      ".lua instead, or write these actions for '" + scope +
                      "', or remove them with 'supported = false'");
  }
}

}  // namespace callisto::catalog
