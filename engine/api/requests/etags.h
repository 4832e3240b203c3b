// ETags, and a client's conditions on them (API rule 2.13, RFC 9110 section 13). Any thread.
#pragma once

#include "engine/http/message.h"
#include "engine/records/record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::api {

// "\"<16 hex digits>\"": a hash of the bytes, not a secret.
std::string etag_of(std::string_view body);
// The same behind the version of the record that shows the bytes: `"12.<16 hex digits>"`, which If-Match takes.
std::string etag_of(std::string_view body, std::optional<std::int64_t> version);
std::string etag_of(std::string_view body, const records::Record& record);

bool client_has(const http::Request& request, const std::string& etag);  // If-None-Match names `etag`
// Answers 304 when it does, else sets ETag.
bool not_modified(const http::Request& request, http::Response& response, const std::string& etag);

std::string if_match(const http::Request& request);  // all tags that the client names; empty: none

}  // namespace callisto::api
