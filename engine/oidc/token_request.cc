#include "engine/oidc/token_request.h"

#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/json/read.h"
#include "engine/oidc/refusal.h"

namespace callisto::oidc {

namespace {

Result<FetchRequest> written(const Metadata& metadata, const TokenRequest& request) {
  FetchRequest out{metadata.token_endpoint, std::string(), {}, {}};
  append_field(*out.form, "grant_type", "authorization_code");
  append_field(*out.form, "code", request.code);
  append_field(*out.form, "redirect_uri", request.redirect_uri);
  append_field(*out.form, "code_verifier", request.verifier);
  if (!request.client_secret.empty() && metadata.secret_transport == SecretTransport::None)
    return unreachable(
        "The provider takes client secrets neither by client_secret_basic nor by client_secret_post; register a client "
        "without a secret there and set none here");
  if (!request.client_secret.empty() && metadata.secret_transport == SecretTransport::Basic) {
    // RFC 6749 2.3.1: "The client identifier is encoded using the "application/x-www-form-urlencoded" encoding
    // algorithm ... and the encoded value is used as the username"; the password likewise.
    append_encoded(out.user, request.client_id);
    append_encoded(out.password, request.client_secret);
    return out;
  }
  append_field(*out.form, "client_id", request.client_id);
  if (!request.client_secret.empty()) append_field(*out.form, "client_secret", request.client_secret);
  return out;
}

// invalid_grant is the browser's doing: an old code, or one used twice; anything else is the operator's.
Error refused(int status, const std::string& error) {
  const std::string detail = "The token endpoint refuses with HTTP " + std::to_string(status) + " and the error " +
                             text::quoted(error.empty() ? "(none)" : error);
  if (error == "invalid_grant") return stale(detail);
  return unreachable(detail + "; compare client, secret and redirect_uri with what the provider has registered");
}

}  // namespace

Result<Tokens> redeem(Fetcher& fetcher, const Metadata& metadata, const TokenRequest& request) {
  CALLISTO_TRY(const FetchRequest sent, written(metadata, request));
  const auto answer = fetcher.fetch(sent);
  if (!answer) return unreachable("The token endpoint cannot be asked: " + answer.error().log_detail);
  CALLISTO_CHECK(check_json_answer(*answer, "The token endpoint's answer"));
  const auto body = json::parse(answer->body);
  if (!body) return unreachable("The token endpoint's answer is wrong: " + body.error().message);
  if (answer->status != 200) return refused(answer->status, json::string_of(*body, "error"));
  Tokens tokens{json::string_of(*body, "id_token"), json::string_of(*body, "access_token")};
  if (tokens.id_token.empty()) return not_accepted("The token endpoint gave no ID token; is the scope openid allowed?");
  return tokens;
}

}  // namespace callisto::oidc
