// The rules an ID token's claims must keep (OpenID Connect Core 3.1.3.7), once its signature is known to be good. Pure;
// any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/json/read.h"
#include "engine/oidc/identity.h"

#include <string>

namespace callisto::oidc {

struct Expected {
  std::string issuer, client_id, nonce;
  std::string access_token;  // for at_hash; empty: none came
  std::string login_claim;   // empty: no login name is wanted
  DateTime now;
};

Result<Identity> check_claims(const json::Node& claims, const Expected& expected);

}  // namespace callisto::oidc
