#include "engine/base/text.h"
#include "engine/catalog/building.h"

#include <string>
#include <utility>

namespace callisto::catalog {
namespace {

constexpr std::string_view common_scope = "common";

}  // namespace

// Common, parent, child, and of each the folders in their order: what stands further back sees what was done before.
void Builder::add_hooks() {
  std::map<std::string, std::vector<const HooksDefinition*>> by_scope;
  std::map<int, Origin> places;  // of functions
  for (const HooksDefinition& definition : definitions_.hooks)
    if (is_scope(definition.entity, definition.origin, "these hooks"))
      by_scope[definition.entity].push_back(&definition);
  const auto append_all = [&](Hooks& hooks, const std::string& scope) {
    for (const HooksDefinition* definition : by_scope[scope]) append_hooks(hooks, *definition, places);
  };
  Hooks of_all;
  append_all(of_all, std::string(common_scope));
  for (Draft* draft : roots_first()) {
    Entity& entity = *draft->entity;
    entity.hooks = entity.parent ? entity.parent->hooks : of_all;
    append_all(entity.hooks, entity.name);
  }
}

// `places`: where the functions of the chains stand, told of those that are lost.
void Builder::append_hooks(Hooks& hooks, const HooksDefinition& definition, std::map<int, Origin>& places) {
  const Origin here = place(definition.origin, definition.lines, "replaces");
  bool is_empty = true;
  for (const auto& [name, member] : hook_names) {
    const Hooks::Chain& own_function = definition.hooks.*member;
    if (own_function.empty()) continue;
    is_empty = false;
    Hooks::Chain& chain = hooks.*member;
    const std::string quoted = "'" + std::string(name) + "'";
    if (definition.replaces && chain.empty())
      warnings_.add(here, "'replaces' replaces no " + quoted + ": none comes before this one", "leave 'replaces' out");
    for (const int lost : definition.replaces ? std::exchange(chain, {}) : Hooks::Chain())
      warnings_.add(
          here,
          "'replaces' takes away " + quoted + " of " + places[lost].file + ":" + std::to_string(places[lost].line),
          "without 'replaces' both run, that one first");
    chain.push_back(own_function.front());
    places[own_function.front()] = place(definition.origin, definition.lines, std::string(name));
  }
  if (definition.replaces && is_empty)
    problems_.add(here, "'replaces' is of no use without a function",
                  "write the functions that run in place of others");
}

}  // namespace callisto::catalog
