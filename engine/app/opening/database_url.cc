#include "engine/app/opening/database_url.h"

#include "engine/base/text.h"

#include <algorithm>

namespace callisto::app {

bool has_password(std::string_view url) { return without_password(url) != url; }

// postgresql://USER:PASSWORD@HOST,HOST/NAME?name=value&name=value
std::string without_password(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return std::string(url);
  const std::size_t user = scheme + 3, first = url.find_first_of("@/", user);
  const bool has_user = first != url.npos && url[first] == '@';
  const std::size_t question = std::min(url.find('?', has_user ? first : user), url.size());
  // Up to the last '@', since a password may hold what should have been percent-encoded.
  const std::string_view place = url.substr(0, question);
  const std::size_t at = place.rfind('@');
  const std::size_t colon = at == place.npos || at < user ? at : place.substr(0, at).find(':', user);
  std::string result(place);
  if (colon != place.npos) result.erase(colon, at - colon);
  if (question == url.size()) return result;
  char before = '?';
  for (const std::string_view part : text::split(url.substr(question + 1), '&')) {
    const std::string_view name = part.substr(0, part.find('='));
    if (name == "password" || name == "sslpassword") continue;
    result += before + std::string(part);
    before = '&';
  }
  return result;
}

std::string of_primary(std::string_view url) {
  constexpr std::string_view attribute = "target_session_attrs=";
  if (url.find(attribute) != url.npos) return std::string(url);
  return std::string(url) + (url.find('?') == url.npos ? "?" : "&") + std::string(attribute) + "read-write";
}

std::string shell_quoted(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace callisto::app
