// The one place where an Error becomes an answer (specification 7.1, decisions.md 5). Any thread.
#pragma once

#include "engine/base/error.h"
#include "engine/http/message.h"

namespace callisto::api {

// Logs what only the log may see, with status 500 and above.
void render_error(const Error& error, http::Response& response);

}  // namespace callisto::api
