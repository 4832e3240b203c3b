// Checks every request before anything else looks at it: RFC 9112's framing, without the leniences by which two servers
// may disagree on where a request ends. Pure functions over views; any thread; free of CivetWeb.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace callisto::http {

inline constexpr std::size_t max_target_bytes = 32 * 1024;  // API rule 2.8
inline constexpr std::size_t max_header_bytes = 16 * 1024;
inline constexpr std::size_t max_headers = 63;  // CivetWeb keeps 64 and drops the others without a word

struct Header {
  std::string_view name;
  std::string_view value;
};

// A request's head as it was sent, in pieces.
struct Head {
  std::string_view method;
  std::string_view target;   // up to the first '?'
  std::string_view query;    // after it; data() is null when there is none
  std::string_view version;  // "1.1"
  std::span<const Header> headers;
};

// What a valid head says about its path, its body and its connection.
struct Framing {
  std::string_view path;       // undecoded, begins with '/'; or "*", which OPTIONS may ask of
  std::string_view authority;  // host and port as the client names them; empty: HTTP/1.0 that names none
  std::uint64_t content_length = 0;
  bool chunked = false;
  bool expects_continue = false;
  bool keep_alive = false;
};

// The Error's status is 400, or 413, 414, 431, 505; the connection must then be closed.
Result<Framing> validate(const Head& head);

// 505 for a version that HTTP knows and this server does not, 400 for what is no version.
Error wrong_version(std::string_view version);

// 408: a body did not come in time.
Error too_slow();

bool is_token(std::string_view text);
bool is_field_value(std::string_view text);  // no control character but a tab

}  // namespace callisto::http
