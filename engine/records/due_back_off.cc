#include "engine/records/due_back_off.h"

#include "engine/base/running_digest.h"

#include <algorithm>
#include <optional>

namespace callisto::records {

namespace {

constexpr std::int64_t minute_ms = 60'000;
constexpr std::int64_t first_pause_ms = 10 * minute_ms;
constexpr std::int64_t longest_pause_ms = 24 * 60 * minute_ms;

// A failure may come of any code that the action sets going, so that all of it counts.
std::string digest_of(const Model& model) {
  std::string text;
  for (const script::Source& source : model.program->sources) text += source.text + '\n';
  for (const auto& due : model.due) text += due.entity->name + ' ' + due.action->due + ' ' + due.action->offered + '\n';
  return sha256_hex(text).substr(0, 16);
}

}  // namespace

std::int64_t due_pause_ms(std::int64_t tries) {
  constexpr std::int64_t doublings = 8;  // beyond a day
  return std::min(longest_pause_ms, first_pause_ms << std::clamp<std::int64_t>(tries - 1, 0, doublings));
}

DueBackOff::DueBackOff(const Model& model) : rules_(digest_of(model)) {}

Result<std::map<std::int64_t, DueBackOff::Failure>> DueBackOff::of(storage::Connection& connection,
                                                                   const Model::Due& due) const {
  static const Sql sql(
      "SELECT record, version, tries, since, again, rule FROM due_failure WHERE entity = ?1 AND action = ?2");
  std::map<std::int64_t, Failure> failures;
  CALLISTO_TRY(const auto rows, connection.query(sql, {due.entity->name, due.action->name}));
  for (;;) {
    CALLISTO_TRY(const bool more, rows->step());
    if (!more) return failures;
    failures.emplace(rows->integer(0), Failure{rows->integer(1), rows->integer(2), DateTime{rows->integer(3)},
                                               DateTime{rows->integer(4)}, rows->text(5) == rules_});
  }
}

Result<bool> DueBackOff::note(storage::Connection& connection, const Model::Due& due, std::int64_t record,
                              std::int64_t version, DateTime now) const {
  static const Sql put(
      "INSERT INTO due_failure (entity, action, record, rule, version, tries, since, again) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (entity, action, record) DO UPDATE SET "
      "rule = excluded.rule, version = excluded.version, tries = excluded.tries, again = excluded.again");
  static const Sql get(
      "SELECT version, tries, since, again, rule FROM due_failure WHERE entity = ?1 AND action = ?2 AND record = ?3");
  Failure known;
  {
    CALLISTO_TRY(const auto row, connection.query(get, {due.entity->name, due.action->name, record}));
    CALLISTO_TRY(const bool found, row->step());
    if (found)
      known = {row->integer(0), row->integer(1), DateTime{row->integer(2)}, DateTime{row->integer(3)},
               row->text(4) == rules_};
  }
  if (known.holds(version, now)) return false;
  const bool is_same = known.is_of_rules && known.version == version;
  const std::int64_t tries = is_same ? known.tries + 1 : 1;
  CALLISTO_CHECK(connection.execute(put, {due.entity->name, due.action->name, record, rules_, version, tries, now,
                                          DateTime{now.ms + due_pause_ms(tries)}}));
  return !is_same;
}

Result<void> DueBackOff::forget(storage::Connection& connection, const Model::Due& due, std::int64_t record) const {
  static const Sql sql("DELETE FROM due_failure WHERE entity = ?1 AND action = ?2 AND record = ?3");
  CALLISTO_CHECK(connection.execute(sql, {due.entity->name, due.action->name, record}));
  return {};
}

}  // namespace callisto::records
