// The UserInfo endpoint (OpenID Connect Core 5.3): what a provider says about the person of an ID token, if the token
// itself lacks claims (Core 5.4). Any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/json/read.h"
#include "engine/oidc/directory.h"
#include "engine/oidc/fetch.h"

#include <string>

namespace callisto::oidc {

struct UserInfoRequest {
  std::string access_token;
  std::string subject;            // of the ID token
  std::string issuer, client_id;  // for an answer that is signed
};

// Its claims, an object, as JSON or signed; of that subject and no other.
Result<json::Node> ask_user_info(Fetcher& fetcher, Directory& directory, const Metadata& metadata,
                                 const UserInfoRequest& request);

}  // namespace callisto::oidc
