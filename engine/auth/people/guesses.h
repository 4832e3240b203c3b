// Wrong guesses at passwords, and the locks that follow: for a person and one network, and a laxer one for a person and
// all networks from which they have not signed in lately. So nobody can lock somebody else out by guessing, and an
// attacker with many networks is still slowed. Kept in the database, so restarts and other nodes see them; networks are
// kept as digests. Writing functions belong inside a storage::WriteFunction.
#pragma once

#include "engine/auth/people/password_record.h"

#include <string>
#include <string_view>

namespace callisto::auth {

// What is known of a person at one network.
struct NetworkRecord {
  std::int64_t person = 0;
  std::string network;  // its digest; empty: stands in where nothing is counted
  std::int64_t failures = 0;
  DateTime locked_until, refused, admitted;
  bool is_known(DateTime now) const;  // the person signed in from there lately
};

struct Guesses {
  PasswordRecord record;  // counts what came from networks that were not known
  NetworkRecord network;
  bool is_locked(DateTime now) const;
};

// What counts as one network: an IPv4 address, or the /64 that an IPv6 subscriber holds.
std::string network_digest(std::string_view key, std::int64_t person, const std::string& address);

// `network`: of network_digest().
Result<Guesses> read_guesses(storage::Connection& connection, std::int64_t person, const std::string& network);

// Every refusal writes the same, whatever its reason, so that none is faster. Only a wrong guess outside a lock counts.
Result<void> note_refusal(storage::Connection& connection, const Guesses& guesses, bool wrong_guess, DateTime now);
Result<void> note_success(storage::Connection& connection, const Guesses& guesses, DateTime now);
// All of a person's: a new password begins anew.
Result<void> forget_guesses(storage::Connection& connection, std::int64_t person);
// What says nothing any more, or was stamped by a clock that was ahead.
Result<void> remove_old_guesses(storage::Connection& connection, DateTime now);

}  // namespace callisto::auth
