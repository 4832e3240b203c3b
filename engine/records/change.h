// Change: what one request does to records, inside one transaction: the Host that scripts write through. It runs
// actions with their hooks, history and events, and has each record in memory once. The transaction's thread; rolled
// back when any of its calls returns an error.
//
// Requires: the transaction's thread, inside a storage::WriteFunction. Invariants: each record is in memory once; after
// an error nothing of the transaction is kept.
#pragma once

#include "engine/base/random.h"
#include "engine/events/sink.h"
#include "engine/records/body.h"
#include "engine/records/rules.h"
#include "engine/records/secret_input.h"
#include "engine/script/host.h"

#include <list>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace callisto::records {

class Change final : public script::Host {
 public:
  // References must outlive it.
  Change(const Context& context, DateTime now, Random& random, events::Sink& sink, const SecretKeeping& secrets)
      : context_(context), rules_(context), now_(now), random_(random), sink_(sink), secrets_(secrets) {}

  // Nothing where there is none that the session may see, or only in this change.
  Result<std::optional<Handle>> find_visible(const catalog::Entity& entity, std::int64_t key);
  Result<Handle> open(const catalog::Entity& entity, std::int64_t key);  // or 404 RecordNotFound
  // The same of a record that is deleted: what an action of Action::of_deleted is for.
  Result<std::optional<Handle>> find_deleted(const catalog::Entity& entity, std::int64_t key);
  // A new record with a key, its defaults and its first state. It is written by performing the create action.
  Result<Handle> make(const catalog::Entity& entity);
  const Record& record(Handle handle) const { return items_[handle]->record; }
  RuleCheck& rules() { return rules_; }
  // What the client is answered with: `handle`, unless a script says otherwise.
  Handle answered(Handle handle) const { return answer_.value_or(handle); }
  const std::optional<script::NamedValues>& answered_values() const { return answered_values_; }  // or with these
  // Secrets that were made here, by property: the client is told them this once.
  const std::map<const catalog::Property*, std::string>& made_secrets() const { return made_secrets_; }

  // The action with what belongs to it. Whether it may be done was asked before; the record's own rules are kept here.
  Result<void> perform(Handle handle, const catalog::Action& action, const Input& input);
  // A row in the history of `parent`, where it keeps one: what hangs on it, an `entity` of that name, was changed by
  // that action.
  Result<void> note_part(Handle parent, const catalog::Action& action, const std::string& entity, const Value& name);
  // Events wait until release_events(): for a record that is not whole yet, such as a file without its bytes.
  void hold_events() { holds_events_ = true; }
  Result<void> release_events();
  // At the end: what scripts changed in other records than their own; and what is gone must be referred to by nothing.
  Result<void> finish();

  const catalog::Entity& entity(Handle handle) const override { return record(handle).entity(); }
  Value get(Handle handle, const catalog::Property& property) const override { return record(handle).get(property); }
  Value get_before(Handle handle, const catalog::Property& property) const override {
    return record(handle).before(property);
  }
  Result<void> set(Handle handle, const catalog::Property& property, Value value) override;
  Result<void> act(Handle handle, std::string_view action, const script::NamedValues& input) override;
  Result<std::optional<Handle>> find(const catalog::Entity& entity, const Key& key) override;
  Result<std::vector<Handle>> search(const catalog::Entity& entity, const Match& match) override;
  Result<std::vector<Handle>> search(const catalog::Entity& entity, const Query& query) override;
  Result<std::int64_t> count(const catalog::Entity& entity, const Query& query) override;
  std::size_t placeholders(std::string_view filter) const override;
  Result<Handle> create(const catalog::Entity& entity, const script::NamedValues& values) override;
  void answer(Handle handle) override { answer_ = handle; }
  void answer(script::NamedValues values) override { answered_values_ = std::move(values); }
  std::size_t statements() const override { return statements_; }
  void raise(Handle handle, std::string_view event) override { items_[handle]->raised.emplace_back(event); }
  Result<void> keep_secret(Handle handle, std::string_view hash) override;
  Result<void> make_secret(Handle handle, const catalog::Property& property) override;

 private:
  struct Later {
    const catalog::Action* action;
    Input input;
    int depth;
  };
  struct Item {
    Record record;
    bool is_busy = false;                     // an action of it runs, or one of `later`
    const catalog::Action* action = nullptr;  // which one
    std::list<Later> later;                   // what its scripts asked for meanwhile
    std::size_t put_off = 0;                  // how many those were
    std::vector<std::string> raised;
  };

  Handle keep(Record record);
  std::string told(Handle handle) const { return entity(handle).name + ' ' + std::to_string(record(handle).key()); }
  Result<std::optional<Handle>> load(const catalog::Entity& entity, std::int64_t key);
  Result<std::optional<Handle>> load(const catalog::Entity& entity, const Key& key);
  Result<std::vector<Handle>> load_all(const catalog::Entity& entity, const std::vector<Key>& keys);
  Result<Value> own_partition() const;  // of the session's person
  Result<void> give_partition(Record& record);
  void note_links(const catalog::Action& action, const Input& input);
  Result<void> check_link(const Record& holder, const catalog::Property& property, const Value& value);
  Result<Input> input_of(const Record& record, const catalog::Action& action, const script::NamedValues& values);
  Result<bool> run_script(Handle handle, const catalog::Action& action, const Input& input);
  Result<void> run_hooks(Handle handle, const catalog::Hooks::Chain& hooks);
  Result<void> write(Handle handle, const catalog::Action& action, const Input& input);
  Result<std::optional<script::NamedValues>> history_of(Handle handle, const catalog::Action& action,
                                                        const Input& input);
  Result<std::int64_t> write_history(const Record& record, const script::NamedValues& values);
  Result<void> save(Record& record);
  Result<Value> sealed(const catalog::Property& property, Value value);
  Result<void> emit(Handle handle, const catalog::Action& action, std::optional<std::int64_t> history_order,
                    const Input& input);
  Result<void> check_offered(Handle handle, const catalog::Action& action, const Input& input);
  Result<void> perform_one(Handle handle, const catalog::Action& action, const Input& input);
  Result<void> perform_later(Handle handle);
  Result<void> check_depth(Handle handle, const catalog::Action& action) const;

  const Context& context_;
  RuleCheck rules_;
  DateTime now_;
  Random& random_;
  events::Sink& sink_;
  const SecretKeeping secrets_;
  std::vector<std::unique_ptr<Item>> items_;
  // What lookups lead to and was there.
  std::set<std::pair<const catalog::Entity*, std::int64_t>> known_links_;
  std::size_t statements_ = 0;  // of the database
  int depth_ = 0;               // of the action that runs: one that no script asked for is 1 deep
  struct Held {
    Handle handle;
    const catalog::Action* action;
    std::optional<std::int64_t> history_order;
    Input input;
  };
  bool holds_events_ = false;
  std::vector<Held> held_;
  std::vector<Handle> removed_;
  std::list<catalog::Action> told_;  // of parts, as the history of what they hang on tells them
  std::optional<Handle> answer_;
  std::optional<script::NamedValues> answered_values_;
  std::map<const catalog::Property*, std::string> made_secrets_;
};

// The state by name, for messages; "this state" where the entity has none.
std::string state_name(const Record& record);

}  // namespace callisto::records
