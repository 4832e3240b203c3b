// Sessions that a browser holds by a cookie: what Service does for them; its comments say what each is for.
#pragma once

#include "engine/auth/grants/grant.h"

#include <string>

namespace callisto::auth {

Result<LoginAnswer> renew_in_browser(const GrantContext& context, const std::string& browser_key);
Result<void> end_in_browser(const GrantContext& context, const std::string& browser_key,
                            const std::string& remote_address);

}  // namespace callisto::auth
