#include "engine/api/cross_origin.h"

#include "engine/api/render_error.h"
#include "engine/base/text.h"
#include "engine/http/url.h"

#include <algorithm>
#include <charconv>

namespace callisto::api {

namespace {

constexpr std::string_view allowed_methods = "GET, HEAD, POST, PUT, DELETE";
constexpr std::string_view request_headers =
    "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Range, Idempotency-Key, Callisto-Hop, "
    "Callisto-Delivery-Proof, Callisto-View-As, Callisto-Sandbox, X-Request-Id, X-Server-Timing, traceparent, "
    "tracestate";
constexpr std::string_view exposed =
    "ETag, Location, Retry-After, X-Request-Id, WWW-Authenticate, Allow, Accept-Ranges, Content-Range, "
    "Content-Disposition, Idempotent-Replayed, Server-Timing, Link, X-Total-Count";
constexpr std::string_view seconds_to_remember = "600";  // how long an origin that is taken off may still send

bool is_lower_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_scheme(std::string_view text) {
  return !text.empty() && is_lower_letter(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_lower_letter(c) || is_digit(c) || c == '-' || c == '+' || c == '.';
  });
}

bool is_host(std::string_view text) {
  const bool is_ipv6 = text.starts_with('[') && text.ends_with(']');
  const std::string_view inner = is_ipv6 ? text.substr(1, text.size() - 2) : text;
  return !inner.empty() && std::all_of(inner.begin(), inner.end(), [is_ipv6](char c) {
    return is_lower_letter(c) || is_digit(c) || c == '.' || (is_ipv6 ? c == ':' : c == '-' || c == '_');
  });
}

// ":8443" as it is, ":0443" as ":443"; nothing where it is no port.
std::optional<std::string> tidy_port(std::string_view scheme, std::string_view text) {
  int port = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size() || port < 1 || port > 65535)
    return std::nullopt;
  if ((scheme == "https" && port == 443) || (scheme == "http" && port == 80)) return std::string();
  return ":" + std::to_string(port);
}

std::vector<std::string> segments_of(std::string_view path) {
  auto segments = http::decode_path(path);
  return segments ? *std::move(segments) : std::vector<std::string>();
}

bool begins_with(const std::vector<std::string>& path, std::vector<std::string>::const_iterator first,
                 std::vector<std::string>::const_iterator last) {
  return path.size() >= static_cast<std::size_t>(last - first) && std::equal(first, last, path.begin());
}

}  // namespace

std::optional<std::string> CrossOrigin::spelled_as_browsers_do(std::string_view origin) {
  if (origin == "*") return std::string(origin);
  const std::string lower = text::ascii_lower(origin);
  const std::string_view all = lower;
  const std::size_t scheme_end = all.find("://");
  if (scheme_end == all.npos || !is_scheme(all.substr(0, scheme_end))) return std::nullopt;
  const std::string_view scheme = all.substr(0, scheme_end), authority = all.substr(scheme_end + 3);
  const std::size_t bracket = authority.find(']');
  const std::size_t colon = authority.find(':', bracket == authority.npos ? 0 : bracket);
  const std::string_view host = authority.substr(0, colon);
  if (!is_host(host)) return std::nullopt;
  const auto port = colon == authority.npos ? std::string() : tidy_port(scheme, authority.substr(colon + 1));
  return port ? std::optional(std::string(scheme).append("://").append(host) + *port) : std::nullopt;
}

CrossOrigin::CrossOrigin(std::vector<std::string> origins, std::string_view api_root, std::string_view oauth_root)
    : origins_(std::move(origins)),
      all_(std::find(origins_.begin(), origins_.end(), "*") != origins_.end()),
      api_root_(segments_of(api_root)),
      oauth_root_(segments_of(oauth_root)) {}

// The API with the folder above it, which tells the versions; what a client signs in and out by; the documents of it.
bool CrossOrigin::covers(std::string_view raw_path) const {
  auto path = segments_of(raw_path);
  if (path.empty()) path = segments_of(raw_path.substr(0, raw_path.find('%')));  // refused; its beginning can be read
  if (begins_with(path, api_root_.begin(), api_root_.end())) return true;
  if (path.size() + 1 == api_root_.size() && begins_with(path, api_root_.begin(), api_root_.end() - 1)) return true;
  if (path.size() > 1 && path[0] == ".well-known") return true;
  if (path.size() != oauth_root_.size() + 1 || !begins_with(path, oauth_root_.begin(), oauth_root_.end())) return false;
  constexpr std::string_view endpoints[] = {"login", "logout", "revoke"};
  return std::any_of(std::begin(endpoints), std::end(endpoints),
                     [&](std::string_view each) { return text::equals_ignoring_ascii_case(path.back(), each); });
}

bool CrossOrigin::is_welcome(const http::Request& request) const {
  if (request.header_count("Origin") != 1) return false;
  return all_ || std::find(origins_.begin(), origins_.end(), request.header("Origin")) != origins_.end();
}

bool CrossOrigin::answer_preflight(const http::Request& request, http::Response& response) const {
  if (origins_.empty() || request.method != "OPTIONS" || request.header_count("Access-Control-Request-Method") == 0 ||
      request.header_count("Origin") == 0 || !covers(request.raw_path))
    return false;
  if (!is_welcome(request)) {
    render_error(forbidden("The origin " + text::quoted(request.header("Origin"), 200) +
                           " is not among those of the setting http.cors_origins."),
                 response);
    return true;
  }
  response.status = 204;
  response.headers.emplace_back("Access-Control-Allow-Methods", allowed_methods);
  response.headers.emplace_back("Access-Control-Allow-Headers", request_headers);
  response.headers.emplace_back("Access-Control-Max-Age", seconds_to_remember);
  return true;
}

// The fetch standard, 3.3.5: the same for all where the answer is, else Vary even where no origin is named, lest a
// cache hands one page's answer to another.
void CrossOrigin::complete(const http::Request& request, http::Response& response) const {
  if (origins_.empty() || !covers(request.raw_path)) return;
  if (!all_) response.headers.emplace_back("Vary", "Origin");
  if (!all_ && !is_welcome(request)) return;
  response.headers.emplace_back("Access-Control-Allow-Origin", all_ ? "*" : request.header("Origin"));
  response.headers.emplace_back("Access-Control-Expose-Headers", exposed);
}

}  // namespace callisto::api
