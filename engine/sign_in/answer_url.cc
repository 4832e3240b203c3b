#include "engine/sign_in/answer_url.h"

#include "engine/base/percent.h"
#include "engine/base/text.h"

#include <algorithm>
#include <array>

namespace callisto::sign_in {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Lower case; empty where there is none. RFC 3986 3.1: ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
std::string scheme_of(std::string_view uri) {
  const std::string_view scheme = uri.substr(0, uri.find(':'));
  if (scheme.size() == uri.size() || scheme.empty() || !is_letter(scheme.front())) return {};
  const bool fits = std::all_of(scheme.begin(), scheme.end(),
                                [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; });
  return fits ? text::ascii_lower(scheme) : std::string();
}

bool is_web(std::string_view scheme) { return scheme == "http" || scheme == "https"; }

constexpr std::array<std::string_view, 7> running_schemes{"javascript", "data",  "vbscript",  "blob",
                                                          "file",       "about", "filesystem"};

}  // namespace

std::string_view authority_of(std::string_view uri) {
  const std::string_view rest = uri.substr(uri.find(':') + 1);
  if (!rest.starts_with("//")) return {};
  const std::string_view behind = rest.substr(2);
  return behind.substr(0, behind.find_first_of("/?#\\"));
}

bool is_redirectable(std::string_view uri) {
  const std::string scheme = scheme_of(uri);
  if (scheme.empty()) return false;
  if (std::find(running_schemes.begin(), running_schemes.end(), scheme) != running_schemes.end()) return false;
  // RFC 6749 3.1.2: "The endpoint URI MUST NOT include a fragment component." A backslash is a slash to browsers.
  if (!std::all_of(uri.begin(), uri.end(), [](char c) { return c > 0x20 && c < 0x7f && c != '#' && c != '\\'; }))
    return false;
  if (!is_web(scheme)) return true;
  const std::string_view authority = authority_of(uri);
  return !authority.empty() && authority.front() != ':' && authority.find('@') == authority.npos;
}

std::string answer_url(std::string_view uri, const std::vector<std::pair<std::string_view, std::string_view>>& answer) {
  std::string url(uri);
  for (const auto& [name, value] : answer) {
    if (value.empty()) continue;
    const bool first = url.find('?') == url.npos;
    if (first) url += '?';
    else if (url.back() != '?' && url.back() != '&') url += '&';
    url += name;
    url += '=';
    append_encoded(url, value);
  }
  return url;
}

std::string policy_source(std::string_view uri) {
  const std::string scheme = scheme_of(uri);
  if (scheme.empty()) return {};
  const std::string_view authority = authority_of(uri);
  const bool spelled = !authority.empty() && std::all_of(authority.begin(), authority.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == ':';
  });
  return is_web(scheme) && spelled ? scheme + "://" + std::string(authority) : scheme + ":";
}

}  // namespace callisto::sign_in
