#include "engine/audit/change_events.h"

#include <utility>

namespace callisto::audit {

namespace {

const Watched* find(const WatchedEntities& watched, const catalog::Entity* entity) {
  for (; entity; entity = entity->parent)
    if (const auto found = watched.find(entity->name); found != watched.end()) return &found->second;
  return nullptr;
}

std::string text_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return is_null(value) ? "null" : "...";
}

// "Name=Agent, IsActive=true"
std::string told(const Watched& watched, const events::Event& event) {
  std::string text;
  for (const std::string& name : watched.properties) {
    const catalog::Property* property = event.entity->find_property(name);
    if (!property || !event.record) continue;
    const auto value = event.record->find(property);
    if (value == event.record->end()) continue;
    text += (text.empty() ? "" : ", ") + name + "=" + text_of(value->second);
  }
  return text;
}

Kind kind_of(const Watched& watched, const catalog::Action* action) {
  if (action && action->creates()) return watched.created;
  if (action && action->removes()) return watched.deleted;
  return watched.changed;
}

}  // namespace

// An action that raises several events is one change.
Result<void> ChangeEvents::emit(const events::Event& event) {
  const Watched* watched = find(watched_, event.entity);
  if (!watched) return {};
  Event noted;
  noted.kind = kind_of(*watched, event.action);
  noted.person = event.person;
  noted.entity = event.entity->name;
  noted.key = event.key;
  noted.action = event.action ? event.action->name : event.name;
  noted.reason = told(*watched, event);
  const auto [place, is_new] = places_.try_emplace({event.key, noted.entity, noted.action}, events_.size());
  if (is_new) events_.push_back(std::move(noted));
  else events_[place->second] = std::move(noted);
  return {};
}

void ChangeEvents::committed() {
  log_.note_all(events_);
  events_.clear();
  places_.clear();
}

}  // namespace callisto::audit
