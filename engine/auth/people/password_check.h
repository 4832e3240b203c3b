// Checks a login name and a password in two steps (API rule 6.3): hashing, which takes long, and the verdict inside a
// transaction, which is final. Every refusal costs the same work, whatever its reason. Any thread.
#pragma once

#include "engine/auth/grants/grant.h"
#include "engine/auth/people/guesses.h"

#include <cstdint>
#include <string>
#include <variant>

namespace callisto::auth {

struct PasswordAttempt {
  std::int64_t person = 0;  // 0: nobody has that login name
  PasswordRecord record;    // as it was before hashing
  SessionType type = SessionType::User;
  std::string address;
  std::string network;  // its digest
  bool matches = false;
};

// Hashes; too_busy() where too many do already.
Result<std::variant<PasswordAttempt, OAuthError>> try_password(const GrantContext& context,
                                                               const std::string& login_name,
                                                               const std::string& password, SessionType type,
                                                               const std::string& address);

struct Verdict {
  Guesses guesses;        // as they are now
  bool right = false;     // the password
  bool locked = false;    // for that network
  bool admitted = false;  // nothing stands against it
};

// Why it was not admitted, for the audit log alone: a client is told one text for every reason.
std::string reason_of(const PasswordAttempt& attempt, const Verdict& verdict);

// Inside a storage::WriteFunction; followed by one of the two below.
Result<Verdict> judge(storage::Connection& connection, const GrantContext& context, const PasswordAttempt& attempt);
Result<void> note_admitted(storage::Connection& connection, const GrantContext& context, const Verdict& verdict);
Result<void> note_refused(storage::Connection& connection, const GrantContext& context, const Verdict& verdict);

// After the commit of an admitted attempt: the stored hash is made again where it is of another cost. Earlier, the time
// of a second hash would tell a right password.
void renew_password_hash(const GrantContext& context, const PasswordAttempt& attempt, const std::string& password);

}  // namespace callisto::auth
