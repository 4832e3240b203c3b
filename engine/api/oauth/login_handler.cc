// POST {oauth}/login, /logout and /revoke (API rules 6.1, 6.8, 6).
#include "engine/api/api.h"
#include "engine/api/oauth/oauth_form.h"
#include "engine/http/bearer.h"
#include "engine/json/write.h"

namespace callisto::api {

namespace {

using Refusal = std::optional<auth::OAuthError>;

void write_tokens(http::Response& response, const auth::TokenPair& tokens) {
  json::Writer writer(response.body);
  writer.begin_object();
  writer.key("access_token").string(tokens.access_token);
  writer.key("token_type").string("Bearer");
  writer.key("expires_in").integer(tokens.expires_in);
  writer.key("refresh_token").string(tokens.refresh_token);
  writer.key("scope").string(tokens.scope);
  writer.end_object();
}

}  // namespace

void handle_login(http::Request& request, http::Response& response, auth::Service& auth) {
  answer_form(request, response, [&](const auth::LoginRequest& form) -> Result<Refusal> {
    CALLISTO_TRY(const auth::LoginAnswer answer, auth.login(form));
    if (const auto* error = std::get_if<auth::OAuthError>(&answer)) return Refusal(*error);
    write_tokens(response, std::get<auth::TokenPair>(answer));
    return Refusal();
  });
}

void handle_logout(http::Request& request, http::Response& response, auth::Service& auth) {
  const auto log_out = [&](const auth::LoginRequest& form) -> Result<Refusal> {
    CALLISTO_TRY(const Refusal refusal, auth.logout(form, http::bearer_of(request)));
    if (!refusal) response.body = "{}";
    return refusal;
  };
  answer_form(request, response, log_out, "Bearer realm=\"callisto\"");
}

void handle_revoke(http::Request& request, http::Response& response, auth::Service& auth) {
  answer_form(request, response, [&](const auth::LoginRequest& form) -> Result<Refusal> {
    CALLISTO_TRY(const Refusal refusal, auth.revoke(form));
    if (!refusal) response.body = "{}";
    return refusal;
  });
}

}  // namespace callisto::api
