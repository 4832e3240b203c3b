// Session: who asks, what they may see. Made at login, shared by the requests that carry its token; immutable.
#pragma once

#include "engine/base/datetime.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::auth {

enum class SessionType { Analyst, User };
const char* name(SessionType type);                              // "Analyst"; the scope is "session-type:Analyst"
std::optional<SessionType> session_type(std::string_view text);  // the type of that name
std::string scope_of(SessionType type);
std::optional<SessionType> read_scope(std::string_view scope);

struct Session {
  std::int64_t id = 0;
  SessionType type = SessionType::User;
  std::optional<std::int64_t> person;  // Ref; nobody for client_credentials
  std::string client_id;
  std::set<std::string> rights;                         // "Administration", "Integration", ...
  std::optional<std::vector<std::int64_t>> partitions;  // sorted; nullopt: all
  bool may(const std::string& right) const { return rights.count(right) != 0; }
};

}  // namespace callisto::auth
