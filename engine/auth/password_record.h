// The stored password of a person: its hash, the wrong guesses since the last sign-in, and the lock that follows from
// them (decisions.md 6.3). Writing functions belong inside a storage::WriteFunction.
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
  DateTime locked_until;
  bool is_locked(DateTime now) const { return now < locked_until; }
};

// The record of that person, else the stand-in: from here on an unknown name costs what a known one does.
Result<PasswordRecord> read_password(storage::Connection& connection, std::int64_t person);

// Every refusal writes once, whatever its reason, so that none is faster. Only a wrong guess outside a lock counts.
Result<void> note_refusal(storage::Connection& connection, const PasswordRecord& record, bool wrong_guess,
                          DateTime now);
Result<void> note_success(storage::Connection& connection, const PasswordRecord& record);

// Keeps `hash` in place of the record's, unless the password was changed meanwhile.
Result<void> renew_hash(storage::Connection& connection, const PasswordRecord& record, const std::string& hash);

}  // namespace callisto::auth
