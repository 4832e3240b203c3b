#include "engine/records/due_actions.h"

#include "engine/auth/server_session.h"
#include "engine/base/hex.h"
#include "engine/base/log.h"
#include "engine/catalog/problems.h"
#include "engine/records/search.h"

#include <algorithm>
#include <optional>
#include <set>

namespace callisto::records {

namespace {

constexpr std::string_view script_error = "ScriptException";  // which the observer was told when it came

DueName name_of(const Model::Due& due) { return {due.entity->name, due.action->name}; }

std::string told(const Model::Due& due, std::int64_t key) {
  return due.action->name + " of " + due.entity->name + ' ' + std::to_string(key);
}

std::int64_t version_of(const Record& record) {
  const catalog::Property* property = record.entity().find_property(catalog::system::version);
  const Value version = property ? record.get(*property) : Value(Null{});
  const auto* number = std::get_if<std::int64_t>(&version);
  return number ? *number : 0;
}

std::optional<std::size_t> version_column(const query::Plan& plan) {
  for (std::size_t i = 0; i < plan.columns.size(); ++i)
    if (plan.columns[i].hops.empty() && plan.columns[i].property &&
        plan.columns[i].property->name == catalog::system::version)
      return i;
  return std::nullopt;
}

Error too_often(const std::string& action) {
  return invalid_state(action + " was done " + std::to_string(DueFigures::most_in_an_hour) +
                       " times within the last hour: something makes the record due again, perhaps another due action; "
                       "an action that is meant to repeat must check the time of the last one");
}

// Whether nothing keeps the record from being done to again and again.
Result<void> check_ended(Change& change, Change::Handle handle, const catalog::Action& action, bool& is_undone) {
  const Record& record = change.record(handle);
  if (is_deleted(record)) return {};
  CALLISTO_TRY(is_undone, change.rules().is_due(record, action));
  if (!is_undone) return {};
  return invalid_state(
      "the record is still due after " + action.name + ", so the action was undone: due = \"" + action.due +
      "\" must no longer hold after the action: set what it asks for, or move to a state that is not in 'from'");
}

// The records on which an action is due at this moment.
struct DueRecord {
  std::int64_t key = 0, version = 0;  // 0: its entity has no versions
};

// By key.
Result<std::vector<DueRecord>> due_records(const Context& context, const Model::Due& due) {
  CALLISTO_TRY(const Page page, search(context, due.keys, {}));
  const auto version = version_column(*due.keys.plan);
  std::vector<DueRecord> records;
  for (;;) {
    CALLISTO_TRY(const bool more, page.rows->step());
    if (!more) break;
    const bool has_version = version && !page.rows->is_null(*version);
    records.push_back({page.rows->integer(due.keys.plan->key_columns.front()),
                       has_version ? page.rows->integer(*version) : std::int64_t{0}});
  }
  // The rows come in any order, what happens does not.
  std::sort(records.begin(), records.end(), [](const DueRecord& a, const DueRecord& b) { return a.key < b.key; });
  return records;
}

}  // namespace

Result<std::size_t> count_due(const Model& model, const Model::Due& due, storage::Connection& connection,
                              script::State& scripts) {
  const auth::Session nobody = auth::server_session();
  CALLISTO_TRY(const auto records, due_records(Context{model, nobody, connection, scripts}, due));
  return records.size();
}

DueActions::DueActions(const Model& model, Writer& writer, std::unique_ptr<Slot> slot, const DueListeners& listeners)
    : model_(model),
      writer_(writer),
      slot_(std::move(slot)),
      listeners_(listeners),
      back_off_(model),
      nobody_(auth::server_session()) {
  std::set<DueName> names;
  for (const Model::Due& due : model_.due) names.insert(name_of(due));
  listeners_.figures.serve(names);
}

Result<DueActions::Turn> DueActions::turn(const Model::Due& due) {
  const Context context{model_, nobody_, *slot_->connection, *slot_->scripts};
  CALLISTO_TRY(const auto records, due_records(context, due));
  Turn turn;
  CALLISTO_TRY(turn.failures, back_off_.of(*slot_->connection, due));
  const DateTime now = listeners_.clock.now();
  std::map<std::int64_t, DateTime> since;
  for (const DueRecord& record : records) {
    const auto failure = turn.failures.find(record.key);
    const bool has_failed = failure != turn.failures.end();
    since.emplace(record.key, has_failed ? failure->second.since : now);
    if (!has_failed || !failure->second.holds(record.version, now)) turn.keys.push_back(record.key);
  }
  for (const auto& [key, failure] : turn.failures)
    if (since.count(key) == 0) turn.settled.push_back(key);
  listeners_.figures.saw(name_of(due), std::move(since), records.size() - turn.keys.size());
  auto& keys = turn.keys;
  std::rotate(keys.begin(), std::upper_bound(keys.begin(), keys.end(), last_[&due]), keys.end());
  if (keys.size() > most_at_once) keys.resize(most_at_once);
  return turn;
}

// The record may have changed since its key was read.
DueActions::Attempt DueActions::perform(const Model::Due& due, std::int64_t key) {
  Attempt attempt;
  attempt.done = writer_.write(nobody_, [&](const Context&, Change& change) -> Result<void> {
    attempt = {key};
    CALLISTO_TRY(const auto handle, change.find(*due.entity, {key}));
    if (!handle || is_deleted(change.record(*handle))) return {};
    attempt.version = version_of(change.record(*handle));
    const catalog::Action* action = change.entity(*handle).find_action(due.action->name);
    if (!action) return {};
    CALLISTO_TRY(attempt.is_due, change.rules().is_due(change.record(*handle), *action));
    if (!attempt.is_due) return {};
    if (listeners_.figures.is_too_often(name_of(due), key, listeners_.clock.now())) return too_often(action->name);
    CALLISTO_CHECK(change.perform(*handle, *action, {}));
    CALLISTO_CHECK(change.finish());  // what it changed elsewhere may be what ends it
    return check_ended(change, *handle, *action, attempt.is_undone);
  });
  return attempt;
}

void DueActions::tell(const Model::Due& due, const Attempt& attempt) {
  const Error& error = attempt.done.error();
  if (!listeners_.observer || error.type == script_error) return;
  const catalog::Origin origin = catalog::place(*due.action, "due");
  constexpr std::size_t reference_bytes = 4;
  listeners_.observer->failed({hex(listeners_.random.bytes(reference_bytes)),
                               due.action->name,
                               due.entity->name,
                               Null{},
                               origin.file,
                               origin.line,
                               due.entity->name + ' ' + std::to_string(attempt.key) + ": " + error.message,
                               {}});
}

Result<void> DueActions::note(const Model::Due& due, const std::vector<Attempt>& failed,
                              const std::vector<std::int64_t>& settled) {
  if (failed.empty() && settled.empty()) return {};
  std::vector<const Attempt*> first;
  CALLISTO_CHECK(writer_.write(nobody_, [&](const Context& context, Change&) -> Result<void> {
    first.clear();
    for (const Attempt& attempt : failed) {
      CALLISTO_TRY(const bool is_first,
                   back_off_.note(context.connection, due, attempt.key, attempt.version, listeners_.clock.now()));
      if (is_first) first.push_back(&attempt);
    }
    for (const std::int64_t key : settled) CALLISTO_CHECK(back_off_.forget(context.connection, due, key));
    return {};
  }));
  for (const Attempt* attempt : first) tell(due, *attempt);
  return {};
}

Result<DueActions::Run> DueActions::run() {
  Run run;
  for (const Model::Due& due : model_.due) {
    CALLISTO_TRY(Turn now, turn(due));
    std::vector<Attempt> failed;
    for (const std::int64_t key : now.keys) {
      last_[&due] = key;
      Attempt attempt = perform(due, key);
      if (attempt.done) {
        listeners_.figures.settled(name_of(due), key);
        if (attempt.is_due) {
          ++run.done;
          listeners_.figures.count(name_of(due), DueOutcome::Done);
          listeners_.figures.done(name_of(due), key, listeners_.clock.now());
        }
        if (now.failures.count(key) > 0) now.settled.push_back(key);
        continue;
      }
      const Error& error = attempt.done.error();
      run.failures.push_back(told(due, key) + " was due and failed: " + error.message + " " + error.log_detail);
      log::error(run.failures.back());
      if (error.is_unavailable()) continue;  // the database's or the server's fault, and for a moment only
      listeners_.figures.count(name_of(due), attempt.is_undone ? DueOutcome::Undone : DueOutcome::Failed);
      failed.push_back(std::move(attempt));
    }
    CALLISTO_CHECK(note(due, failed, now.settled));
  }
  return run;
}

}  // namespace callisto::records
