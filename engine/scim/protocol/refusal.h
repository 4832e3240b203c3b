// Errors in the form of RFC 7644 3.12. Pure; any thread.
#pragma once

#include "engine/base/error.h"
#include "engine/http/message.h"

#include <string>
#include <string_view>

namespace callisto::scim {

// A status with one of the words of RFC 7644 3.12: "invalidFilter"; empty: none.
Error refuse(int status, std::string_view scim_type, std::string detail);

// What the engine refused, as a SCIM client knows it: a value that does not fit is invalidValue.
Error as_scim(const Error& error);

void render(const Error& error, http::Response& response);

}  // namespace callisto::scim
