#include "engine/http/framing/validator.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace callisto::http {
namespace {

Error refuse(int status, std::string message) {
  Error error = bad_format(std::move(message));
  error.status = status;
  return error;
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_visible_ascii(char c) { return c > 0x20 && c < 0x7f; }

// RFC 9110 5.6.2.
constexpr bool is_token_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
         (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

constexpr bool is_host_character(char c) {
  return is_visible_ascii(c) && std::string_view("/\\?#@,\"<>{}|^`").find(c) == std::string_view::npos;
}

// RFC 9110 5.5: bytes above ASCII are opaque.
constexpr bool is_field_character(char c) { return (static_cast<unsigned char>(c) >= 0x20 || c == '\t') && c != 0x7f; }

// Asked of each byte of each request: a look into a table.
template <bool (*is_in_class)(char)>
bool consists_of(std::string_view text) {
  static constexpr auto table = [] {
    std::array<bool, 256> all{};
    for (std::size_t byte = 0; byte < all.size(); ++byte) all[byte] = is_in_class(static_cast<char>(byte));
    return all;
  }();
  for (const char c : text)
    if (!table[static_cast<unsigned char>(c)]) return false;
  return true;
}

bool is(std::string_view a, std::string_view b) { return text::equals_ignoring_ascii_case(a, b); }

// RFC 9112 3.2: a path, or a url whose path may be missing. An empty path: the target is neither.
struct Target {
  std::string_view path, authority;  // no authority: a path alone
};

Target taken_apart(std::string_view target) {
  if (target.starts_with('/')) return {target, {}};
  const std::size_t scheme_end = target.find("://");
  if (scheme_end == std::string_view::npos) return {};
  const std::string_view scheme = target.substr(0, scheme_end);
  if (!is(scheme, "http") && !is(scheme, "https")) return {};
  const std::string_view rest = target.substr(scheme_end + 3);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  // RFC 9110 4.2.4: user information in a target is an error.
  const std::string_view authority = rest.substr(0, slash);
  if (authority.empty() || !consists_of<is_host_character>(authority)) return {};
  return {slash == rest.size() ? std::string_view("/") : rest.substr(slash), authority};
}

Result<Target> checked_target(const Head& head) {
  const std::size_t length = head.target.size() + (head.query.data() ? head.query.size() + 1 : 0);
  if (length > max_target_bytes) {
    return refuse(414, "The url is longer than " + std::to_string(max_target_bytes) + " bytes.");
  }
  if (!consists_of<is_visible_ascii>(head.target) || !consists_of<is_visible_ascii>(head.query)) {
    return refuse(400, "The url contains a blank, a control character or a character that is not escaped.");
  }
  if (head.target.find('#') != std::string_view::npos || head.query.find('#') != std::string_view::npos) {
    return refuse(400, "The url contains a fragment; write '%23' for a number sign.");
  }
  if (head.target == "*" && head.method == "OPTIONS" && !head.query.data())
    return Target{head.target, {}};  // RFC 9112 3.2.4
  const Target target = taken_apart(head.target);
  const std::string_view path = target.path;
  if (path.empty()) return refuse(400, "The url of a request begins with '/', or is an http url without a user.");
  if (path.find('\\') != std::string_view::npos) return refuse(400, "The path contains a backslash.");
  if (path.find("%00") != std::string_view::npos) return refuse(400, "The path contains a NUL character (%00).");
  return target;
}

Result<void> check_request_line(const Head& head) {
  if (!is_token(head.method)) return refuse(400, "The method is not a token.");
  if (head.version != "1.1" && head.version != "1.0") return wrong_version(head.version);
  return {};
}

Result<void> check_fields(std::span<const Header> headers) {
  if (headers.size() > max_headers) { return refuse(400, "More than " + std::to_string(max_headers) + " headers."); }
  std::size_t bytes = 0;
  for (const Header& header : headers) {
    if (!is_token(header.name)) return refuse(400, "The name of a header is not a token.");
    if (!is_field_value(header.value)) return refuse(400, "The value of a header contains a control character.");
    bytes += header.name.size() + header.value.size() + 4;
  }
  if (bytes > max_header_bytes) {
    return refuse(431, "The headers are longer than " + std::to_string(max_header_bytes) + " bytes.");
  }
  return {};
}

// The headers that decide about framing, each at most once.
struct Deciding {
  std::optional<std::string_view> host, length, coding, authorization, expect, connection, upgrade;
  bool connection_repeated = false;
};

Result<Deciding> collect(std::span<const Header> headers) {
  Deciding found;
  const auto once = [](std::optional<std::string_view>& slot, const Header& header) -> Result<void> {
    if (slot) return refuse(400, "The header " + std::string(header.name) + " stands there twice.");
    slot = text::trim(header.value);
    return {};
  };
  for (const Header& header : headers) {
    if (is(header.name, "Host")) {
      CALLISTO_CHECK(once(found.host, header));
    } else if (is(header.name, "Content-Length")) {
      CALLISTO_CHECK(once(found.length, header));
    } else if (is(header.name, "Transfer-Encoding")) {
      CALLISTO_CHECK(once(found.coding, header));
    } else if (is(header.name, "Authorization")) {
      CALLISTO_CHECK(once(found.authorization, header));
    } else if (is(header.name, "Expect")) {
      found.expect = text::trim(header.value);
    } else if (is(header.name, "Upgrade")) {
      found.upgrade = text::trim(header.value);
    } else if (is(header.name, "Connection")) {
      found.connection_repeated = found.connection.has_value();
      found.connection = text::trim(header.value);
    }
  }
  return found;
}

// RFC 9112 3.2: no Host or several are 400 in HTTP/1.1. HTTP/1.0 did not have it yet (decision 0035). Answers whom it
// names.
Result<std::string_view> checked_host(const Head& head, const Deciding& found) {
  if (!found.host || found.host->empty()) {
    if (head.version == "1.0") return std::string_view();
    if (!found.host) return refuse(400, "The header Host is missing.");
  }
  if (found.host->empty() || !consists_of<is_host_character>(*found.host)) {
    return refuse(400, "The header Host is not a host name with an optional port.");
  }
  return *found.host;
}

Result<std::uint64_t> content_length(std::string_view value) {
  if (value.empty() || !consists_of<is_digit>(value)) {
    return refuse(400, "The header Content-Length is not a number.");
  }
  std::uint64_t length = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), length);
  if (fault != std::errc() || length > INT64_MAX) return payload_too_large("The body is too large.");
  return length;
}

// RFC 9112 6.1 and 6.3; `chunked` is the only coding, and a length beside it is what smuggling lives on.
Result<void> read_body_framing(const Head& head, const Deciding& found, Framing& framing) {
  if (found.coding) {
    if (found.length) return refuse(400, "Content-Length and Transfer-Encoding exclude each other.");
    if (head.version == "1.0") return refuse(400, "HTTP/1.0 has no Transfer-Encoding.");
    if (!is(*found.coding, "chunked")) return refuse(400, "The only Transfer-Encoding understood is 'chunked'.");
    framing.chunked = true;
  } else if (found.length) {
    CALLISTO_TRY(framing.content_length, content_length(*found.length));
  }
  const bool body = framing.chunked || framing.content_length > 0;
  framing.expects_continue = body && head.version == "1.1" && found.expect && is(*found.expect, "100-continue");
  return {};
}

// A connection goes on only where every reader of the request must agree on its end. After a chunked body it never
// does: what CivetWeb makes of odd chunk sizes then cannot reach a second request.
bool keeps_alive(const Head& head, const Deciding& found, const Framing& framing) {
  if (head.version != "1.1" || framing.chunked || found.upgrade || found.connection_repeated) return false;
  if (!head.target.starts_with('/')) return false;  // request_target.h hides such a target but once
  if (!found.connection) return true;
  bool keep = false;
  for (std::string_view option : text::split(*found.connection, ',')) {
    option = text::trim(option);
    if (is(option, "close")) return false;
    if (is(option, "keep-alive")) keep = true;
  }
  return keep;
}

}  // namespace

Error wrong_version(std::string_view version) {
  // RFC 9112 2.3: one digit, a dot, one digit.
  const bool known_form = version.size() == 3 && is_digit(version[0]) && version[1] == '.' && is_digit(version[2]);
  return refuse(known_form ? 505 : 400, "This server speaks HTTP 1.1 and 1.0.");
}

Error too_slow() { return refuse(408, "The body did not arrive in time. Send the request again."); }

bool is_token(std::string_view text) { return !text.empty() && consists_of<is_token_character>(text); }

bool is_field_value(std::string_view text) { return consists_of<is_field_character>(text); }

Result<Framing> validate(const Head& head) {
  Framing framing;
  CALLISTO_CHECK(check_request_line(head));
  CALLISTO_TRY(const Target target, checked_target(head));
  framing.path = target.path;
  CALLISTO_CHECK(check_fields(head.headers));
  CALLISTO_TRY(const Deciding found, collect(head.headers));
  CALLISTO_TRY(framing.authority, checked_host(head, found));
  // RFC 9112 3.2.2: "an origin server MUST ignore the received Host header field" beside a target that names a host.
  if (!target.authority.empty()) framing.authority = target.authority;
  CALLISTO_CHECK(read_body_framing(head, found, framing));
  framing.keep_alive = keeps_alive(head, found, framing);
  return framing;
}

}  // namespace callisto::http
