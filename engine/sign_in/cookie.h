// Cookies that hold a random key of a browser. One distinguishes browsers while somebody signs in; it does not say who
// that is. A form or a callback counts only together with the cookie of the browser that was given it. The workbench
// has its own (engine/workbench/signing_in.h). Pure; any thread.
#pragma once

#include "engine/base/random.h"
#include "engine/http/message.h"

#include <string>
#include <string_view>

namespace callisto::sign_in {

struct CookieKind {
  std::string_view name;       // without its prefix
  std::string_view same_site;  // "Lax" or "Strict"
};
inline constexpr CookieKind sign_in_cookie{"callisto-sign-in", "Lax"};

// RFC 6265bis 4.1.3.2: a name with __Host- is kept only where the cookie is Secure, without Domain and for all paths:
// no neighbouring host or port can plant it. Over plain http (loopback, while one tries things) browsers refuse it, so
// there, and only there, the name has no prefix.
std::string cookie_name(const CookieKind& kind, bool https);

// The browser's key; empty where it sent none, a misshapen one, or two.
std::string read_cookie(const http::Request& request, const CookieKind& kind, bool https);

std::string make_browser_key(Random& random);  // 256 random bits, base64url
std::string set_cookie(const CookieKind& kind, std::string_view browser_key, bool https);
std::string clear_cookie(const CookieKind& kind, bool https);

}  // namespace callisto::sign_in
