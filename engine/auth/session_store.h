// Sessions and the digests of their tokens in the database. All of it belongs inside a storage::WriteFunction, so that
// a session, its licence and its tokens come to be, change and end together.
#pragma once

#include "engine/auth/service.h"
#include "engine/auth/token.h"

#include <cstdint>
#include <optional>
#include <string>

namespace callisto::auth {

struct NewSession {
  std::optional<std::int64_t> person;
  std::string client_id;
  SessionType type = SessionType::User;
  std::string address;
};

// Made before the transaction, in the clear for the answer alone.
struct NewTokens {
  explicit NewTokens(Random& random);
  TokenPair answer(SessionType type, const Options& options) const;
  std::string access, refresh;
};

// The number of the session, which lasts as long as its refresh token; nothing where every licence is taken.
Result<std::optional<std::int64_t>> open_session(storage::Connection& connection, const NewSession& session,
                                                 const Options& options, DateTime now);
Result<void> extend_session(storage::Connection& connection, std::int64_t session, const Options& options,
                            DateTime now);
Result<void> end_session(storage::Connection& connection, std::int64_t session, DateTime now);

Result<void> store_tokens(storage::Connection& connection, std::int64_t session, const std::string& client_id,
                          const NewTokens& tokens, const Options& options, DateTime now);

}  // namespace callisto::auth
