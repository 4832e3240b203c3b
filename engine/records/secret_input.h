// Secrets that are parameters of an action: hashed and compared before the transaction, since that takes long on
// purpose, and never handed on as they came. One request; its thread.
#pragma once

#include "engine/auth/secrets.h"
#include "engine/base/random.h"
#include "engine/base/sealer.h"
#include "engine/json/read.h"
#include "engine/records/body.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::records {

// Who keeps secrets: as hashes, or sealed where they must be read again. Null: no record has any.
struct SecretKeeping {
  auth::Secrets* hashes = nullptr;
  const Sealer* sealer = nullptr;
};

struct SecretInput {
  script::NamedValues values;           // in place of what the body has: a hash, or whether it is the current one
  std::vector<PropertyError> problems;  // told when the body's turn comes
  std::map<std::string, auth::Guess> guesses;  // at the current one, by parameter; values are for judge_guesses()
  bool is_wrong_guess = false;
};

// Whether read_secrets() may have something to hash or to seal.
bool takes_secrets(const catalog::Entity& entity, std::string_view action);
// Of the action of that name, for that session. `body`: whatever came; what is no text is left to the checks of the
// body.
Result<SecretInput> read_secrets(const SecretKeeping& keeping, Random& random, const auth::Session& session,
                                 const catalog::Entity& entity, std::int64_t key, std::string_view action,
                                 const Result<json::Node>& body);
// In the transaction that a right guess allows something in.
Result<void> judge_guesses(SecretInput& input, const SecretKeeping& keeping, storage::Connection& connection,
                           const auth::Session& session, const catalog::Entity& entity, std::int64_t key);

}  // namespace callisto::records
