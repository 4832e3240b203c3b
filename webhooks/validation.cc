#include "webhooks/validation.h"

#include "engine/base/text.h"
#include "engine/catalog/naming.h"
#include "webhooks/name_filter.h"
#include "webhooks/signature.h"
#include "webhooks/subscriptions.h"

#include <set>
#include <utility>
#include <vector>

namespace callisto::webhooks {

namespace {

using catalog::Catalog;
using catalog::Entity;

std::set<std::string> core_types(const Catalog& catalog) {
  std::set<std::string> types;
  for (const auto& entity : catalog.entities())
    if (!entity->core_type.empty()) types.insert(entity->core_type);
  return types;
}

// The top of a family; null: there is no such family.
const Entity* root_of(const Catalog& catalog, std::string_view core_type) {
  for (const auto& entity : catalog.entities())
    if (entity->core_type == core_type && (!entity->parent || entity->parent->core_type != core_type))
      return entity.get();
  return nullptr;
}

void add_events(const Entity& entity, std::set<std::string>& names) {
  for (const catalog::Action* action : entity.actions) names.insert(action->raises.begin(), action->raises.end());
  for (const catalog::SubResource& list : entity.sub_resources)
    if (list.entity->core_type.empty())
      for (const catalog::Action* action : list.entity->actions)
        names.insert(action->raises.begin(), action->raises.end());
  for (const Entity* child : entity.children) add_events(*child, names);
}

std::string listed(const std::set<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

class WordsCheck {
 public:
  WordsCheck(RecordSource& source, std::vector<PropertyError>& problems) : source_(source), problems_(problems) {}

  // What it tells of: the whole family where its entity is none. Null where that is none either.
  const Entity* check_target(const Words& words) {
    const Catalog& catalog = source_.catalog();
    const Entity* entity = root_of(catalog, words.core_type);
    if (!entity) problems_.push_back({"CoreEntityType", "is one of " + listed(core_types(catalog))});
    if (!entity || words.entity_type.empty()) return entity;
    const Entity* found = catalog.find_written(words.entity_type);
    if (found && found->core_type == words.core_type) return found;
    std::set<std::string> names;
    for (const Entity* each : entity->final_types()) names.insert(each->name);
    problems_.push_back({"EntityType", "is one of " + listed(names) + ", or empty for all of them"});
    return entity;
  }

  // By the eyes of the owner, who is told what it finds.
  void check_payload(const Words& words, const Entity& entity, std::optional<std::int64_t> owner) {
    if (const auto done = words.select.empty() ? Result<void>() : source_.check_select(owner, entity, words.select);
        !done)
      problems_.push_back({"PayloadSelect", done.error().message});
    if (const auto done = words.filter.empty() ? Result<void>() : source_.check_filter(owner, entity, words.filter);
        !done)
      problems_.push_back({"PayloadFilter", done.error().message});
  }

 private:
  RecordSource& source_;
  std::vector<PropertyError>& problems_;
};

class Validation {
 public:
  Validation(const events::Event& event, RecordSource& source) : event_(event), source_(source) {}

  void check_address(const AddressPolicy& policy) {
    if (const auto problem = check_url(text_of(event_, "PayloadUrl"), policy)) refuse("PayloadUrl", *problem);
  }

  void check_secret(const Sealer& sealer) {
    if (text_of(event_, "Secret").empty())
      return refuse("Secret", "there must be one; rotate-secret makes one and shows it once");
    const auto secret = sealer.open(text_of(event_, "Secret"));
    if (!secret) return refuse("Secret", "it was sealed with another key; set it again");
    if (const auto problem = secret_complaint(*secret)) refuse("Secret", *problem);
  }

  void check_what_is_told() {
    const Words words{text_of(event_, "CoreEntityType"), text_of(event_, "EntityType"),
                      text_of(event_, "PayloadSelect"), text_of(event_, "PayloadFilter")};
    WordsCheck check(source_, problems_);
    const Entity* entity = check.check_target(words);
    check_events(entity);
    if (entity) check.check_payload(words, *entity, number_of(event_, "Owner"));
    const auto names = NameFilter::parse(text_of(event_, "AttachmentNameFilter"));
    if (entity && !names) refuse("AttachmentNameFilter", names.error().message);
  }

  // Only where it was handed over: an edit mends other things than who has left.
  Result<void> check_owner() {
    if (event_.name != "HandedOver") return {};
    CALLISTO_TRY(const std::string silent, source_.why_silent(number_of(event_, "Owner")));
    if (!silent.empty()) refuse("Owner", silent);
    return {};
  }

  Result<void> result() {
    if (problems_.empty()) return {};
    const PropertyError& first = problems_.front();
    return validation_failed(problems_.size() == 1
                                 ? first.property + ": " + first.message
                                 : std::to_string(problems_.size()) + " values cannot be accepted; Errors lists them.",
                             problems_);
  }

 private:
  void check_events(const Entity* entity) {
    const std::string events = text_of(event_, "Events"), triggers = text_of(event_, "IndividualTriggers");
    if (events != "All" && events != "Individual") refuse("Events", "is All or Individual");
    if (events == "Individual" && text::trim(triggers).empty())
      refuse("IndividualTriggers", "name at least one event, such as [\"Created\"]");
    if (!entity) return;
    std::set<std::string> names{std::string(history_event)};
    add_events(*entity, names);
    for (const std::string_view trigger : text::split(triggers, ' '))
      if (!trigger.empty() && names.count(std::string(trigger)) == 0) check_unknown(*entity, trigger, names);
  }

  // Scripts may raise events that no file lists, so only what looks like a slip is refused.
  void check_unknown(const Entity& entity, std::string_view trigger, const std::set<std::string>& names) {
    const std::string near = text::nearest(trigger, {names.begin(), names.end()});
    if (near.empty() && catalog::is_pascal_name(trigger)) return;
    refuse("IndividualTriggers", text::quoted(trigger) + " is no event of " + entity.name +
                                     (near.empty() ? "; it knows " + listed(names) : "; did you mean '" + near + "'?"));
  }

  void refuse(const char* property, std::string message) { problems_.push_back({property, std::move(message)}); }

  const events::Event& event_;
  RecordSource& source_;
  std::vector<PropertyError> problems_;
};

const Value* find(const events::Event& event, std::string_view name) {
  const catalog::Property* property = event.entity->find_property(name);
  const auto value = property ? event.record->find(property) : event.record->end();
  return value == event.record->end() ? nullptr : &value->second;
}

}  // namespace

std::string text_of(const events::Event& event, std::string_view property) {
  const Value* value = find(event, property);
  const auto* text = value ? std::get_if<std::string>(value) : nullptr;
  return text ? *text : std::string();
}

std::int64_t number_of(const events::Event& event, std::string_view property) {
  const Value* value = find(event, property);
  const auto* number = value ? std::get_if<std::int64_t>(value) : nullptr;
  return number ? *number : 0;
}

std::vector<PropertyError> check_words(const Words& words, RecordSource& source) {
  std::vector<PropertyError> problems;
  WordsCheck check(source, problems);
  if (const Entity* entity = check.check_target(words)) check.check_payload(words, *entity, std::nullopt);
  return problems;
}

Result<void> validate(const events::Event& event, RecordSource& source, const AddressPolicy& policy,
                      const Sealer& sealer) {
  Validation validation(event, source);
  validation.check_address(policy);
  validation.check_secret(sealer);
  validation.check_what_is_told();
  CALLISTO_CHECK(validation.check_owner());
  return validation.result();
}

}  // namespace callisto::webhooks
