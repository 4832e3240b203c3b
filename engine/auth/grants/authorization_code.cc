// grant_type=authorization_code: RFC 6749 4.1.3, PKCE (RFC 7636 4.6), API rule 6.5.
#include "engine/auth/clients/redirect_uri.h"
#include "engine/auth/form.h"
#include "engine/auth/grants/code_store.h"
#include "engine/auth/grants/grant.h"
#include "engine/auth/grants/oauth_error.h"
#include "engine/auth/person.h"
#include "engine/auth/sessions/browser_session.h"
#include "engine/auth/sessions/session_store.h"
#include "engine/auth/sessions/token_store.h"
#include "engine/base/log.h"

#include <algorithm>

namespace callisto::auth {

namespace {

// RFC 7636 4.1: "unreserved characters ... with a minimum length of 43 characters and a maximum length of 128".
bool is_verifier(std::string_view text) {
  return text.size() >= 43 && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
                  c == '_' || c == '~';
         });
}

// RFC 7636 4.6: "BASE64URL-ENCODE(SHA256(ASCII(code_verifier))) == code_challenge". RFC 9700 4.8.2: "if there was no
// code_challenge in the authorization request, a request to the token endpoint containing a code_verifier is rejected."
bool proves(const StoredCode& code, const std::string& verifier) {
  if (code.code_challenge.empty()) return verifier.empty();
  return is_verifier(verifier) && stored(digest_of(verifier)) == code.code_challenge;
}

// RFC 6749 4.1.3: "ensure that the "redirect_uri" parameter is present if the "redirect_uri" parameter was included in
// the initial authorization request ..., and if included ensure that their values are identical."
bool repeats_redirect(const StoredCode& code, const std::string& redirect_uri) {
  return redirect_uri.empty() ? !code.redirect_uri_given : redirect_uri == code.redirect_uri;
}

struct Outcome {
  LoginAnswer answer = code_refused();
  std::optional<OpenedSession> opened;
  std::optional<std::int64_t> person;
  std::optional<std::int64_t> ended;  // the session of a code that was used before
  std::string reason = {};            // why not, for the audit log alone
};

Result<void> open(storage::Connection& connection, const GrantContext& context, const Client& client,
                  const StoredCode& code, const LoginRequest& request, const NewTokens& tokens, Outcome& outcome) {
  const DateTime now = context.clock.now();
  outcome.reason = "the code has expired";
  CALLISTO_TRY(const bool used, use_code(connection, code, now));
  if (!used) return {};
  outcome.reason = "may not hold such a session";
  CALLISTO_TRY(const auto person, find_person(connection, code.person));
  if (!person || !person->may_hold(code.type)) return {};
  outcome.reason = no_licence;
  CALLISTO_TRY(outcome.opened, open_session(connection, {code.person, client.ref, code.type, code.address},
                                            context.options, {now, context.random}));
  if (!outcome.opened) return {};
  outcome.reason = outcome.opened->beyond ? beyond_licences : "";
  CALLISTO_CHECK(note_session_of_code(connection, code, outcome.opened->id));
  if (!request.browser_key.empty()) {
    CALLISTO_CHECK(keep_browser_session(connection, digest_of(request.browser_key), outcome.opened->id));
  }
  CALLISTO_TRY(const int seconds, store_tokens(connection, outcome.opened->id, tokens, context.options, now));
  outcome.answer = tokens.answer(code.type, seconds);
  return {};
}

// Why the code opens nothing here, whoever has it; empty where it may.
std::string mismatch(const StoredCode& code, const Client& client, const LoginRequest& request) {
  if (code.client != client.ref) return "the code was issued to another client";
  if (!repeats_redirect(code, field(request, "redirect_uri"))) return "the redirect_uri is not the one of the code";
  if (!is_registered(client.redirect_uris, code.redirect_uri)) return "the client lost the redirect_uri of the code";
  if (!proves(code, field(request, "code_verifier"))) return "the code_verifier does not fit the code";
  if (client.only && *client.only != code.type) return "the client may not open such a session any more";
  return {};
}

Result<Outcome> exchange(storage::Connection& connection, const GrantContext& context, const Client& client,
                         const LoginRequest& request, const NewTokens& tokens) {
  Outcome outcome;
  CALLISTO_TRY(const auto code, find_code(connection, digest_of(field(request, "code"))));
  outcome.reason = "the code is unknown or was taken back";
  if (!code) return outcome;
  outcome.person = code->person;
  // RFC 6749 4.1.2: "If an authorization code is used more than once, the authorization server MUST deny the request
  // and SHOULD revoke (when possible) all tokens previously issued based on that authorization code."
  if (code->used) {
    outcome.reason = "an authorization code was used again";
    if (!code->session) return outcome;
    CALLISTO_TRY(const bool ended, end_session(connection, *code->session, context.clock.now()));
    if (ended) outcome.ended = code->session;
    return outcome;
  }
  outcome.reason = mismatch(*code, client, request);
  if (!outcome.reason.empty()) return outcome;
  const std::string scope = field(request, "scope");
  if (!scope.empty() && scope != scope_of(code->type)) {
    outcome.reason = "the code was issued for a session of another type";
    outcome.answer = invalid_scope("The authorization code was issued for a session of another type.");
    return outcome;
  }
  CALLISTO_CHECK(open(connection, context, client, *code, request, tokens, outcome));
  return outcome;
}

void note(const GrantContext& context, const Client& client, const LoginRequest& request, const Outcome& outcome) {
  const auto kind = outcome.opened  ? audit::Kind::SignIn
                    : outcome.ended ? audit::Kind::SessionEnded
                                    : audit::Kind::SignInRefused;
  audit::Event event = audit_event(kind, request, client.id);
  event.action = "authorization_code";
  event.person = outcome.person;
  event.session = outcome.opened ? std::optional(outcome.opened->id) : outcome.ended;
  event.reason = outcome.reason;
  if (!outcome.opened) event.token = field(request, "code");
  context.audit.note(event);
  if (outcome.opened) note_displaced(context, request, client, *outcome.person, *outcome.opened);
}

}  // namespace

Result<LoginAnswer> grant_authorization_code(const GrantContext& context, const Client& client,
                                             const LoginRequest& request) {
  if (!client.secret_hash)
    if (auto error = require_fields(request, {"code_verifier"})) return LoginAnswer(*std::move(error));
  if (!looks_like(TokenKind::Code, field(request, "code"))) return LoginAnswer(code_refused());
  const NewTokens tokens(context.random);
  Outcome outcome;
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(outcome, exchange(connection, context, client, request, tokens));
    return {};
  }));
  note(context, client, request, outcome);
  if (outcome.ended) {
    context.cache.forget(*outcome.ended);
    log::warning("An authorization code was used again; session " + std::to_string(*outcome.ended) + " was ended.");
  }
  return outcome.answer;
}

}  // namespace callisto::auth
