// What an administrator sets up for sign-in: clients, roles, passwords; and who is signed in. For commands and the
// loader of sample data, inside a storage::WriteFunction. Each function replaces the whole of what had the same name.
// Roles: role.h.
#pragma once

#include "engine/auth/clients/client.h"
#include "engine/auth/role.h"
#include "engine/auth/sessions/session_store.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <string>
#include <vector>

namespace callisto::auth {

// By its client_id; `client.ref` is not looked at.
Result<void> put_client(storage::Connection& connection, const Client& client, const storage::Stamp& stamp);
Result<std::vector<Client>> list_clients(storage::Connection& connection);
// False where there is none.
Result<bool> disable_client(storage::Connection& connection, const std::string& client_id, DateTime now);

struct ListedSession {
  std::int64_t ref = 0;
  std::string login;  // empty: a program that signed in for itself
  std::string client_id;
  SessionType type = SessionType::User;
  DateTime created, last_used, expires;
  std::string address;
};
// Those that live. See session_store.h for ending one.
Result<std::vector<ListedSession>> list_sessions(storage::Connection& connection, DateTime now);

// `hash` is PasswordHash::make(...).text(), made outside the transaction. Failures and locks are forgotten.
Result<void> put_password_hash(storage::Connection& connection, std::int64_t person, const std::string& hash);

}  // namespace callisto::auth
