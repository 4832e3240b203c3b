// Answers to requests with an Idempotency-Key, kept 24 hours for each client and person. Inside the transaction of the
// request that carries the key.
#pragma once

#include "engine/auth/session.h"
#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <optional>
#include <string>

namespace callisto::records {

struct RepeatKey {
  std::string key;     // the header's value
  std::string digest;  // of what was sent
};

struct RepeatedAnswer {
  std::string entity;
  std::int64_t key = 0;
};

// The first answer; 400 where the key was used for something else.
Result<std::optional<RepeatedAnswer>> find_repeated(storage::Connection& connection, const auth::Session& session,
                                                    const RepeatKey& repeat, DateTime now);
Result<void> keep_answer(storage::Connection& connection, const auth::Session& session, const RepeatKey& repeat,
                         const RepeatedAnswer& answer, DateTime now);

}  // namespace callisto::records
