// Who signs in by an identity provider, by the links of auth/identity.h alone. Safe from any thread.
#pragma once

#include "engine/auth/grants/grant.h"
#include "engine/storage/new_rows.h"

#include <cstdint>
#include <optional>
#include <string>

namespace callisto::auth {

// The active person that (`issuer`, `subject`) is linked with; at the first time the one of that login name, who is
// linked then, unless somebody else of this issuer is linked already. Nothing: nobody. 403, with what to do in its
// log_detail, where that one has Administration: an administrator makes such a link.
Result<std::optional<std::int64_t>> find_linked_person(const GrantContext& context, const std::string& issuer,
                                                       const std::string& subject, const std::string& login_name);

// Those that an earlier version kept in a table of its own become records; at start-up, inside a
// storage::WriteFunction.
Result<void> adopt_old_links(storage::Connection& connection, const storage::Stamp& stamp);

}  // namespace callisto::auth
