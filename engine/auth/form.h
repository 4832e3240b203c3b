// The login form: what every grant demands of it before anything is looked up. Pure; any thread.
#pragma once

#include "engine/auth/service.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::auth {

// Empty where it is missing. RFC 6749 3.1: "Parameters sent without a value MUST be treated as if they were omitted".
std::string field(const LoginRequest& request, const std::string& name);

// At most 4096 bytes of UTF-8 without NUL.
bool is_plain(std::string_view value);

// What is wrong with a form before its meaning is considered: repeated, oversized or undecodable fields.
std::optional<OAuthError> check_form(const LoginRequest& request);

std::optional<OAuthError> require_fields(const LoginRequest& request, const std::vector<std::string>& names);

}  // namespace callisto::auth
