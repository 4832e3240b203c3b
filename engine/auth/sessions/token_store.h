// The digests of tokens in the database (API rule 6.1): which session each opens, until when. Writing functions
// belong inside a storage::WriteFunction.
#pragma once

#include "engine/auth/service.h"
#include "engine/auth/token.h"

#include <cstdint>
#include <optional>
#include <string>

namespace callisto::auth {

// Made before the transaction, in the clear for the answer alone.
struct NewTokens {
  explicit NewTokens(Random& random);
  TokenPair answer(SessionType type, int expires_in) const;
  std::string access, refresh;
};

// The session's row is there, as it is from now on. Returns for how many seconds the access token opens the API: both
// end with the session.
Result<int> store_tokens(storage::Connection& connection, std::int64_t session, const NewTokens& tokens,
                         const Options& options, DateTime now);

// The same of an access token alone.
Result<int> store_access_token(storage::Connection& connection, std::int64_t session, const std::string& token,
                               const Options& options, DateTime now);

struct AccessToken {
  std::int64_t session = 0;
  DateTime expires;
};
Result<std::optional<AccessToken>> find_access_token(storage::Connection& connection, const Digest& digest);

struct RefreshToken {
  std::string hash;
  std::int64_t session = 0;
  bool used = false, successor_unused = false;
  DateTime used_at, expires;
};
Result<std::optional<RefreshToken>> find_refresh_token(storage::Connection& connection, const Digest& digest);

// One conditional update decides: of all who hold the token, one spends it. `successor` is what takes its place.
Result<bool> spend_refresh_token(storage::Connection& connection, const RefreshToken& token, const NewTokens& successor,
                                 DateTime now);

}  // namespace callisto::auth
