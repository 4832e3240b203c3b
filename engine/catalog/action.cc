#include "engine/catalog/action.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace callisto::catalog {

namespace {

// '*' stands for any characters, none too.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= name.size(); ++at)
    if (matches(rest, name.substr(at))) return true;
  return false;
}

}  // namespace

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

std::vector<std::int64_t> StateSet::named(std::string_view word) const {
  std::vector<std::int64_t> exact, alike;
  for (const State& state : states) {
    const bool is_member = std::find(state.groups.begin(), state.groups.end(), word) != state.groups.end();
    if (state.name == word || is_member) exact.push_back(state.value);
    if (word.find('*') != word.npos && matches(word, state.name)) alike.push_back(state.value);
  }
  return exact.empty() ? alike : exact;
}

std::vector<std::string_view> StateSet::words() const {
  std::vector<std::string_view> names;
  for (const State& state : states) {
    names.push_back(state.name);
    names.insert(names.end(), state.groups.begin(), state.groups.end());
  }
  return names;
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

const Hooks::Chain& before_hooks(const Hooks& hooks, const Action& action) {
  return hooks.*(action.of_deleted ? &Hooks::before_restore : traits(action.kind).before);
}

const Hooks::Chain& after_hooks(const Hooks& hooks, const Action& action) {
  return hooks.*(action.of_deleted ? &Hooks::after_restore : traits(action.kind).after);
}

}  // namespace callisto::catalog
