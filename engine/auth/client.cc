#include "engine/auth/client.h"

#include "engine/auth/form.h"
#include "engine/auth/grant.h"
#include "engine/auth/oauth_error.h"

#include <algorithm>

namespace callisto::auth {

namespace {

// An empty id or secret counts as none (decisions.md 6.1): client libraries send both.
std::optional<std::string> present(std::string text) {
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace

bool Client::allows(std::string_view grant) const {
  return std::find(grants.begin(), grants.end(), grant) != grants.end();
}

std::variant<ClientCredentials, OAuthError> read_client_credentials(const LoginRequest& request) {
  const auto form_id = present(field(request, "client_id"));
  const auto form_secret = present(field(request, "client_secret"));
  const auto basic_id = present(request.basic_id.value_or(""));
  const auto basic_secret = present(request.basic_secret.value_or(""));
  if (!form_id && !basic_id) return invalid_request("The field client_id is missing.");
  if (form_id && basic_id && *form_id != *basic_id)
    return invalid_request("The form and the Authorization header name different clients.");
  // RFC 6749 2.3: "The client MUST NOT use more than one authentication method in each request."
  if (form_secret && basic_secret)
    return invalid_request("Send the client's secret in the form or in the Authorization header, not in both.");
  return ClientCredentials{basic_id ? *basic_id : *form_id, basic_secret ? basic_secret : form_secret};
}

Result<std::variant<Client, OAuthError>> authenticate_client(const GrantContext& context,
                                                             const ClientCredentials& credentials,
                                                             const std::string& address, Attempt attempt) {
  using Answer = std::variant<Client, OAuthError>;
  CALLISTO_TRY(auto client, context.reader.read([&](storage::Connection& connection) {
    return find_client(connection, credentials.id);
  }));
  const std::string hash = client ? client->secret_hash.value_or("") : std::string();
  bool proved = client && client->enabled && hash.empty();
  if (credentials.secret && !proved) proved = context.hasher.remembers(*credentials.secret, hash);
  if (credentials.secret && !proved) {  // an unknown client costs the same work as a known one, enabled or not
    const int wait = attempt == Attempt::Due ? context.attempts.take(address, context.clock.steady_ms()) : 0;
    if (wait > 0) return Answer(too_many_attempts(wait));
    const auto matches = context.hasher.verify(*credentials.secret, hash);
    if (!matches) return Answer(too_busy());
    proved = *matches;
    if (proved) context.hasher.remember(*credentials.secret, hash);
  }
  // RFC 6749 5.2: "invalid_client: Client authentication failed (e.g., unknown client, no client authentication
  // included ...)"; a disabled client gets the same answer (specification 7.2).
  if (!client || !client->enabled || !proved) return Answer(invalid_client());
  return Answer(*std::move(client));
}

}  // namespace callisto::auth
