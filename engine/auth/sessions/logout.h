// Ending a session by one of its tokens: logout (API rule 6.8), and RFC 7009 for
// standard clients. Nothing: done. Any thread.
#pragma once

#include "engine/auth/grants/grant.h"

#include <optional>
#include <string_view>

namespace callisto::auth {

Result<std::optional<OAuthError>> log_out(const GrantContext& context, const LoginRequest& request,
                                          std::string_view access_token);
Result<std::optional<OAuthError>> revoke_token(const GrantContext& context, const LoginRequest& request);

}  // namespace callisto::auth
