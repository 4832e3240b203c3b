// Roles and who has them. They are rows of the entity tables `role`, `role-partition` and `person-role`, and this is
// the only file of the folder that knows their columns. A connection belongs to one thread at a time; writing functions
// belong inside a storage::WriteFunction.
#pragma once

#include "engine/auth/session.h"
#include "engine/storage/database.h"
#include "engine/storage/new_rows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace callisto::auth {

struct Role {
  std::string name;
  std::vector<std::string> rights;                      // words: no blanks, no commas
  std::optional<std::vector<std::int64_t>> partitions;  // nothing: all
};

// The role of that name, made or replaced as a whole; its Ref.
Result<std::int64_t> put_role(storage::Connection& connection, const Role& role, const storage::Stamp& stamp);
Result<std::optional<std::int64_t>> find_role(storage::Connection& connection, const std::string& name);
Result<void> assign_role(storage::Connection& connection, std::int64_t person, std::int64_t role,
                         const storage::Stamp& stamp);

// Whether an active person has a role with the right Administration.
Result<bool> has_administrator(storage::Connection& connection);

// Whether that person has one.
Result<bool> is_administrator(storage::Connection& connection, std::int64_t person);

// Rights and partitions of a session, which has its type and person already: the union of the person's roles; without
// any role no rights and no partition.
Result<void> read_person_access(storage::Connection& connection, Session& session);
// The partitions of one role, for a session without a person. Nothing: none.
Result<void> read_role_access(storage::Connection& connection, std::optional<std::int64_t> role, Session& session);
// Of either kind of session, by its person or its client.
Result<void> read_session_access(storage::Connection& connection, Session& session);

}  // namespace callisto::auth
