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

std::string_view cookie_name(bool https) { return https ? "__Host-callisto-sign-in" : "callisto-sign-in"; }

std::string read_cookie(const http::Request& request, bool https) {
  if (request.header_count("Cookie") != 1) return {};
  std::string found;
  for (const std::string_view part : text::split(request.header("Cookie"), ';')) {
    const std::string_view pair = text::trim(part);
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos || pair.substr(0, equals) != cookie_name(https)) continue;
    if (!found.empty() || !is_browser_key(pair.substr(equals + 1))) return {};
    found = pair.substr(equals + 1);
  }
  return found;
}

std::string make_browser_key(Random& random) { return encode_base64(random.bytes(key_bytes), Base64::Url); }

std::string set_cookie(std::string_view browser_key, bool https) {
  std::string cookie(cookie_name(https));
  cookie += '=';
  cookie += browser_key;
  cookie += "; Path=/; HttpOnly; SameSite=Lax";
  if (https) cookie += "; Secure";
  return cookie;
}

}  // namespace callisto::sign_in
