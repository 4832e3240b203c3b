// The access token of a request's header Authorization; empty where it has none. Any thread.
#pragma once

#include "engine/http/message.h"

#include <string_view>

namespace callisto::http {

std::string_view bearer_of(const Request& request);

}  // namespace callisto::http
