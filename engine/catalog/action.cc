#include "engine/catalog/action.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace callisto::catalog {

const State* StateSet::find(std::int64_t value) const {
  for (const State& each : states)
    if (each.value == value) return &each;
  return nullptr;
}

const State* StateSet::initial() const {
  for (const State& each : states)
    if (each.initial) return &each;
  return nullptr;
}

namespace {

// In the order of Action::Kind. An action of the entity's own is an update.
constexpr std::array<ActionTraits, 5> table{{
    {Action::Kind::Read, "read", "GET", "Read", nullptr, nullptr},
    {Action::Kind::Create, "create", "POST", "Create", &Hooks::before_create, &Hooks::after_create},
    {Action::Kind::Update, "update", "PUT", "Update", &Hooks::before_update, &Hooks::after_update},
    {Action::Kind::Delete, "delete", "DELETE", "Delete", &Hooks::before_delete, &Hooks::after_delete},
    {Action::Kind::Own, "", "PUT", "Action", &Hooks::before_update, &Hooks::after_update},
}};

}  // namespace

const ActionTraits& traits(Action::Kind kind) { return table[static_cast<std::size_t>(kind)]; }

Action::Kind action_kind(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.name == name; });
  return found == table.end() ? Action::Kind::Own : found->kind;
}

int before_hook(const Hooks& hooks, const Action& action) {
  return hooks.*(action.of_deleted ? &Hooks::before_restore : traits(action.kind).before);
}

int after_hook(const Hooks& hooks, const Action& action) {
  return hooks.*(action.of_deleted ? &Hooks::after_restore : traits(action.kind).after);
}

}  // namespace callisto::catalog
