#include "engine/auth/clients/client.h"

#include "engine/auth/form.h"
#include "engine/auth/grants/grant.h"
#include "engine/auth/grants/oauth_error.h"

#include <algorithm>

namespace callisto::auth {

namespace {

// An empty id or secret counts as none (API rule 6.1): client libraries send both.
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
  const bool is_plain = request.plain_id && (!form_id || *form_id == *request.plain_id);
  if (form_id && basic_id && *form_id != *basic_id && !is_plain)
    return invalid_request("The form and the Authorization header name different clients.");
  // RFC 6749 2.3: "The client MUST NOT use more than one authentication method in each request."
  if (form_secret && basic_secret)
    return invalid_request("Send the client's secret in the form or in the Authorization header, not in both.");
  ClientCredentials credentials{basic_id ? *basic_id : *form_id, basic_secret ? basic_secret : form_secret};
  if (is_plain && request.plain_secret) credentials.plain.emplace(*request.plain_id, *request.plain_secret);
  return credentials;
}

namespace {

// One id and secret; what is left where they are wrong is for the caller to try.
Result<std::variant<Client, OAuthError>> prove(const GrantContext& context, const std::string& id,
                                               const std::optional<std::string>& secret, const std::string& address,
                                               Attempt& attempt) {
  using Answer = std::variant<Client, OAuthError>;
  CALLISTO_TRY(auto client,
               context.reader.read([&](storage::Connection& connection) { return find_client(connection, id); }));
  const std::string hash = client ? client->secret_hash.value_or("") : std::string();
  bool proved = client && client->enabled && hash.empty();
  if (secret && !proved) proved = context.hasher.remembers(*secret, hash);
  if (secret && !proved) {  // an unknown client costs the same work as a known one, enabled or not
    const int wait = attempt == Attempt::Due ? context.attempts.take(address, context.clock.steady_ms()) : 0;
    if (wait > 0) return Answer(too_many_attempts(wait));
    attempt = Attempt::Taken;
    const auto matches = context.hasher.verify(*secret, hash);
    if (!matches) return Answer(too_busy());
    proved = *matches;
    if (proved) context.hasher.remember(*secret, hash);
  }
  // RFC 6749 5.2: "invalid_client: Client authentication failed (e.g., unknown client, no client authentication
  // included ...)"; a disabled client gets the same answer (API rule 6.1).
  if (!client || !client->enabled || !proved) return Answer(invalid_client());
  return Answer(*std::move(client));
}

}  // namespace

Result<std::variant<Client, OAuthError>> authenticate_client(const GrantContext& context,
                                                             const ClientCredentials& credentials,
                                                             const std::string& address, Attempt attempt) {
  CALLISTO_TRY(auto answer, prove(context, credentials.id, credentials.secret, address, attempt));
  const auto* error = std::get_if<OAuthError>(&answer);
  if (!error || error->status != 401 || !credentials.plain) return answer;
  return prove(context, credentials.plain->first, credentials.plain->second, address, attempt);
}

}  // namespace callisto::auth
