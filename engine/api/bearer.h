// The access token of a request's header Authorization; empty where it has none. Any thread.
#pragma once

#include "engine/http/message.h"

#include <string_view>

namespace callisto::api {

std::string_view bearer_of(const http::Request& request);

}  // namespace callisto::api
