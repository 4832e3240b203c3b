#include "engine/auth/form.h"

#include "engine/auth/grants/oauth_error.h"
#include "engine/base/text.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace callisto::auth {

namespace {

constexpr std::size_t longest_value = 4096;

}  // namespace

bool is_plain(std::string_view value) {
  return value.size() <= longest_value && text::is_utf8(value) && value.find('\0') == std::string_view::npos;
}

std::string field(const LoginRequest& request, const std::string& name) {
  const auto found = request.fields.find(name);
  return found == request.fields.end() ? std::string() : found->second;
}

std::optional<OAuthError> check_form(const LoginRequest& request) {
  // RFC 6749 3.2: "Request and response parameters MUST NOT be included more than once."
  if (request.repeated) return invalid_request("The field " + text::quoted(*request.repeated) + " stands there twice.");
  for (const auto& [name, value] : request.fields)
    if (!is_plain(value))
      return invalid_request("The field " + text::quoted(name) + " is longer than 4096 bytes or no UTF-8 text.");
  const std::optional<std::string>* basic[] = {&request.basic_id, &request.basic_secret, &request.plain_id,
                                               &request.plain_secret};
  if (!std::all_of(std::begin(basic), std::end(basic), [](const auto* text) { return is_plain(text->value_or("")); }))
    return invalid_request("The Basic credentials are longer than 4096 bytes or no UTF-8 text.");
  return std::nullopt;
}

std::optional<OAuthError> require_fields(const LoginRequest& request, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (field(request, name).empty()) return invalid_request("The field " + name + " is missing.");
  return std::nullopt;
}

}  // namespace callisto::auth
