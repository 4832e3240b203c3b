#include "engine/sign_in/pages/login_form.h"

#include "engine/http/media_type.h"
#include "engine/http/url.h"

#include <map>
#include <optional>

namespace callisto::sign_in {

namespace {

constexpr std::size_t form_limit = 32 * 1024;

std::string span_of(int seconds) {
  const bool minutes = seconds > 90;
  const int count = minutes ? (seconds + 59) / 60 : seconds;
  return std::to_string(count) + (minutes ? " minute" : " second") + (count == 1 ? "" : "s");
}

}  // namespace

Result<LoginForm> read_login_form(http::Request& request) {
  if (!http::has_media_type(request.header("Content-Type"), http::form_media_type))
    return unsupported_media_type("The login page sends application/x-www-form-urlencoded.");
  CALLISTO_TRY(const std::string body, request.body(form_limit));
  CALLISTO_TRY(const auto pairs, http::decode_query(body));
  LoginForm form;
  std::map<std::string_view, std::string*> fields{
      {"request", &form.pending}, {"username", &form.login_name}, {"password", &form.password}};
  for (const auto& [name, value] : pairs) {
    const auto field = fields.find(name);
    if (field == fields.end()) continue;
    if (!field->second) return bad_format("A field of the form occurs twice.");
    *field->second = value;
    field->second = nullptr;
  }
  return form;
}

bool is_cross_site(const http::Request& request) {
  const std::string_view site = request.header("Sec-Fetch-Site");
  return !site.empty() && site != "same-origin" && site != "none";
}

std::string words_for(const auth::OAuthError& refusal) {
  const bool knows_when = refusal.retry_after_seconds > 0;
  const std::string wait =
      knows_when ? "Wait " + span_of(refusal.retry_after_seconds) + ", then try again." : "Try again a little later.";
  if (refusal.status == 429) return "There were too many attempts to sign in. " + wait;
  if (refusal.status == 503) return "Too many people are signing in right now. " + wait;
  return "The user name and password do not match, or you cannot sign in at the moment.";
}

}  // namespace callisto::sign_in
