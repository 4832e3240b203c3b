// Secrets of records: passwords of persons, secrets of clients (API rule 4.10: "A password is never returned"). They
// are kept as hashes in tables of this folder, which no query of the API reaches. Any thread.
#pragma once

#include "engine/auth/session.h"
#include "engine/base/result.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace callisto::auth {

inline constexpr std::size_t shortest_secret = 8;  // characters of a new one

// A secret that was said to be the current one of a record. What comes of it is for judge() to say.
struct Guess {
  bool matches = false;
  std::string hash;  // what it was compared with
};

class Secrets {
 public:
  virtual ~Secrets() = default;

  // Comes before the two that hash: 429 where the session's person has asked for it as often as one address may try to
  // sign in. Who administrates sets the secrets of others and is not counted. `action`: for the audit log.
  virtual Result<void> admit(const Session& session, std::string_view action) = 0;

  // What is kept of a new secret. Takes about 250 ms on purpose, so never inside a transaction. 400 where it is too
  // short, 503 where too many are being made.
  virtual Result<std::string> hash(std::string_view secret) = 0;

  // As slow as hash().
  virtual Result<Guess> compare(std::string_view entity, std::int64_t key, std::string_view secret) = 0;
  // Inside a storage::WriteFunction: whether the guess is right. Others may have guessed while it was hashed, so this
  // goes by the record as it is now; false while guessing is locked for the network that the session was opened from.
  virtual Result<bool> judge(storage::Connection& connection, const Session& session, std::string_view entity,
                             std::int64_t key, const Guess& guess) = 0;
  // Counts as a wrong guess at signing in does, and stands in the audit log like one: `session` made it by `action`.
  virtual Result<void> note_wrong_guess(std::string_view entity, std::int64_t key, const Session& session,
                                        std::string_view action) = 0;

  // Inside a storage::WriteFunction. `hash` is of hash(); earlier guesses and locks are forgotten. 500 for an entity
  // whose records have no secret.
  virtual Result<void> keep(storage::Connection& connection, std::string_view entity, std::int64_t key,
                            const std::string& hash) = 0;
};

}  // namespace callisto::auth
