// What an administrator sets up for sign-in: clients, roles, passwords. For commands and the loader of sample data,
// inside a storage::WriteFunction. Each puts the whole: what was there under the same key is replaced.
#pragma once

#include "engine/auth/client.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace callisto::auth {

struct Role {
  std::int64_t ref = 0;
  std::string name;
  std::vector<std::string> rights;                      // words: no blanks, no commas
  std::optional<std::vector<std::int64_t>> partitions;  // nothing: all
};

Result<void> put_client(storage::Connection& connection, const Client& client);
Result<void> put_role(storage::Connection& connection, const Role& role);
Result<void> assign_role(storage::Connection& connection, std::int64_t person, std::int64_t role);

// Whether an active person has a role with the right Administration.
Result<bool> has_administrator(storage::Connection& connection);

// `hash` is PasswordHash::make(...).text(), made outside the transaction. Failures and locks are forgotten.
Result<void> put_password_hash(storage::Connection& connection, std::int64_t person, const std::string& hash);

}  // namespace callisto::auth
