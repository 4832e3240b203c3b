#include "engine/sign_in/cookie.h"

#include "engine/base/base64.h"
#include "engine/base/text.h"

namespace callisto::sign_in {

namespace {

constexpr std::size_t key_bytes = 32;

bool is_browser_key(std::string_view text) {
  const auto bytes = decode_base64(text, Base64::Url);
  return bytes && bytes->size() == key_bytes;
}

}  // namespace

std::string cookie_name(const CookieKind& kind, bool https) {
  return (https ? "__Host-" : "") + std::string(kind.name);
}

std::string read_cookie(const http::Request& request, const CookieKind& kind, bool https) {
  const std::string name = cookie_name(kind, https);
  if (request.header_count("Cookie") != 1) return {};
  std::string found;
  for (const std::string_view part : text::split(request.header("Cookie"), ';')) {
    const std::string_view pair = text::trim(part);
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos || pair.substr(0, equals) != name) continue;
    if (!found.empty() || !is_browser_key(pair.substr(equals + 1))) return {};
    found = pair.substr(equals + 1);
  }
  return found;
}

std::string make_browser_key(Random& random) { return encode_base64(random.bytes(key_bytes), Base64::Url); }

std::string set_cookie(const CookieKind& kind, std::string_view browser_key, bool https) {
  std::string cookie = cookie_name(kind, https);
  cookie += '=';
  cookie += browser_key;
  cookie += "; Path=/; HttpOnly; SameSite=";
  cookie += kind.same_site;
  if (https) cookie += "; Secure";
  return cookie;
}

std::string clear_cookie(const CookieKind& kind, bool https) { return set_cookie(kind, {}, https) + "; Max-Age=0"; }

}  // namespace callisto::sign_in
