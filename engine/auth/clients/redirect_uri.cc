#include "engine/auth/clients/redirect_uri.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

namespace callisto::auth {

namespace {

// http://127.0.0.1:8765/callback without its port; nothing where the host is no loopback IP address.
std::optional<std::string> without_loopback_port(std::string_view uri) {
  for (const std::string_view host : {"http://127.0.0.1", "http://[::1]"}) {
    if (!uri.starts_with(host)) continue;
    std::string_view rest = uri.substr(host.size());
    if (rest.starts_with(':')) {
      int port = 0;
      const char* const end = rest.data() + rest.size();
      const auto [stop, problem] = std::from_chars(rest.data() + 1, end, port);
      if (problem != std::errc() || port < 1 || port > 65535) return std::nullopt;
      rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
    }
    // Whatever else follows the host would make it another one: http://127.0.0.1@example.com.
    if (!rest.empty() && rest.front() != '/' && rest.front() != '?') return std::nullopt;
    return std::string(host) + std::string(rest);
  }
  return std::nullopt;
}

}  // namespace

// RFC 9700 2.1: "authorization servers MUST utilize exact string matching except for port numbers in localhost
// redirection URIs of native apps". RFC 8252 7.3: "The authorization server MUST allow any port to be specified at the
// time of the request for loopback IP redirect URIs".
bool is_registered(const std::vector<std::string>& registered, std::string_view uri) {
  const auto loopback = without_loopback_port(uri);
  return std::any_of(registered.begin(), registered.end(), [&](const std::string& each) {
    return each == uri || (loopback && without_loopback_port(each) == loopback);
  });
}

}  // namespace callisto::auth
