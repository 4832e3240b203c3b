#include "engine/records/repeat.h"

namespace callisto::records {

namespace {

constexpr std::int64_t kept_ms = std::int64_t{24} * 3600 * 1000;

std::int64_t person_of(const auth::Session& session) { return session.person.value_or(0); }

}  // namespace

Result<std::optional<RepeatedAnswer>> find_repeated(storage::Connection& connection, const auth::Session& session,
                                                    const RepeatKey& repeat, DateTime now) {
  CALLISTO_TRY(
      auto row,
      connection.query(
          Sql("SELECT digest, entity, record FROM repeat_key "
              "WHERE client = ?1 AND person = ?2 AND repeat_key = ?3 AND created_at > ?4 AND created_at <= ?5"),
          {session.client_id, person_of(session), repeat.key, DateTime{now.ms - kept_ms}, DateTime{now.ms + kept_ms}}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<RepeatedAnswer>();
  if (row->text(0) != repeat.digest)
    return bad_format("This Idempotency-Key was used for another request. Send a new key with every new request.");
  return std::optional(RepeatedAnswer{std::string(row->text(1)), row->integer(2)});
}

Result<void> keep_answer(storage::Connection& connection, const auth::Session& session, const RepeatKey& repeat,
                         const RepeatedAnswer& answer, DateTime now) {
  CALLISTO_CHECK(
      connection.execute(Sql("DELETE FROM repeat_key WHERE created_at <= ?1 OR created_at > ?2"),  // of a wrong clock
                         {DateTime{now.ms - kept_ms}, DateTime{now.ms + kept_ms}}));
  CALLISTO_CHECK(connection.execute(
      Sql("INSERT INTO repeat_key (client, person, repeat_key, digest, entity, record, created_at) "
          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"),
      {session.client_id, person_of(session), repeat.key, repeat.digest, answer.entity, answer.key, now}));
  return {};
}

}  // namespace callisto::records
