#include "engine/oidc/user_info.h"

#include "engine/base/text.h"
#include "engine/oidc/refusal.h"
#include "engine/oidc/tokens/claims.h"
#include "engine/oidc/tokens/jws.h"

#include <algorithm>

namespace callisto::oidc {

namespace {

Error wrong(std::string why) { return not_accepted("The userinfo endpoint's answer is wrong: " + std::move(why)); }

// RFC 6750 2.1: "b64token"; anything else could be another header.
bool is_token(std::string_view token) {
  return !token.empty() && std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

// Core 5.3.2: "If signed, the UserInfo Response SHOULD contain the Claims iss (issuer) and aud (audience) as members."
// Where they stand there they must be right.
Result<json::Node> open_signed(Directory& directory, const UserInfoRequest& request, std::string_view body) {
  CALLISTO_TRY(Jws token, read_jws(text::trim(body)));
  CALLISTO_TRY(const Key key, directory.key(token.key_id, token.algorithm));
  CALLISTO_CHECK(verify(token, key));
  if (token.claims.find("iss") && json::string_of(token.claims, "iss") != request.issuer)
    return wrong("'iss' is not the issuer configured");
  if (token.claims.find("aud")) CALLISTO_CHECK(check_audience(token.claims, request.client_id));
  return std::move(token.claims);
}

Result<json::Node> read(Directory& directory, const UserInfoRequest& request, const FetchAnswer& answer) {
  if (has_type(answer, "application/jwt")) return open_signed(directory, request, answer.body);
  CALLISTO_CHECK(check_json_answer(answer, "The userinfo endpoint's answer"));
  auto claims = json::parse(answer.body);
  if (!claims) return wrong(claims.error().message);
  return claims;
}

}  // namespace

Result<json::Node> ask_user_info(Fetcher& fetcher, Directory& directory, const Metadata& metadata,
                                 const UserInfoRequest& request) {
  if (metadata.userinfo_endpoint.empty())
    return not_accepted("The provider's discovery document names no userinfo endpoint that may be asked");
  if (!is_token(request.access_token))
    return not_accepted("The token endpoint gave no access token to ask userinfo with");
  const auto answer = fetcher.fetch({metadata.userinfo_endpoint, std::nullopt, {}, {}, request.access_token});
  if (!answer) return unreachable("The userinfo endpoint cannot be asked: " + answer.error().log_detail);
  if (answer->status != 200) return unreachable("The userinfo endpoint answers HTTP " + std::to_string(answer->status));
  if (answer->body.size() > most_answer_bytes) return unreachable("The userinfo endpoint's answer is too long");
  CALLISTO_TRY(json::Node claims, read(directory, request, *answer));
  if (claims.kind() != json::Node::Kind::Object) return wrong("it is no object");
  // Core 5.3.2: "The sub Claim in the UserInfo Response MUST be verified to exactly match the sub Claim in the ID
  // Token; if they do not match, the UserInfo Response values MUST NOT be used."
  if (json::string_of(claims, "sub") != request.subject) return wrong("'sub' is not that of the ID token");
  return claims;
}

}  // namespace callisto::oidc
