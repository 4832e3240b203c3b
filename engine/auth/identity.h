// Links from identity providers' subjects to persons. They are rows of the entity table `identity-link`, and this and
// people/identity_link.h are the only files of the folder that know its columns. A connection belongs to one thread at
// a time.
#pragma once

#include "engine/audit/event.h"
#include "engine/base/result.h"
#include "engine/storage/database.h"
#include "engine/storage/new_rows.h"

#include <cstdint>
#include <optional>
#include <string>

namespace callisto::auth {

// OpenID Connect Core 5.7: "the only Claims that an RP can rely upon as a stable identifier for the End-User".
struct Subject {
  std::string issuer, subject;
};

// Whoever is linked, active or not.
Result<std::optional<std::int64_t>> find_linked(storage::Connection& connection, const Subject& subject);

// Inside a storage::WriteFunction, as link() is: links the active person of that login name. Nothing: there is none, or
// that one is linked with another subject of the issuer. 403, with what to do in its log_detail, where that one has
// Administration: an administrator makes such a link.
Result<std::optional<std::int64_t>> link_by_login(storage::Connection& connection, const Subject& subject,
                                                  const std::string& login_name, const storage::Stamp& stamp);
Result<void> link(storage::Connection& connection, const Subject& subject, std::int64_t person,
                  const storage::Stamp& stamp);

// After the commit: from now on whoever has that subject is that person, whatever they are called there.
void note_link(audit::Sink& audit, std::int64_t person, const Subject& subject);

}  // namespace callisto::auth
