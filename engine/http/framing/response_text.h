// A Response's head as bytes. Pure; any thread.
#pragma once

#include "engine/http/message.h"

#include <string>
#include <string_view>

namespace callisto::http {

// False when the status is none or a header holds anything that would break out of its line; then it may not be sent.
bool is_sendable(const Response& response);

// 1xx, 204 and 304 have no body (RFC 9110 6.4.1).
bool allows_body(int status);

struct Delivery {
  bool close = false;   // the connection ends afterwards
  bool secure = false;  // it goes over TLS
};

// Status line and headers, the empty line included: the response's own, and those standing headers that it does not
// set. Appends.
void append_head(std::string& out, const Response& response, Delivery delivery);

}  // namespace callisto::http
