// The cookie that distinguishes browsers while somebody signs in; it does not say who that is. A form or a callback
// counts only together with the cookie of the browser that was given it. Pure; any thread.
#pragma once

#include "engine/base/random.h"
#include "engine/http/message.h"

#include <string>
#include <string_view>

namespace callisto::sign_in {

// RFC 6265bis 4.1.3.2: a name with __Host- is kept only where the cookie is Secure, without Domain and for all paths:
// no neighbouring host or port can plant it. Over plain http (loopback, while one tries things) browsers refuse it, so
// there, and only there, the name has no prefix.
std::string_view cookie_name(bool https);

// The browser's key; empty where it sent none, a misshapen one, or two.
std::string read_cookie(const http::Request& request, bool https);

std::string make_browser_key(Random& random);  // 256 random bits, base64url
std::string set_cookie(std::string_view browser_key, bool https);

}  // namespace callisto::sign_in
