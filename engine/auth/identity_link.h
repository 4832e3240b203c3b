// Persons whom an identity provider vouches for (trust.md B.5). Safe from any thread.
#pragma once

#include "engine/auth/grant.h"

#include <cstdint>
#include <optional>
#include <string>

namespace callisto::auth {

// The active person that (`issuer`, `subject`) is linked with; at the first time the one of that login name, who is
// linked then, unless somebody else of this issuer is linked already. Nothing: nobody.
Result<std::optional<std::int64_t>> find_linked_person(const GrantContext& context, const std::string& issuer,
                                                       const std::string& subject, const std::string& login_name);

}  // namespace callisto::auth
