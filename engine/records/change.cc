#include "engine/records/change.h"

#include "engine/base/text.h"
#include "engine/records/convert.h"
#include "engine/records/insert.h"
#include "engine/records/record_cache.h"
#include "engine/records/references.h"
#include "engine/records/schema.h"
#include "engine/records/session_facts.h"
#include "engine/records/visible.h"

#include <algorithm>

namespace callisto::records {

namespace {

using catalog::Action;
using catalog::Entity;
using catalog::Property;
namespace system = catalog::system;

constexpr std::size_t most_records = 10'000;  // in one transaction: a script that goes in circles ends here

std::int64_t whole(const Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number ? *number : 0;
}

void set_where_known(Record& record, std::string_view name, const Value& value) {
  if (const Property* property = record.entity().find_property(name)) record.set(*property, value);
}

}  // namespace

Value state_of(const Record& record) {
  const catalog::StateSet* states = record.entity().states;
  return states ? record.get(*states->property) : Value(Null{});
}

std::string state_name(const Record& record) {
  const catalog::StateSet* states = record.entity().states;
  if (!states) return "this state";
  const catalog::State* state = states->find(whole(record.get(*states->property)));
  return state ? "state " + text::quoted(state->name) : "its present state";
}

Change::Handle Change::keep(Record record) {
  items_.push_back(std::make_unique<Item>(Item{std::move(record), false, nullptr, {}, 0, {}}));
  return items_.size() - 1;
}

Result<std::optional<Change::Handle>> Change::load(const Entity& entity, const Key& key) {
  if (key.size() == 1) return load(entity, key.front());
  for (Handle handle = 0; handle < items_.size(); ++handle)
    if (record(handle).entity().is_or_extends(entity) && record(handle).keys() == key) return std::optional(handle);
  if (items_.size() >= most_records)
    return internal("a script touches more than " + std::to_string(most_records) + " records");
  CALLISTO_TRY(auto found, context_.model.store.load(context_.connection, entity, key));
  if (!found) return std::optional<Handle>();
  return std::optional(keep(*std::move(found)));
}

Result<std::optional<Change::Handle>> Change::load(const Entity& entity, std::int64_t key) {
  for (Handle handle = 0; handle < items_.size(); ++handle) {
    const Record& known = record(handle);
    if (known.key() == key && known.entity().is_or_extends(entity)) return std::optional(handle);
  }
  if (items_.size() >= most_records)
    return internal("a script touches more than " + std::to_string(most_records) + " records");
  CALLISTO_TRY(auto found, records::load(context_, entity, key));
  if (!found) return std::optional<Handle>();
  return std::optional(keep(*std::move(found)));
}

Result<std::optional<Change::Handle>> Change::find_visible(const Entity& entity, std::int64_t key) {
  CALLISTO_TRY(auto handle, load(entity, key));
  if (!handle || record(*handle).is_new() || is_deleted(record(*handle))) return std::optional<Handle>();
  CALLISTO_TRY(const bool visible, is_visible(context_, record(*handle)));
  if (!visible) handle.reset();
  return handle;
}

Result<std::optional<Change::Handle>> Change::find_deleted(const Entity& entity, std::int64_t key) {
  CALLISTO_TRY(auto handle, load(entity, key));
  if (!handle || record(*handle).is_new() || !is_deleted(record(*handle))) return std::optional<Handle>();
  CALLISTO_TRY(const bool visible, is_visible(context_, record(*handle)));
  if (!visible) handle.reset();
  return handle;
}

Result<Change::Handle> Change::open(const Entity& entity, std::int64_t key) {
  CALLISTO_TRY(const auto handle, find_visible(entity, key));
  if (!handle) return not_visible(entity);
  return *handle;
}

Result<Change::Handle> Change::make(const Entity& entity) {
  Record record(entity);
  if (entity.key.size() != 1) return internal(entity.name + " has a composite key: only the engine makes its records");
  ++statements_;
  CALLISTO_TRY(const std::int64_t key, next_key(context_.connection, entity));
  record.set(*entity.key.front(), key);
  if (entity.type_column) record.set(*entity.type_column, entity.name);
  for (const Property* property : entity.properties)
    if (property->default_value && has_column(*property)) record.set(*property, *property->default_value);
  if (entity.states) record.set(*entity.states->property, entity.states->initial()->value);
  return keep(std::move(record));
}

Result<Value> Change::own_partition() const {
  const Entity* entity = context_.model.catalog().find(system::person_entity);
  const Property* property = entity ? entity->find_property(system::partition) : nullptr;
  if (!property || !context_.session.person) return Value(Null{});
  CALLISTO_TRY(const auto person, records::load(context_, *entity, *context_.session.person));
  return person ? person->get(*property) : Value(Null{});
}

// API rule 2.10: the given one, else the person's own, else the lowest that the session can access.
Result<void> Change::give_partition(Record& record) {
  const Property* property = record.entity().find_property(system::partition);
  if (!property || !is_null(record.get(*property))) return {};
  const auto& allowed = context_.session.partitions;
  CALLISTO_TRY(const Value own, own_partition());
  if (!is_null(own) && (!allowed || std::binary_search(allowed->begin(), allowed->end(), whole(own)))) {
    record.set(*property, own);
    return {};
  }
  if (allowed) {
    if (!allowed->empty()) record.set(*property, allowed->front());
    return {};
  }
  if (record.entity().partitioned) {
    CALLISTO_TRY(const std::int64_t first,
                 lowest_partition(context_.model.store, context_.connection, *property, now_, random_));
    record.set(*property, first);
    return {};
  }
  CALLISTO_TRY(const auto first, context_.model.store.find(context_.connection, *property->target, {}, 1));
  if (!first.empty()) record.set(*property, first.front().front());
  return {};
}

Result<bool> Change::run_script(Handle handle, const Action& action, const Input& input) {
  if (action.script < 0 && action.additions.empty()) return true;
  const script::SessionFacts& facts = session_facts(context_);
  script::NamedValues given = input.parameters;
  for (const auto& [property, value] : input.properties) given.emplace(property->name, value);
  script::State& scripts = context_.scripts;
  for (const catalog::Addition& each : action.additions)
    CALLISTO_CHECK(scripts.run_addition(each.before, action, *this, handle, given, facts));
  CALLISTO_TRY(const bool happened, scripts.run(action, *this, handle, given, facts));
  if (!happened) return false;
  for (const catalog::Addition& each : action.additions)
    CALLISTO_CHECK(scripts.run_addition(each.after, action, *this, handle, given, facts));
  return true;
}

Result<void> Change::run_hooks(Handle handle, const catalog::Hooks::Chain& hooks) {
  if (hooks.empty()) return {};
  const script::SessionFacts& facts = session_facts(context_);
  for (const int hook : hooks) CALLISTO_CHECK(context_.scripts.run_hook(hook, *this, handle, facts));
  return {};
}

Result<void> Change::perform(Handle handle, const Action& action, const Input& input) {
  Item& item = *items_[handle];
  item.is_busy = true;
  ++depth_;
  CALLISTO_CHECK(perform_one(handle, action, input));
  CALLISTO_CHECK(perform_later(handle));
  --depth_;
  item.is_busy = false;
  item.action = nullptr;
  return {};
}

Result<void> Change::perform_one(Handle handle, const Action& action, const Input& input) {
  Record& record = items_[handle]->record;
  const Value before = state_of(record);
  record.begin_action();
  items_[handle]->action = &action;
  note_links(action, input);
  for (const auto& [property, value] : input.properties) {
    CALLISTO_TRY(Value kept, sealed(*property, value));
    record.set(*property, std::move(kept));
  }
  if (action.of_deleted) set_where_known(record, system::is_deleted, false);
  if (action.moves_to && entity(handle).states) record.set(*entity(handle).states->property, *action.moves_to);
  CALLISTO_TRY(const bool happened, run_script(handle, action, input));
  if (!happened) record.undo_action();
  if (!happened) return {};
  CALLISTO_CHECK(write(handle, action, input));
  if (context_.model.observer)
    context_.model.observer->performed(entity(handle), action, before, state_of(items_[handle]->record));
  return {};
}

// What these ask for in their turn comes last in the same list: a chain of them needs no more of the stack.
Result<void> Change::perform_later(Handle handle) {
  Item& item = *items_[handle];
  const int own_depth = depth_;
  for (; !item.later.empty(); item.later.pop_front()) {
    const Later& next = item.later.front();
    depth_ = next.depth;
    CALLISTO_CHECK(check_offered(handle, *next.action, next.input));
    CALLISTO_CHECK(perform_one(handle, *next.action, next.input));
  }
  depth_ = own_depth;
  return {};
}

// What is sealed already goes through as it is: a script that moves it to another property.
Result<Value> Change::sealed(const Property& property, Value value) {
  const auto* text = std::get_if<std::string>(&value);
  if (!property.sealed || !text) return value;
  if (!secrets_.sealer) return internal("no record has a sealed secret here");
  if (secrets_.sealer->open(*text)) return value;
  return Value(secrets_.sealer->seal(*text, random_));
}

Result<void> Change::write(Handle handle, const Action& action, const Input& input) {
  Item& item = *items_[handle];
  Record& record = item.record;
  if (record.is_new()) CALLISTO_CHECK(give_partition(record));
  CALLISTO_CHECK(run_hooks(handle, catalog::before_hooks(entity(handle).hooks, action)));
  if (action.updates() && record.changed().empty()) return {};  // API rule 4.2
  if (!missing_at_the_end(action, record).empty()) {
    CALLISTO_TRY(const RecordFields fields, rules_.fields(record));
    return invalid(missing_at_the_end(action, record, fields));
  }
  if (action.removes()) {
    set_where_known(record, system::is_deleted, true);
    removed_.push_back(handle);
  }

  CALLISTO_TRY(const auto row, history_of(handle, action, input));
  const Property* last = row ? entity(handle).find_property(system::last_history_order) : nullptr;
  if (last) {
    const std::int64_t order = whole(record.get(*last));
    if (is_last_key(*last, order)) return no_number_left(record.entity(), *last);
    record.set(*last, order + 1);
  }
  CALLISTO_CHECK(save(record));
  std::optional<std::int64_t> order;
  if (row) { CALLISTO_TRY(order, write_history(record, *row)); }
  CALLISTO_CHECK(run_hooks(handle, catalog::after_hooks(entity(handle).hooks, action)));
  if (auto problems = lacking(action, record); !problems.empty()) return invalid(std::move(problems));
  CALLISTO_CHECK(save(record));
  if (action.removes() && !entity(handle).deletable) {
    for (const Property* property : record.entity().properties)
      if (property->type == catalog::DataType::Binary)
        CALLISTO_CHECK(sink_.replacing({&record.entity(), record.key(), property, now_}));
    CALLISTO_CHECK(context_.model.store.remove(context_.connection, record));
  }
  return emit(handle, action, order, input);
}

Result<std::optional<script::NamedValues>> Change::history_of(Handle handle, const Action& action, const Input& input) {
  const Entity& entity = record(handle).entity();
  if (!entity.history || !action.history || entity.hooks.history.empty()) return std::optional<script::NamedValues>();
  const script::SessionFacts& facts = session_facts(context_);
  return context_.scripts.history(entity.hooks.history, action, *this, handle, input.parameters, facts);
}

// API rule 4.7: one row, its order one above the last.
Result<std::int64_t> Change::write_history(const Record& record, const script::NamedValues& values) {
  const catalog::SubResource* list = record.entity().find_sub_resource("history");
  const Property* last = record.entity().find_property(system::last_history_order);
  const std::int64_t order = last ? whole(record.get(*last)) : 0;
  NewRow row{list->entity, {}};
  row.values.reserve(list->entity->properties.size());
  for (const auto& [name, value] : values) {
    const Property* property = list->entity->find_property(name);
    if (!property) return internal("the history hook gave '" + name + "', which " + list->entity->name + " has not");
    auto converted = coerced(*property, value);
    if (!converted) return internal("the history hook: " + name + ": " + converted.error().message);
    row.values.insert_or_assign(property, *std::move(converted));
  }
  for (const Property* part : list->entity->key)
    row.values.insert_or_assign(part, Value(part == list->link ? record.key() : order));
  ++statements_;
  for (std::string_view name : {system::partition, system::created_by, system::updated_by}) {
    const Property* theirs = list->entity->find_property(name);
    const Property* ours = record.entity().find_property(name == system::created_by ? system::updated_by : name);
    if (theirs && ours) row.values.emplace(theirs, record.get(*ours));
  }
  CALLISTO_TRY([[maybe_unused]] const std::int64_t key,
               Inserter(context_.model.store, context_.connection, now_, random_).insert(row));
  return order;
}

Result<void> Change::note_part(Handle parent, const Action& action, const std::string& entity, const Value& name) {
  Action& told = told_.emplace_back();
  told.name = entity + "-" + action.name;
  told.pascal_name = text::pascal_case(told.name);
  told.title = action.title;
  told.description = action.description;
  Record& record = items_[parent]->record;
  record.begin_action();
  Input input;
  input.parameters.emplace("Description", name);
  CALLISTO_TRY(const auto row, history_of(parent, told, input));
  const Property* last = row ? record.entity().find_property(system::last_history_order) : nullptr;
  if (!last) return {};
  record.set(*last, whole(record.get(*last)) + 1);
  CALLISTO_CHECK(save(record));
  CALLISTO_TRY(const std::int64_t order, write_history(record, *row));
  return emit(parent, told, order, input);
}

Result<void> Change::save(Record& record) {
  if (record.is_new() || !record.changed().empty()) ++statements_;
  const std::optional<std::int64_t>& person = context_.session.person;
  const Value by = person ? Value(*person) : Value(Null{});
  if (record.is_new()) {
    set_where_known(record, system::created_by, by);
    set_where_known(record, system::updated_by, by);
    NewRow row{&record.entity(), record.values()};
    CALLISTO_TRY([[maybe_unused]] const std::int64_t key,
                 Inserter(context_.model.store, context_.connection, now_, random_).insert(row));
    record.saved(std::move(row.values));
    return {};
  }
  if (record.changed().empty()) return {};
  set_where_known(record, system::updated_date, now_);
  set_where_known(record, system::updated_by, by);
  if (const Property* version = record.entity().find_property(system::version))
    record.set(*version, whole(record.stored(*version)) + 1);
  for (const Property* property : record.changed())
    if (property->type == catalog::DataType::Binary)
      CALLISTO_CHECK(sink_.replacing({&record.entity(), record.key(), property, now_}));
  CALLISTO_CHECK(context_.model.store.update(context_.connection, record));
  record.saved();
  return {};
}

Result<void> Change::finish() {
  for (const auto& item : items_)
    if (!item->record.is_new()) CALLISTO_CHECK(save(item->record));
  // Last, so that a script may take away what refers to each other, in any order.
  for (const Handle handle : std::exchange(removed_, {})) CALLISTO_CHECK(check_unreferenced(context_, record(handle)));
  return {};
}

Result<void> Change::release_events() {
  holds_events_ = false;
  for (const Held& each : std::exchange(held_, {}))
    CALLISTO_CHECK(emit(each.handle, *each.action, each.history_order, each.input));
  return {};
}

Result<void> Change::emit(Handle handle, const Action& action, std::optional<std::int64_t> history_order,
                          const Input& input) {
  if (holds_events_) {
    held_.push_back({handle, &action, history_order, input});
    return {};
  }
  Item& item = *items_[handle];
  std::vector<std::string> names = action.raises;
  names.insert(names.end(), item.raised.begin(), item.raised.end());
  item.raised.clear();
  for (const std::string& name : names)
    CALLISTO_CHECK(
        sink_.emit({name, &item.record.entity(), item.record.key(), &action, history_order, context_.session.person,
                    context_.session.client_id, context_.cause, now_, &item.record.values(), &input.parameters}));
  return {};
}

Result<void> Change::check_offered(Handle handle, const Action& action, const Input& input) {
  CALLISTO_TRY(const bool offered, rules_.offers(record(handle), action));
  if (!offered)
    return invalid_state(told(handle) + " in " + state_name(record(handle)) + " does not offer " + action.name + ".");
  CALLISTO_TRY(const RecordFields fields, rules_.fields(record(handle)));
  if (auto problems = missing(action, input, fields); !problems.empty()) return invalid(std::move(problems));
  return {};
}

}  // namespace callisto::records
