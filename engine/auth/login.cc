// From a login form to its grant, in this order: the form, the grant, the scope, the client, then the grant itself.
// Whatever can be refused without looking anything up is refused first.
#include "engine/auth/form.h"
#include "engine/auth/grants/grant.h"
#include "engine/auth/grants/oauth_error.h"

#include <algorithm>
#include <array>

namespace callisto::auth {

namespace {

struct Grant {
  std::string_view name;
  std::vector<std::string> required;  // besides client_id
  bool guesses = false;               // costs an attempt of the address
  Result<LoginAnswer> (*run)(const GrantContext&, const Client&, const LoginRequest&) = nullptr;
};

const Grant* find_grant(std::string_view name) {
  static const std::array<Grant, 4> grants{{
      {"password", {"scope", "username", "password"}, true, grant_password},
      {"refresh_token", {"refresh_token"}, false, grant_refresh},
      {"authorization_code", {"code"}, false, grant_authorization_code},
      {"client_credentials", {"scope"}, false, grant_client_credentials},
  }};
  const auto grant = std::find_if(grants.begin(), grants.end(), [&](const Grant& one) { return one.name == name; });
  return grant == grants.end() ? nullptr : &*grant;
}

std::optional<OAuthError> check_scope(const LoginRequest& request) {
  const std::string scope = field(request, "scope");
  if (scope.empty() || read_scope(scope)) return std::nullopt;
  return invalid_scope("The scope must be session-type:Analyst or session-type:User.");
}

// RFC 6749 5.2: "unauthorized_client: The authenticated client is not authorized to use this authorization grant type."
std::optional<OAuthError> check_permission(const Client& client, const Grant& grant, const LoginRequest& request) {
  if (!client.allows(grant.name)) return unauthorized_client();
  const auto type = read_scope(field(request, "scope"));
  if (type && client.only && *type != *client.only) return invalid_scope("This client may not ask for that scope.");
  return std::nullopt;
}

// A client that is not who it says: whose sign-in it is does not matter then.
void note_refused_client(const GrantContext& context, const LoginRequest& request, const std::string& client_id) {
  audit::Event event = audit_event(audit::Kind::SignInRefused, request, client_id);
  event.reason = "the client is unknown, not enabled, or did not prove who it is";
  context.audit.note(event);
}

}  // namespace

audit::Event audit_event(audit::Kind kind, const LoginRequest& request, const std::string& client_id) {
  audit::Event event;
  event.kind = kind;
  event.client = client_id;
  event.address = request.remote_address;
  return event;
}

void note_displaced(const GrantContext& context, const LoginRequest& request, const Client& client, std::int64_t person,
                    const OpenedSession& opened) {
  for (const std::int64_t session : opened.displaced) {
    context.cache.forget(session);
    audit::Event event = audit_event(audit::Kind::SessionEnded, request, client.id);
    event.person = person;
    event.session = session;
    event.reason = "the person held as many licences as one person may; a newer sign-in replaced the oldest session";
    context.audit.note(event);
  }
}

Result<LoginAnswer> run_login(const GrantContext& context, const LoginRequest& request) {
  if (auto error = check_form(request)) return LoginAnswer(*std::move(error));
  if (auto error = require_fields(request, {"grant_type"})) return LoginAnswer(*std::move(error));
  const Grant* const grant = find_grant(field(request, "grant_type"));
  if (!grant)
    return LoginAnswer(unsupported_grant_type(
        "The grant_type must be password, refresh_token, authorization_code or client_credentials."));
  if (auto error = require_fields(request, grant->required)) return LoginAnswer(*std::move(error));
  if (auto error = check_scope(request)) return LoginAnswer(*std::move(error));
  auto credentials = read_client_credentials(request);
  if (auto* error = std::get_if<OAuthError>(&credentials)) return LoginAnswer(std::move(*error));
  const std::string client_id = std::get<ClientCredentials>(credentials).id;
  if (grant->guesses) {
    const int wait = context.attempts.take(request.remote_address, context.clock.steady_ms());
    if (wait > 0) context.audit.note(audit_event(audit::Kind::AddressBlocked, request, client_id));
    if (wait > 0) return LoginAnswer(too_many_attempts(wait));
  }
  CALLISTO_TRY(auto client,
               authenticate_client(context, std::get<ClientCredentials>(credentials), request.remote_address,
                                   grant->guesses ? Attempt::Taken : Attempt::Due));
  if (auto* error = std::get_if<OAuthError>(&client)) {
    if (error->status == 401) note_refused_client(context, request, client_id);
    return LoginAnswer(std::move(*error));
  }
  if (auto error = check_permission(std::get<Client>(client), *grant, request)) return LoginAnswer(*std::move(error));
  return grant->run(context, std::get<Client>(client), request);
}

}  // namespace callisto::auth
