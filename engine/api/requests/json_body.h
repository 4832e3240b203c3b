// The JSON body of a request (API rule 4.2). Any thread.
#pragma once

#include "engine/http/message.h"
#include "engine/json/read.h"

#include <string>

namespace callisto::api {

// 415 for a body that is packed (RFC 9110 8.4), which nobody here unpacks.
Result<void> check_coding(const http::Request& request);

// 415 for a body of another media type or charset, before it is read. What has no body may have any.
Result<void> check_json_type(const http::Request& request);

// A null node for an empty body. Errors: 415 for another media type or charset, 400 for bad JSON.
Result<json::Node> parse_json(const http::Request& request, const std::string& bytes, const json::Limits& limits = {});

}  // namespace callisto::api
