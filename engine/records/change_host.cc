// The part of a Change that scripts reach: records to find, make and set, and actions to run.
#include "engine/base/base64.h"
#include "engine/records/change.h"
#include "engine/records/convert.h"
#include "engine/records/script_query.h"
#include "engine/records/settable.h"
#include "engine/script/host.h"

namespace callisto::records {

namespace {

using catalog::Action;
using catalog::Entity;
using catalog::Property;

constexpr std::size_t most_found = 1000;    // by one search of a script
constexpr std::size_t most_put_off = 1000;  // actions of one record, asked for while others of it ran
constexpr int deepest_action = 16;          // run by one that another ran, and so on

const Property& real(const Property& property) { return property.mirror_of ? *property.mirror_of : property; }

}  // namespace

// Of its parameters: a request's are checked before its action is performed, a script's in input_of().
void Change::note_links(const Action& action, const Input& input) {
  for (const catalog::Parameter& each : action.parameters) {
    const auto given = input.parameters.find(each.property->name);
    const auto* key = given == input.parameters.end() ? nullptr : std::get_if<std::int64_t>(&given->second);
    if (key && each.property->target) known_links_.emplace(each.property->target, *key);
  }
}

// What a lookup leads to must be there when a script writes it, whether the session may see it or not: the script acts
// for the desk. Nothing is asked where the record, the request or this transaction leads there already.
Result<void> Change::check_link(const Record& holder, const Property& property, const Value& value) {
  const auto* key = std::get_if<std::int64_t>(&value);
  const Entity* target = real(property).target;
  const catalog::StateSet* states = holder.entity().states;
  if (!key || !target || target->key.size() != 1 || (states && states->property == &real(property))) return {};
  if (holder.leads_to(*target, *key) || known_links_.count({target, *key}) != 0) return {};
  if (target->name == catalog::system::person_entity && context_.session.person == *key) return {};
  CALLISTO_TRY(const auto linked, find(*target, Key{*key}));
  if (!linked) return script::mistake(property.name + ": there is no " + target->name + ' ' + std::to_string(*key));
  known_links_.emplace(target, *key);
  return {};
}

// What a script gave, as parameters of the action and properties of the record.
Result<Input> Change::input_of(const Record& record, const Action& action, const script::NamedValues& values) {
  const Entity& entity = record.entity();
  Input input;
  for (const auto& [name, value] : values) {
    const Property* property = nullptr;
    for (const catalog::Parameter& parameter : action.parameters)
      if (parameter.is_own && parameter.property->name == name) property = parameter.property;
    const bool is_parameter = property != nullptr;
    if (!property) property = entity.find_property(name);
    if (!property)
      return internal("a script gave '" + name + "', which " + action.name + " of " + entity.name + " does not know");
    auto converted = coerced(*property, value);
    if (!converted) return invalid({{name, converted.error().message}});
    if (std::string why = unknown_state(entity, *property, *converted); !is_parameter && !why.empty())
      return script::mistake(std::move(why));
    CALLISTO_CHECK(check_link(record, *property, *converted));
    if (is_parameter) input.parameters.insert_or_assign(name, *std::move(converted));
    else input.properties.insert_or_assign(&real(*property), *std::move(converted));
  }
  return input;
}

// Scripts that run inside of each other end by themselves; these may run after each other.
Result<void> Change::check_depth(Handle handle, const Action& action) const {
  const std::string ones = "actions of " + told(handle);
  if (depth_ >= deepest_action)
    return script::mistake(ones + " run each other more than " + std::to_string(deepest_action) + " deep (" +
                           action.name + ")");
  if (items_[handle]->put_off >= most_put_off)
    return script::mistake("scripts ask for more than " + std::to_string(most_put_off) + ' ' + ones + " (" +
                           action.name + ")");
  return {};
}

Result<void> Change::set(Handle handle, const Property& property, Value value) {
  auto fits = coerced(property, std::move(value));
  if (!fits) return invalid({{property.name, fits.error().message}});
  if (std::string why = not_settable(record(handle), property, *fits); !why.empty())
    return script::mistake(std::move(why));
  if (std::string why = not_moved(record(handle), items_[handle]->action, property, *fits); !why.empty())
    return script::mistake(std::move(why));
  CALLISTO_CHECK(check_link(record(handle), property, *fits));
  CALLISTO_TRY(Value kept, sealed(property, *std::move(fits)));
  items_[handle]->record.set(property, std::move(kept));
  return {};
}

Result<void> Change::act(Handle handle, std::string_view name, const script::NamedValues& values) {
  const Action* action = entity(handle).find_action(name);
  if (!action)
    return internal("a script asks for the action '" + std::string(name) + "', which " + entity(handle).name +
                    " has not");
  CALLISTO_TRY(Input input, input_of(record(handle), *action, values));
  for (const auto& [property, value] : input.properties)
    if (std::string why = not_moved(record(handle), action, *property, value); !why.empty())
      return script::mistake(std::move(why));
  CALLISTO_CHECK(check_depth(handle, *action));
  Item& item = *items_[handle];
  if (item.is_busy) {
    ++item.put_off;
    item.later.push_back({action, std::move(input), depth_ + 1});
    return {};
  }
  CALLISTO_CHECK(check_offered(handle, *action, input));
  return perform(handle, *action, input);
}

Result<std::optional<Change::Handle>> Change::find(const Entity& entity, const Key& key) {
  ++statements_;
  return load(entity, key);
}

Result<std::vector<Change::Handle>> Change::load_all(const Entity& entity, const std::vector<Key>& keys) {
  std::vector<Handle> handles;
  for (const Key& key : keys) {
    CALLISTO_TRY(const auto handle, load(entity, key));
    if (handle) handles.push_back(*handle);
  }
  return handles;
}

Result<std::vector<Change::Handle>> Change::search(const Entity& entity, const Match& match) {
  ++statements_;  // and its rows with it
  CALLISTO_TRY(const auto keys, context_.model.store.find(context_.connection, entity, match, most_found));
  return load_all(entity, keys);
}

Result<std::vector<Change::Handle>> Change::search(const Entity& entity, const Query& query) {
  ++statements_;
  CALLISTO_TRY(const auto keys, find_keys(context_, entity, query, most_found));
  return load_all(entity, keys);
}

Result<std::int64_t> Change::count(const Entity& entity, const Query& query) {
  ++statements_;
  return count_all(context_, entity, query);
}

std::size_t Change::placeholders(std::string_view filter) const { return query::placeholders(filter); }

Result<Change::Handle> Change::create(const Entity& entity, const script::NamedValues& values) {
  const Action* action = entity.find_action("create");
  if (!action || entity.abstract)
    return internal("a script creates a record of " + entity.name + ", which has no create action");
  CALLISTO_TRY(const Input input, input_of(Record(entity), *action, values));
  CALLISTO_TRY(const Handle handle, make(entity));
  for (const auto& [property, value] : input.properties)
    if (std::string why = not_moved(record(handle), action, *property, value); !why.empty())
      return script::mistake(std::move(why));
  CALLISTO_CHECK(perform(handle, *action, input));
  return handle;
}

Result<void> Change::keep_secret(Handle handle, std::string_view hash) {
  const Record& owner = record(handle);
  if (!secrets_.hashes) return internal("no record has a secret here");
  return secrets_.hashes->keep(context_.connection, owner.entity().name, owner.key(), std::string(hash));
}

Result<void> Change::make_secret(Handle handle, const Property& property) {
  constexpr std::size_t secret_bytes = 32;
  std::string secret = "whsec_" + encode_base64(random_.bytes(secret_bytes), Base64::Padded);
  CALLISTO_CHECK(set(handle, property, secret));
  made_secrets_.insert_or_assign(&property, std::move(secret));
  return {};
}

}  // namespace callisto::records
