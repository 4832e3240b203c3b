// Ends sessions of a person or a client at once, however many there are: all of them, or those that a lost right had
// allowed. Only this file and session_store.h know their columns. Inside a storage::WriteFunction.
#pragma once

#include "engine/auth/clients/client.h"
#include "engine/auth/person.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace callisto::auth {

enum class SessionsOf { Person, Client };

struct EndedSession {
  std::int64_t id = 0;
  std::optional<std::int64_t> person;
  std::int64_t client = 0;
};

struct Ending {
  DateTime now;
  std::optional<std::int64_t> by;  // the person who ends them
  std::int64_t spared = 0;         // a session that stays
};

// Those that lived and fulfil `condition` (of a row of `session`; empty: all), with their licences and IsLoggedIn of
// their persons; where all end, the owner's codes that nobody has used yet are taken back too. Memory must forget them
// after the commit.
Result<std::vector<EndedSession>> end_sessions(storage::Connection& connection, SessionsOf owner, std::int64_t key,
                                               const Ending& ending, const Sql& condition = {});

// What a person may not hold any more, as they are now: sessions and codes of types that are not theirs, all of who is
// not active.
Result<std::vector<EndedSession>> end_lost_sessions(storage::Connection& connection, const Person& person,
                                                    const Ending& ending);
// Those of a person that came by an authorization code, and the codes that nobody has used yet.
Result<std::vector<EndedSession>> end_coded_sessions(storage::Connection& connection, std::int64_t person,
                                                     const Ending& ending);
// What a client could not open any more, as it is now: sessions of another type, by a grant that it has not, renewed
// though it may not refresh, handed to a redirect URI that is gone; all of one that is not enabled.
Result<std::vector<EndedSession>> end_lost_sessions(storage::Connection& connection, const Client& client,
                                                    const Ending& ending);

}  // namespace callisto::auth
