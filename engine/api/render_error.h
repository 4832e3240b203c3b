// The one place where an Error becomes an answer (API rule 5.1). Any thread.
#pragma once

#include "engine/base/error.h"
#include "engine/http/message.h"

#include <string>

namespace callisto::api {

// Message, Type, SubStatus and what else there is, as an object. Logs what only the log may see.
void append_error(std::string& out, const Error& error);

// Logs what only the log may see, with status 500 and above.
void render_error(const Error& error, http::Response& response);

}  // namespace callisto::api
