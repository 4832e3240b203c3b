#include "engine/auth/sessions/logout.h"

#include "engine/auth/clients/client.h"
#include "engine/auth/form.h"
#include "engine/auth/grants/grant.h"
#include "engine/auth/grants/oauth_error.h"
#include "engine/auth/sessions/session_store.h"
#include "engine/auth/sessions/token_store.h"

namespace callisto::auth {

namespace {

using Answer = std::optional<OAuthError>;

// Ends it after all; false where somebody else just did.
Result<bool> end(const GrantContext& context, const LoginRequest& request, std::int64_t session, const char* how) {
  bool ended = false;
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(ended, end_session(connection, session, context.clock.now()));
    return {};
  }));
  context.cache.forget(session);
  audit::Event event = audit_event(audit::Kind::Logout, request, field(request, "client_id"));
  event.session = session;
  event.action = how;
  if (ended) context.audit.note(event);
  return ended;
}

struct Judgement {
  Answer refusal;
  std::int64_t session = 0;
};

// API rule 6.8, first match wins. An access token of a session that has ended counts here, and here alone: how
// else could the answer to a second logout be reached.
Result<Judgement> judge(storage::Connection& connection, const std::string& token, std::string_view access_token,
                        DateTime now) {
  CALLISTO_TRY(const auto one_state, storage::ReadTransaction::begin(connection));
  if (!looks_like(TokenKind::Access, access_token)) return Judgement{ownership_unproved(), 0};
  CALLISTO_TRY(const auto bearer, find_access_token(connection, digest_of(access_token)));
  if (!bearer || now >= bearer->expires) return Judgement{ownership_unproved(), 0};
  CALLISTO_TRY(const auto refresh, find_refresh_token(connection, digest_of(token)));
  if (!refresh || now >= refresh->expires || refresh->used) return Judgement{token_unknown(), 0};
  if (refresh->session != bearer->session) return Judgement{foreign_token(), 0};
  CALLISTO_TRY(const auto session, find_session(connection, refresh->session));
  if (!session || !session->lives(now)) return Judgement{token_removed(), 0};
  return Judgement{std::nullopt, session->id};
}

// The living session that a token of either kind belongs to.
Result<std::optional<StoredSession>> session_of(storage::Connection& connection, const std::string& token,
                                                DateTime now) {
  std::int64_t id = 0;
  if (looks_like(TokenKind::Refresh, token)) {
    CALLISTO_TRY(const auto refresh, find_refresh_token(connection, digest_of(token)));
    if (refresh && !refresh->used && now < refresh->expires) id = refresh->session;
  } else if (looks_like(TokenKind::Access, token)) {
    CALLISTO_TRY(const auto access, find_access_token(connection, digest_of(token)));
    if (access && now < access->expires) id = access->session;
  }
  CALLISTO_TRY(auto session, find_session(connection, id));
  if (session && !session->lives(now)) session.reset();
  return session;
}

}  // namespace

Result<Answer> log_out(const GrantContext& context, const LoginRequest& request, std::string_view access_token) {
  if (auto error = check_form(request)) return Answer(error);
  if (auto error = require_fields(request, {"token"})) return Answer(error);
  const std::string token = field(request, "token");
  if (!looks_like(TokenKind::Refresh, token))
    return Answer(invalid_request("The field token is not a refresh token of this server."));
  CALLISTO_TRY(const Judgement judgement, context.reader.read([&](storage::Connection& connection) {
    return judge(connection, token, access_token, context.clock.now());
  }));
  if (judgement.refusal) return judgement.refusal;
  CALLISTO_TRY(const bool ended, end(context, request, judgement.session, "logout"));
  return ended ? Answer() : Answer(token_removed());
}

// RFC 7009 2.1: "The authorization server first validates the client credentials ... and then verifies whether the
// token was issued to the client making the revocation request. If this validation fails, the request is refused". 2.2:
// "invalid tokens do not cause an error response". 2.1: "If the particular token is a refresh token ... the
// authorization server SHOULD also invalidate all access tokens based on the same authorization grant"; the other way
// round it may.
Result<Answer> revoke_token(const GrantContext& context, const LoginRequest& request) {
  if (auto error = check_form(request)) return Answer(error);
  if (auto error = require_fields(request, {"token"})) return Answer(error);
  auto credentials = read_client_credentials(request);
  if (auto* error = std::get_if<OAuthError>(&credentials)) return Answer(std::move(*error));
  CALLISTO_TRY(const auto client, authenticate_client(context, std::get<ClientCredentials>(credentials),
                                                      request.remote_address, Attempt::Due));
  if (const auto* error = std::get_if<OAuthError>(&client)) return Answer(*error);
  CALLISTO_TRY(const auto session, context.reader.read([&](storage::Connection& connection) {
    return session_of(connection, field(request, "token"), context.clock.now());
  }));
  if (!session) return Answer();
  if (session->client != std::get<Client>(client).ref)
    return Answer(OAuthError{400, "unauthorized_client", "The token was issued to another client.", 0});
  CALLISTO_CHECK(end(context, request, session->id, "revoke"));
  return Answer();
}

}  // namespace callisto::auth
