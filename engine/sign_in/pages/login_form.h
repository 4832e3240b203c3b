// What the login page's form sends, and the message for a person who was not let in. Pure; any thread.
#pragma once

#include "engine/auth/service.h"
#include "engine/http/message.h"

#include <string>

namespace callisto::sign_in {

struct LoginForm {
  std::string pending, login_name, password;
};

// Reads the body. Refused: another content type (415), too much (413), a field that stands there twice (400).
Result<LoginForm> read_login_form(http::Request& request);

// Whether the browser says that the form was sent by another site's page (Fetch Metadata). Older browsers say nothing.
bool is_cross_site(const http::Request& request);

// One text for every reason but too many attempts and too much work, which say how long to wait.
std::string words_for(const auth::OAuthError& refusal);

}  // namespace callisto::sign_in
