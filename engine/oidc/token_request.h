// The exchange of a code for an ID token (OpenID Connect Core 3.1.3, RFC 7636 4.5). Any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/oidc/fetch.h"
#include "engine/oidc/metadata.h"

#include <string>

namespace callisto::oidc {

struct TokenRequest {
  std::string client_id, client_secret;  // no secret: PKCE alone
  std::string redirect_uri, code, verifier;
};

struct Tokens {
  std::string id_token;
  std::string access_token;  // empty: none
};

Result<Tokens> redeem(Fetcher& fetcher, const Metadata& metadata, const TokenRequest& request);

}  // namespace callisto::oidc
