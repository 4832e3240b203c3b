// What Service does for browsers; its comments say what each is for.
#pragma once

#include "engine/auth/authorize.h"
#include "engine/auth/grants/grant.h"

namespace callisto::auth {

Result<AuthorizationAnswer> check_authorization(const GrantContext& context, const AuthorizationParameters& parameters);
Result<std::variant<std::int64_t, OAuthError>> check_password(const GrantContext& context,
                                                              const Authorization& authorization,
                                                              const std::string& login_name,
                                                              const std::string& password,
                                                              const std::string& remote_address);
Result<std::optional<std::int64_t>> find_active_person(const GrantContext& context, std::string_view login_name);
Result<std::optional<std::string>> issue_code(const GrantContext& context, const Authorization& authorization,
                                              std::int64_t person, const std::string& remote_address);

}  // namespace callisto::auth
