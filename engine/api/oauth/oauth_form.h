// What the endpoints of signing in and out share: a form in, JSON out in the OAuth shape (API rule 6.1; API rules 6.1,
// 6.8). No cache may store the answers. Any thread.
#pragma once

#include "engine/auth/service.h"
#include "engine/http/message.h"

#include <functional>
#include <optional>

namespace callisto::api {

// Fills the answer, or says what to refuse with.
using FormStep = std::function<Result<std::optional<auth::OAuthError>>(const auth::LoginRequest&)>;

// Reads the form and runs `step`; everything that goes wrong is answered here. 401 is told in the scheme that the
// client used, or else in `scheme` where that is not empty.
void answer_form(http::Request& request, http::Response& response, const FormStep& step, std::string_view scheme = {});

}  // namespace callisto::api
