#include "engine/auth/session.h"

namespace callisto::auth {

namespace {

constexpr std::string_view scope_prefix = "session-type:";

}  // namespace

const char* name(SessionType type) { return type == SessionType::Analyst ? "Analyst" : "User"; }

std::optional<SessionType> session_type(std::string_view text) {
  for (const SessionType type : {SessionType::Analyst, SessionType::User})
    if (text == name(type)) return type;
  return std::nullopt;
}

std::string scope_of(SessionType type) { return std::string(scope_prefix) + name(type); }

// API rules 6: one of two texts, case sensitive.
std::optional<SessionType> read_scope(std::string_view scope) {
  if (!scope.starts_with(scope_prefix)) return std::nullopt;
  return session_type(scope.substr(scope_prefix.size()));
}

}  // namespace callisto::auth
