// Authorization codes in the database, by digest: what was agreed when each was issued, and what became of it. Call
// functions that change one inside a storage::WriteFunction.
#pragma once

#include "engine/auth/session.h"
#include "engine/auth/token.h"
#include "engine/base/datetime.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace callisto::auth {

struct StoredCode {
  std::string hash;
  std::int64_t client = 0, person = 0;
  SessionType type = SessionType::User;
  std::string redirect_uri;
  bool redirect_uri_given = false;
  std::string code_challenge;  // empty: none
  std::string address;
  DateTime expires;
  bool used = false;
  std::optional<std::int64_t> session;  // made with it
};

Result<void> store_code(storage::Connection& connection, const StoredCode& code);
Result<std::optional<StoredCode>> find_code(storage::Connection& connection, const Digest& digest);
// One conditional update decides: of all who hold the code, one uses it.
Result<bool> use_code(storage::Connection& connection, const StoredCode& code, DateTime now);
Result<void> note_session_of_code(storage::Connection& connection, const StoredCode& code, std::int64_t session);

// Codes that nobody has used yet are good for nothing from then on.
Result<void> take_back_codes_of_person(storage::Connection& connection, std::int64_t person);
Result<void> take_back_codes_of_person(storage::Connection& connection, std::int64_t person, SessionType type);
Result<void> take_back_codes_of_client(storage::Connection& connection, std::int64_t client);

// The sessions that codes of a client made, and where each code was sent.
Result<std::vector<std::pair<std::int64_t, std::string>>> redirects_of_client(storage::Connection& connection,
                                                                              std::int64_t client);

}  // namespace callisto::auth
