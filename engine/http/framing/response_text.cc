#include "engine/http/framing/response_text.h"

#include "engine/base/text.h"
#include "engine/http/framing/validator.h"

#include <algorithm>
#include <charconv>

namespace callisto::http {
namespace {

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 302:
      return "Found";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 416:
      return "Range Not Satisfiable";
    case 421:
      return "Misdirected Request";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "";  // RFC 9112 4: may be empty
  }
}

void append_number(std::string& out, std::size_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  out += value;
  out += "\r\n";
}

// decision 0011. Nothing that this server answers is a page with parts, but for those that say so.
struct StandingHeader {
  std::string_view name;
  std::string_view value;
  bool only_secure = false;
};
constexpr StandingHeader standing_headers[] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
    {"Referrer-Policy", "no-referrer"},
    // RFC 6797 7.2: "An HSTS Host MUST NOT include the STS header field in HTTP responses conveyed over non-secure
    // transport." Of subdomains this server knows nothing.
    {"Strict-Transport-Security", "max-age=31536000", true},
};

bool sets(const Response& response, std::string_view name) {
  return std::any_of(response.headers.begin(), response.headers.end(),
                     [name](const auto& header) { return text::equals_ignoring_ascii_case(header.first, name); });
}

}  // namespace

bool is_sendable(const Response& response) {
  return response.status >= 200 && response.status <= 599 && is_field_value(response.content_type) &&
         std::all_of(response.headers.begin(), response.headers.end(),
                     [](const auto& header) { return is_token(header.first) && is_field_value(header.second); });
}

bool allows_body(int status) { return status >= 200 && status != 204 && status != 304; }

void append_head(std::string& out, const Response& response, Delivery delivery) {
  out += "HTTP/1.1 ";
  append_number(out, static_cast<std::size_t>(response.status));
  out += ' ';
  out += reason(response.status);
  out += "\r\n";
  if (allows_body(response.status)) {
    append_header(out, "Content-Type", response.content_type);
    out += "Content-Length: ";
    append_number(out, response.content().size());
    out += "\r\n";
  }
  for (const auto& [name, value] : response.headers) append_header(out, name, value);
  for (const StandingHeader& header : standing_headers)
    if ((delivery.secure || !header.only_secure) && !sets(response, header.name))
      append_header(out, header.name, header.value);
  if (delivery.close) out += "Connection: close\r\n";
  out += "\r\n";
}

}  // namespace callisto::http
