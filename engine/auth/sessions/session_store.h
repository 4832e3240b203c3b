// Sessions in the database, with what belongs to each: its licence and its person's IsLoggedIn. They are rows of the
// entity table `session`, and only this file and end_sessions.h know its columns. An ended session has IsDeleted until
// an hour after its tokens would have expired. Call writing functions inside a storage::WriteFunction, so that all of
// it begins, changes and ends together.
#pragma once

#include "engine/auth/service.h"
#include "engine/storage/new_rows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace callisto::auth {

struct NewSession {
  std::optional<std::int64_t> person;
  std::int64_t client = 0;
  SessionType type = SessionType::User;
  std::string address;
};

struct StoredSession {
  std::int64_t id = 0;
  std::optional<std::int64_t> person;
  std::int64_t client = 0;
  SessionType type = SessionType::User;
  DateTime created, expires;
  std::string address;
  bool ended = false;
  bool lives(DateTime now) const { return !ended && now < expires; }
};

// How long a session of that age lasts from now on: as long as its refresh token, and never beyond session_seconds.
DateTime session_end(const Options& options, DateTime created, DateTime now);

struct OpenedSession {
  std::int64_t id = 0;
  std::vector<std::int64_t>
      displaced;        // the person's oldest, which ended for it; memory must forget them after the commit
  bool beyond = false;  // every licence was taken, and the person administrates
};

// Where licences are counted, a person holds Options::most_per_person() of them: one more ends the oldest. Nothing
// where every licence is taken, also after those sessions ended whose time was over; who has Administration is let in
// anyway.
Result<std::optional<OpenedSession>> open_session(storage::Connection& connection, const NewSession& session,
                                                  const Options& options, const storage::Stamp& stamp);
Result<void> extend_session(storage::Connection& connection, const StoredSession& session, const Options& options,
                            DateTime now);
Result<std::optional<StoredSession>> find_session(storage::Connection& connection, std::int64_t session);

// Logout, theft, expiry: false where it had ended before. Memory must forget it after the commit.
Result<bool> end_session(storage::Connection& connection, std::int64_t session, DateTime now);
// The rest of it where the row has been marked already, by a DELETE through the API.
Result<void> release_session(storage::Connection& connection, std::int64_t session);

Result<void> end_expired_sessions(storage::Connection& connection, DateTime now);
// Ended sessions with their tokens, expired tokens and codes, an hour after their time.
Result<void> remove_dead_rows(storage::Connection& connection, DateTime now);
// What a clock that was ahead has stamped must not outlive its correction: nothing lasts longer from now on than what
// is made now.
Result<void> cut_stamps_ahead(storage::Connection& connection, const Options& options, DateTime now);
Result<void> write_last_used(storage::Connection& connection, std::int64_t session, DateTime used);
Result<std::int64_t> count_sessions(storage::Connection& connection);  // that have not ended

}  // namespace callisto::auth
