// Authorization codes: RFC 6749 4.1, PKCE (RFC 7636), `iss` (RFC 9207); API rule 6.5. The door of this folder for
// signing in by a browser; no HTTP here. Any thread.
#pragma once

#include "engine/auth/session.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>

namespace callisto::auth {

// A request for a code that may go on to sign somebody in.
struct Authorization {
  std::string client_id, client_name;
  std::string redirect_uri;         // where the answer goes: registered, or its loopback twin with another port
  bool redirect_uri_given = false;  // it was part of the request, so the token request must repeat it
  SessionType type = SessionType::User;
  std::string state;           // as the client sent it; empty: none
  std::string code_challenge;  // S256; empty: none, for a client with a secret
};

struct AuthorizationRefusal {
  // Where it may be told. Nothing: the client or its redirect_uri is bad, so a page tells the person (RFC 6749 4.1.2.1:
  // "MUST NOT automatically redirect the user-agent to the invalid redirection URI").
  std::optional<std::string> redirect_uri;
  std::string error, description, state;
};

using AuthorizationAnswer = std::variant<Authorization, AuthorizationRefusal>;

// The parameters of the authorization request, by their exact names, each given at most once (the caller refuses
// doubled ones).
using AuthorizationParameters = std::map<std::string, std::string>;

}  // namespace callisto::auth
