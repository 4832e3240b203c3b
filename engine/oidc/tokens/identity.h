// Identity: whom an identity provider vouches for. How the caller finds its own person for one:
//   1. By (`issuer`, `subject`) where it keeps such links. OpenID Connect Core 5.7: "The sub (subject) and iss (issuer)
//      Claims from the ID Token, used together, are the only Claims that an RP can rely upon as a stable identifier".
//   2. Else by `login_name`, which Options::login_claim chose and only the provider's administrators should be able to
//      change, and then keep the link. An e-mail address links only when `email_verified`.
// Nothing here is kept by this folder; the storage of links is the caller's. A plain value; any thread.
#pragma once

#include "engine/json/read.h"

#include <string>

namespace callisto::oidc {

struct Identity {
  std::string issuer, subject;  // never empty
  std::string login_name;       // empty only where Options::login_claim is
  std::string email;            // empty: not told
  bool email_verified = false;
  std::string name;        // for people to read; empty: not told
  json::Node claims = {};  // an object: those that finish() was asked for, as far as they are told
};

}  // namespace callisto::oidc
