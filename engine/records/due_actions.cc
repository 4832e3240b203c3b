#include "engine/records/due_actions.h"

#include "engine/base/log.h"
#include "engine/records/search.h"

#include <algorithm>

namespace callisto::records {

namespace {

auth::Session make_nobody() {
  auth::Session session;
  session.type = auth::SessionType::Analyst;
  session.rights = {"Administration", "Integration"};  // what the server does by itself needs nobody's
  return session;
}

}  // namespace

DueActions::DueActions(const Model& model, Writer& writer, std::unique_ptr<Slot> slot)
    : model_(model), writer_(writer), slot_(std::move(slot)), nobody_(make_nobody()) {}

Result<std::vector<std::int64_t>> DueActions::keys(const Model::Due& due) {
  const Context context{model_, nobody_, *slot_->connection, *slot_->scripts};
  CALLISTO_TRY(const Page page, search(context, due.keys, {}));
  std::vector<std::int64_t> keys;
  for (;;) {
    CALLISTO_TRY(const bool more, page.rows->step());
    if (!more) break;
    keys.push_back(page.rows->integer(due.keys.plan->key_columns.front()));
  }
  std::sort(keys.begin(), keys.end());  // the rows come in any order, what happens does not
  std::rotate(keys.begin(), std::upper_bound(keys.begin(), keys.end(), last_[&due]), keys.end());
  if (keys.size() > most_at_once) keys.resize(most_at_once);
  return keys;
}

// The record may have changed since its key was read.
Result<bool> DueActions::perform(const Model::Due& due, std::int64_t key) {
  bool done = false;
  CALLISTO_CHECK(writer_.write(nobody_, [&](const Context&, Change& change) -> Result<void> {
    done = false;
    CALLISTO_TRY(const auto handle, change.find(*due.entity, {key}));
    if (!handle || is_deleted(change.record(*handle))) return {};
    const catalog::Action* action = change.entity(*handle).find_action(due.action->name);
    if (!action) return {};
    CALLISTO_TRY(done, change.rules().is_due(change.record(*handle), *action));
    return done ? change.perform(*handle, *action, {}) : Result<void>();
  }));
  return done;
}

Result<std::size_t> DueActions::run() {
  std::size_t count = 0;
  for (const Model::Due& due : model_.due) {
    CALLISTO_TRY(const auto records, keys(due));
    for (const std::int64_t key : records) {
      last_[&due] = key;
      const auto done = perform(due, key);
      if (done) count += *done ? 1 : 0;
      else
        log::error(due.action->name + " of " + due.entity->name + " " + std::to_string(key) +
                   " was due and failed: " + done.error().message + " " + done.error().log_detail);
    }
  }
  return count;
}

}  // namespace callisto::records
