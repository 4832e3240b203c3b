#include "engine/sign_in/identity_provider.h"

#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/http/url.h"

namespace callisto::sign_in {

namespace {

constexpr const char* id = "oidc";

Result<oidc::CallbackParameters> read_callback(std::string_view raw_query) {
  CALLISTO_TRY(const auto pairs, http::decode_query(raw_query));
  oidc::CallbackParameters callback;
  for (const auto& [name, value] : pairs) {
    const bool known = name == "code" || name == "state" || name == "iss" || name == "error";
    // RFC 6749 3.1: "Request and response parameters MUST NOT be included more than once."
    if (known && !callback.emplace(name, value).second) return bad_format("A parameter of the callback occurs twice.");
  }
  return callback;
}

// RFC 6749 4.1.2.1: what the client is told.
Verdict refused(const Error& error) {
  log::warning(error.log_detail);
  return Refused{
      error.is_unavailable() ? "temporarily_unavailable" : "access_denied", error.message, id, {}, error.log_detail};
}

}  // namespace

// Each costs this server a thread and the provider a request, for seconds where it is slow.
Result<void> IdentityProvider::take_attempt(const http::Request& request) {
  const int wait = auth_.take_attempt(std::string(request.remote_address));
  if (wait == 0) return {};
  return too_many_requests("There were too many attempts to sign in. Wait a little and try again.", wait);
}

Result<Verdict> IdentityProvider::ask(const Attempt& attempt) {
  if (attempt.chosen != id || attempt.silent) return Verdict(NotMine{});
  CALLISTO_CHECK(take_attempt(attempt.request));
  const auto url = provider_->begin(attempt.browser_key, attempt.pending, attempt.fresh ? "login" : "");
  if (!url) return refused(url.error());
  return Verdict(SendTo{*url, {}});
}

Result<std::optional<Returned>> IdentityProvider::resume(http::Request& request, const std::string& browser_key) {
  CALLISTO_TRY(const auto callback, read_callback(request.raw_query));
  if (!callback.count("state")) return std::optional<Returned>();
  CALLISTO_TRY(std::string pending, provider_->context_of(callback, browser_key));
  CALLISTO_CHECK(take_attempt(request));
  CALLISTO_TRY(Verdict verdict, verdict_of(callback, browser_key));
  return std::optional(Returned{std::move(pending), std::move(verdict)});
}

Result<Verdict> IdentityProvider::verdict_of(const oidc::CallbackParameters& callback, const std::string& browser_key) {
  const auto admission = admissions_.current();
  const auto identity = provider_->finish(callback, browser_key, admission->claims());
  if (!identity) return refused(identity.error());
  const auto person = admission->admit(*identity);
  if (person) return Verdict(SignedIn{*person});
  if (!person.error().is_forbidden()) return person.error();
  log::warning("Sign-in by " + text::quoted(identity->issuer, 200) + " of subject " +
               text::quoted(identity->subject, 255) + ": " + person.error().log_detail);
  return Verdict(Refused{"access_denied", person.error().message, id, identity->login_name, person.error().log_detail});
}

std::optional<Offer> IdentityProvider::offer() const { return Offer{id, provider_->name()}; }

}  // namespace callisto::sign_in
