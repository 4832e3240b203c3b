#include "engine/auth/authorize.h"

#include "engine/auth/clients/client.h"
#include "engine/auth/clients/redirect_uri.h"
#include "engine/auth/form.h"
#include "engine/auth/grants/authorize_steps.h"
#include "engine/auth/grants/code_store.h"
#include "engine/auth/grants/oauth_error.h"
#include "engine/auth/people/password_check.h"
#include "engine/auth/person.h"
#include "engine/base/base64.h"

#include <algorithm>

namespace callisto::auth {

namespace {

// RFC 6749 3.1: "Parameters sent without a value MUST be treated as if they were omitted from the request."
std::string parameter(const AuthorizationParameters& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string() : found->second;
}

AuthorizationRefusal untold(std::string error, std::string description) {
  return {std::nullopt, std::move(error), std::move(description), {}};
}

// RFC 7636 4.2: the challenge of S256 is 32 bytes, base64url without padding.
bool is_challenge(std::string_view text) {
  const auto bytes = decode_base64(text, Base64::Url);
  return bytes && bytes->size() == 32;
}

// RFC 9700 2.1.1: "Public clients MUST use PKCE". RFC 7636 4.3: the method "defaults to "plain" if not present in the
// request"; 4.4.1: "the authorization endpoint MUST return the authorization error response with the "error" value set
// to "invalid_request"", for a missing challenge and for a method that is not supported.
std::string pkce_problem(const AuthorizationParameters& parameters, const Client& client) {
  const std::string challenge = parameter(parameters, "code_challenge");
  const std::string method = parameter(parameters, "code_challenge_method");
  if (challenge.empty() && method.empty() && client.secret_hash) return {};
  if (challenge.empty()) return "The parameter code_challenge is missing: this server requires PKCE.";
  if (method != "S256") return "The code_challenge_method must be S256.";
  if (!is_challenge(challenge)) return "The code_challenge is not a SHA-256 digest in base64url.";
  return {};
}

// RFC 6749 4.1.2.1: the errors that the client may be told, with the reason.
std::optional<OAuthError> find_problem(const AuthorizationParameters& parameters, const Client& client) {
  const std::string response_type = parameter(parameters, "response_type"), scope = parameter(parameters, "scope");
  for (const auto& [name, value] : parameters)
    if (!is_plain(value)) return invalid_request("The parameter " + name + " is too long or no UTF-8 text.");
  if (response_type.empty()) return invalid_request("The parameter response_type is missing.");
  if (response_type != "code") return OAuthError{400, "unsupported_response_type", "It must be code.", 0};
  if (!client.allows("authorization_code")) return unauthorized_client();
  if (const std::string problem = pkce_problem(parameters, client); !problem.empty()) return invalid_request(problem);
  // RFC 6749 3.3: a missing scope must "either process the request using a pre-defined default value or fail".
  const auto type = scope.empty() ? client.only : read_scope(scope);
  if (!type) return invalid_scope("The scope must be session-type:Analyst or session-type:User.");
  if (client.only && *client.only != *type) return invalid_scope("This client may not ask for that scope.");
  return std::nullopt;
}

// Where the answer goes; nothing where no one may be redirected.
std::optional<std::string> choose_redirect(const AuthorizationParameters& parameters, const Client& client) {
  const std::string given = parameter(parameters, "redirect_uri");
  if (!given.empty()) return is_registered(client.redirect_uris, given) ? std::optional(given) : std::nullopt;
  if (client.redirect_uris.size() == 1) return client.redirect_uris.front();
  return std::nullopt;
}

AuthorizationAnswer check(const AuthorizationParameters& parameters, const Client& client) {
  const auto redirect_uri = choose_redirect(parameters, client);
  if (!redirect_uri)
    return untold("invalid_request", "The parameter redirect_uri is missing or not one that this program has.");
  std::string state = parameter(parameters, "state");
  if (!is_plain(state)) state.clear();
  if (auto problem = find_problem(parameters, client))
    return AuthorizationRefusal{redirect_uri, problem->error, problem->description, state};
  const std::string scope = parameter(parameters, "scope");
  Authorization authorization;
  authorization.client_id = client.id;
  authorization.client_name = client.name;
  authorization.redirect_uri = *redirect_uri;
  authorization.redirect_uri_given = !parameter(parameters, "redirect_uri").empty();
  authorization.type = scope.empty() ? *client.only : *read_scope(scope);
  authorization.state = std::move(state);
  authorization.code_challenge = parameter(parameters, "code_challenge");
  return authorization;
}

// Whether the attempt is admitted; if not, why.
Result<bool> settle(const GrantContext& context, const PasswordAttempt& attempt, std::string& reason) {
  bool admitted = false;
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const Verdict verdict, judge(connection, context, attempt));
    admitted = verdict.admitted;
    reason = reason_of(attempt, verdict);
    return admitted ? note_admitted(connection, context, verdict) : note_refused(connection, context, verdict);
  }));
  return admitted;
}

}  // namespace

Result<AuthorizationAnswer> check_authorization(const GrantContext& context,
                                                const AuthorizationParameters& parameters) {
  const std::string id = parameter(parameters, "client_id");
  if (id.empty()) return AuthorizationAnswer(untold("invalid_request", "The parameter client_id is missing."));
  std::optional<Client> client;
  if (is_plain(id)) {
    CALLISTO_TRY(client,
                 context.reader.read([&](storage::Connection& connection) { return find_client(connection, id); }));
  }
  if (!client || !client->enabled)
    return AuthorizationAnswer(untold("invalid_client", "The program that sent you is unknown here or not enabled."));
  return check(parameters, *client);
}

Result<std::variant<std::int64_t, OAuthError>> check_password(const GrantContext& context,
                                                              const Authorization& authorization,
                                                              const std::string& login_name,
                                                              const std::string& password,
                                                              const std::string& remote_address) {
  using Answer = std::variant<std::int64_t, OAuthError>;
  if (!is_plain(login_name) || !is_plain(password)) return Answer(sign_in_refused());
  audit::Event event;
  event.client = authorization.client_id;
  event.address = remote_address;
  event.action = "password";
  const int wait = context.attempts.take(remote_address, context.clock.steady_ms());
  if (wait > 0) {
    event.kind = audit::Kind::AddressBlocked;
    context.audit.note(event);
    return Answer(too_many_attempts(wait));
  }
  CALLISTO_TRY(const auto tried, try_password(context, login_name, password, authorization.type, remote_address));
  if (const auto* error = std::get_if<OAuthError>(&tried)) return Answer(*error);
  const auto& attempt = std::get<PasswordAttempt>(tried);
  CALLISTO_TRY(const bool admitted, settle(context, attempt, event.reason));
  if (!admitted) {
    event.kind = audit::Kind::SignInRefused;
    if (attempt.person != 0) event.person = attempt.person;
    else event.login = login_name;
    context.audit.note(event);
    return Answer(sign_in_refused());
  }
  renew_password_hash(context, attempt, password);
  return Answer(attempt.person);
}

Result<std::optional<std::int64_t>> find_active_person(const GrantContext& context, std::string_view login_name) {
  CALLISTO_TRY(const auto person, context.reader.read([&](storage::Connection& connection) {
    return find_person_by_login(connection, login_name);
  }));
  return person && person->active ? std::optional(person->ref) : std::nullopt;
}

Result<std::optional<std::string>> issue_code(const GrantContext& context, const Authorization& authorization,
                                              std::int64_t person, const std::string& remote_address) {
  const std::string code = make_token(TokenKind::Code, context.random);
  bool issued = false;
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const auto client, find_client(connection, authorization.client_id));
    CALLISTO_TRY(const auto found, find_person(connection, person));
    issued = client && client->enabled && found && found->may_hold(authorization.type);
    if (!issued) return {};
    StoredCode row;
    row.hash = stored(digest_of(code));
    row.client = client->ref;
    row.person = person;
    row.type = authorization.type;
    row.redirect_uri = authorization.redirect_uri;
    row.redirect_uri_given = authorization.redirect_uri_given;
    row.code_challenge = authorization.code_challenge;
    row.address = remote_address;
    row.expires = after(context.clock.now(), context.options.code_seconds);
    return store_code(connection, row);
  }));
  if (issued) return std::optional(code);
  audit::Event event;
  event.kind = audit::Kind::SignInRefused;
  event.person = person;
  event.client = authorization.client_id;
  event.address = remote_address;
  event.action = "authorize";
  event.reason = "may not hold such a session";
  context.audit.note(event);
  return std::optional<std::string>();
}

}  // namespace callisto::auth
