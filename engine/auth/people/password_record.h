// The stored password of a person: its hash, the wrong guesses from unknown networks, and the lock that follows from
// them (guesses.h). Writing functions belong inside a storage::WriteFunction.
#pragma once

#include "engine/base/datetime.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <string>

namespace callisto::auth {

struct PasswordRecord {
  std::int64_t person = 0;  // 0: stands in for everyone who has no password
  std::string hash;         // empty for that one
  std::int64_t failures = 0;
  DateTime locked_until, refused;
};

// The record of that person, else the stand-in: from here on an unknown name costs what a known one does.
Result<PasswordRecord> read_password(storage::Connection& connection, std::int64_t person);

// Keeps `hash` in place of the record's, unless the password was changed meanwhile.
Result<void> renew_hash(storage::Connection& connection, const PasswordRecord& record, const std::string& hash);

}  // namespace callisto::auth
