// Secrets of records: passwords of persons, secrets of clients (decisions.md 8: "A password is never returned"). They
// are kept as hashes in tables of this folder, which no query of the API reaches. Any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace callisto::auth {

class Secrets {
 public:
  virtual ~Secrets() = default;

  // What is kept of a new secret. Takes about 250 ms on purpose, so never inside a transaction. 400 where it is too
  // short, 503 where too many are being made.
  virtual Result<std::string> hash(std::string_view secret) = 0;

  // Whether it is the secret of that record; false while guessing is locked. As slow as hash().
  virtual Result<bool> verify(std::string_view entity, std::int64_t key, std::string_view secret) = 0;
  // Counts as a wrong guess at signing in does.
  virtual Result<void> note_wrong_guess(std::string_view entity, std::int64_t key) = 0;

  // Inside a storage::WriteFunction. `hash` is of hash(); earlier guesses and locks are forgotten. 500 for an entity
  // whose records have no secret.
  virtual Result<void> keep(storage::Connection& connection, std::string_view entity, std::int64_t key,
                            const std::string& hash) = 0;
};

}  // namespace callisto::auth
