// All sessions of a person or a client at once, however many they are: beside session_store.h the one file that knows
// their columns. Inside a storage::WriteFunction.
#pragma once

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

// Those that lived, but `spared`, with their licences and IsLoggedIn of their persons. Memory must forget them after
// the commit. `by`: the person who ends them.
Result<std::vector<EndedSession>> end_sessions(storage::Connection& connection, SessionsOf owner, std::int64_t key,
                                               std::int64_t spared, DateTime now, std::optional<std::int64_t> by);

}  // namespace callisto::auth
