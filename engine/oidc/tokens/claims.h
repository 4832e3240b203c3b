// The rules an ID token's claims must keep (OpenID Connect Core 3.1.3.7), once its signature is known to be good. Pure;
// any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/json/read.h"
#include "engine/oidc/tokens/algorithms.h"
#include "engine/oidc/tokens/identity.h"

#include <string>
#include <vector>

namespace callisto::oidc {

struct Expected {
  std::string issuer, client_id, nonce;
  std::string access_token;  // for at_hash; empty: none came
  DateTime now;
  Algorithm algorithm = Algorithm::RS256;  // of the token
};

// Without a login name.
Result<Identity> check_claims(const json::Node& claims, const Expected& expected);
// That `aud` and `azp` mean this client.
Result<void> check_audience(const json::Node& claims, const std::string& client_id);

// Whether an ID token is too thin to tell the login name, so that the userinfo endpoint is to be asked.
bool lacks_login(const json::Node& claims, const std::string& login_claim);
// Whether one of those is missing.
bool lacks_any(const json::Node& claims, const std::vector<std::string>& wanted);
// `sub`, `iss` and those that are wanted, of the ID token, else of userinfo (null: it was not asked). An Error where
// the provider only says that one exists (Core 5.6.2): who did without it would take it for none.
Result<json::Node> pick_claims(const json::Node& token, const json::Node* user_info,
                               const std::vector<std::string>& wanted);
// Takes what claims of the ID token or of userinfo tell of the person; an empty `login_claim`: no login name is wanted.
Result<void> take_claims(const json::Node& claims, const std::string& login_claim, Identity& identity);

}  // namespace callisto::oidc
