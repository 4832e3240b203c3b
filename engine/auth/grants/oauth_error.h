// The refusals of API rule 6.1 and RFC 6749 5.2, one maker each. Descriptions name fields, never what was sent.
// Pure; any thread.
#pragma once

#include "engine/auth/service.h"

#include <string>
#include <utility>

namespace callisto::auth {

inline OAuthError invalid_request(std::string description) {
  return {400, "invalid_request", std::move(description), 0};
}

inline OAuthError unsupported_grant_type(std::string description) {
  return {400, "unsupported_grant_type", std::move(description), 0};
}

inline OAuthError invalid_scope(std::string description) { return {400, "invalid_scope", std::move(description), 0}; }

inline OAuthError invalid_client() {
  return {401, "invalid_client", "The client is unknown, not enabled, or did not prove who it is.", 0};
}

inline OAuthError unauthorized_client() {
  return {400, "unauthorized_client", "This client may not use this grant type.", 0};
}

// API rule 6.3: one text for every reason, so that a refusal tells nothing about the account.
inline OAuthError sign_in_refused() {
  return {400, "invalid_grant", "The credentials are not correct, or sign-in is not possible at the moment.", 0};
}

// API rule 6.4: 401 tells the client to sign in again.
inline OAuthError refresh_refused() {
  return {401, "invalid_grant", "The refresh token is not valid any more. Sign in again.", 0};
}

// API rule 6.5.
inline OAuthError code_refused() {
  return {400, "invalid_grant", "The authorization code is not valid, or not any more. Sign in again.", 0};
}

// API rule 6.8: the answers of logout, in the order of API rule 6.8.
inline OAuthError ownership_unproved() {
  return {401, "invalid_token", "Send the access token of the same session; refresh it first where it has expired.", 0};
}

inline OAuthError token_unknown() {
  return {400, "invalid_grant", "The refresh token is unknown, has expired or was replaced by a newer one.", 0};
}

inline OAuthError foreign_token() {
  return {403, "access_denied", "The refresh token does not belong to the session of the access token.", 0};
}

inline OAuthError token_removed() {
  return {404, "invalid_grant", "The refresh token was removed already: its session has ended.", 0};
}

inline OAuthError too_many_attempts(int retry_after_seconds) {
  return {429, "invalid_request", "Too many sign-in attempts from this address. Wait a little.", retry_after_seconds};
}

inline OAuthError too_many_tokens(int retry_after_seconds) {
  return {429, "invalid_request", "Tokens were asked for too often. Use those that you have until they expire.",
          retry_after_seconds};
}

inline OAuthError too_busy() {
  return {503, "temporarily_unavailable", "Too many sign-ins are being checked at this moment. Try again.", 1};
}

}  // namespace callisto::auth
