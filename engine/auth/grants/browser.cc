// A token-mediating backend's side of auth (RFC 10017): the cookie's secret buys access tokens, as a refresh token
// would, but is not rotated: no script ever holds it.
#include "engine/auth/grants/browser.h"

#include "engine/auth/grants/oauth_error.h"
#include "engine/auth/sessions/browser_session.h"
#include "engine/auth/sessions/token_store.h"

#include <algorithm>

namespace callisto::auth {

namespace {

// As session_store.h has it for refreshes: not beyond session_seconds, which may have been more at that time.
bool is_over(const StoredSession& session, const Options& options, DateTime now) {
  return session_end(options, session.created, now) <= now;
}

Result<LoginAnswer> renew(storage::Connection& connection, const GrantContext& context, const Digest& digest,
                          const NewTokens& tokens) {
  const DateTime now = context.clock.now();
  CALLISTO_TRY(const auto session, find_browser_session(connection, digest, now));
  if (!session || is_over(*session, context.options, now)) return LoginAnswer(refresh_refused());
  CALLISTO_TRY(const auto client, find_client(connection, session->client));
  if (!client || !client->enabled) return LoginAnswer(refresh_refused());
  CALLISTO_TRY(const bool allowed, may_continue(connection, *session, *client));
  if (!allowed) return LoginAnswer(refresh_refused());
  const int wait = context.refreshes.take(std::to_string(session->id), context.clock.steady_ms());
  if (wait > 0) return LoginAnswer(too_many_tokens(wait));
  CALLISTO_CHECK(extend_session(connection, *session, context.options, now));
  CALLISTO_TRY(const int seconds, store_access_token(connection, session->id, tokens.access, context.options, now));
  return LoginAnswer(TokenPair{tokens.access, {}, scope_of(session->type), seconds});
}

}  // namespace

Result<LoginAnswer> renew_in_browser(const GrantContext& context, const std::string& browser_key) {
  // Whoever guesses costs no write.
  CALLISTO_TRY(const auto known, context.reader.read([&](storage::Connection& connection) {
    return find_browser_session(connection, digest_of(browser_key), context.clock.now());
  }));
  if (!known) return LoginAnswer(refresh_refused());
  const NewTokens tokens(context.random);
  LoginAnswer answer = refresh_refused();
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(answer, renew(connection, context, digest_of(browser_key), tokens));
    return {};
  }));
  return answer;
}

Result<void> end_in_browser(const GrantContext& context, const std::string& browser_key,
                            const std::string& remote_address) {
  std::optional<StoredSession> ended;
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    const DateTime now = context.clock.now();
    CALLISTO_TRY(ended, find_browser_session(connection, digest_of(browser_key), now));
    if (!ended) return {};
    CALLISTO_TRY(const bool done, end_session(connection, ended->id, now));
    if (!done) ended.reset();
    return {};
  }));
  if (!ended) return {};
  context.cache.forget(ended->id);
  audit::Event event;
  event.kind = audit::Kind::Logout;
  event.person = ended->person;
  event.session = ended->id;
  event.address = remote_address;
  event.action = "logout";
  context.audit.note(event);
  return {};
}

}  // namespace callisto::auth
