// Which urls may be fetched or given to a browser: https, or http if the host is this machine (127.0.0.0/8, [::1],
// localhost), so that a provider can be tried out; and which url names a proxy. libcurl's own parser reads them, so
// that no url means one host here and another one there. Pure; any thread.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace callisto::oidc {

enum class Transport { Refused, Https, Loopback };

// Refused, too: a user, a fragment, and whatever is no absolute url.
Transport transport_of(const std::string& url);
// http://HOST:PORT, with a user and a password if the proxy wants them.
bool names_proxy(const std::string& url);

}  // namespace callisto::oidc
