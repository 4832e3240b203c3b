// Persons as sign-in sees them. They are rows of the entity table `person`, and this is the only file of the folder
// that knows its columns. A connection belongs to one thread at a time.
#pragma once

#include "engine/auth/session.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::auth {

struct Person {
  std::int64_t ref = 0;
  bool active = false, analyst = false, user = false;
  bool may_hold(SessionType type) const { return active && (type == SessionType::User ? user : analyst); }
};

// Login names match ignoring case: they are stored in capitals (API rule 6.1). Nobody has a name whose capitals are
// those of other letters (text::has_own_capitals). Blanks around a name are not part of it: phones put them there.
// Deleted persons are not found.
Result<std::optional<Person>> find_person_by_login(storage::Connection& connection, std::string_view login_name);
Result<std::optional<Person>> find_person(storage::Connection& connection, std::int64_t ref);
Result<std::string> login_of(storage::Connection& connection, std::int64_t ref);  // empty where there is none

// IsLoggedIn and LastLoginDate, in the transaction that opens or ends a session.
Result<void> note_login(storage::Connection& connection, std::int64_t ref, DateTime now);
Result<void> note_last_session_ended(storage::Connection& connection, std::int64_t ref);

}  // namespace callisto::auth
