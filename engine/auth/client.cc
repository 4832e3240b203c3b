#include "engine/auth/client.h"

#include "engine/auth/form.h"
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

Result<std::variant<Client, OAuthError>> authenticate_client(Reader& reader, Hasher& hasher,
                                                             const ClientCredentials& credentials) {
  using Answer = std::variant<Client, OAuthError>;
  CALLISTO_TRY(auto client,
               reader.read([&](storage::Connection& connection) { return find_client(connection, credentials.id); }));
  const bool is_public = client && client->enabled && !client->secret_hash;
  bool proved = is_public;
  if (credentials.secret && !is_public) {  // an unknown client costs the same work as a known one, enabled or not
    const auto matches = hasher.verify(*credentials.secret, client ? client->secret_hash.value_or("") : std::string());
    if (!matches) return Answer(too_busy());
    proved = *matches;
  }
  // RFC 6749 5.2: "invalid_client: Client authentication failed (e.g., unknown client, no client authentication
  // included ...)"; a disabled client gets the same answer (specification 7.2).
  if (!client || !client->enabled || !proved) return Answer(invalid_client());
  return Answer(*std::move(client));
}

}  // namespace callisto::auth
