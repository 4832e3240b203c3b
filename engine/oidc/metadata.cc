#include "engine/oidc/metadata.h"

#include "engine/base/text.h"
#include "engine/json/read.h"
#include "engine/oidc/refusal.h"
#include "engine/oidc/tokens/algorithms.h"
#include "engine/oidc/url.h"

#include <algorithm>

namespace callisto::oidc {

namespace {

Error wrong(std::string why) { return unreachable("The discovery document is wrong: " + std::move(why)); }

Result<std::string> text_of(const json::Node& document, std::string_view member) {
  const json::Node* found = document.find(member);
  if (!found || found->kind() != json::Node::Kind::String)
    return wrong("'" + std::string(member) + "' is missing or no string");
  return found->text();
}

// An endpoint may be on a loopback address only where the issuer is: no provider elsewhere can point into this machine.
Result<std::string> endpoint_of(const json::Node& document, std::string_view member, const std::string& issuer) {
  CALLISTO_TRY(std::string url, text_of(document, member));
  const Transport transport = transport_of(url);
  if (transport == Transport::Https || (transport == Transport::Loopback && transport_of(issuer) == transport))
    return url;
  return wrong("'" + std::string(member) + "' is " + text::quoted(url, 200) + ", which is no https url");
}

// Whether a list that may be absent, which `absent` then answers for, has the value.
bool lists(const json::Node& document, std::string_view member, std::string_view value, bool absent) {
  const json::Node* found = document.find(member);
  if (!found) return absent;
  return std::any_of(found->items().begin(), found->items().end(), [value](const json::Node& item) {
    return item.kind() == json::Node::Kind::String && item.text() == value;
  });
}

// Discovery 3: "If omitted, the default is client_secret_basic".
SecretTransport secret_transport_of(const json::Node& document) {
  constexpr std::string_view auth_methods_member = "token_endpoint_auth_methods_supported";
  if (lists(document, auth_methods_member, "client_secret_basic", true)) return SecretTransport::Basic;
  return lists(document, auth_methods_member, "client_secret_post", false) ? SecretTransport::Post
                                                                           : SecretTransport::None;
}

}  // namespace

Result<void> check_issuer(const std::string& issuer) {
  // Core 1.2: "scheme, host, and optionally, port number and path components and no query or fragment components".
  if (transport_of(issuer) != Transport::Refused && issuer.find('?') == std::string::npos) return {};
  return bad_format("setting oidc.issuer: " + text::quoted(issuer, 200) +
                    " does not fit; write an https url without query and fragment (http only on a loopback address)");
}

std::string metadata_url(const std::string& issuer) {
  // Discovery 4.1: "any terminating / MUST be removed before appending /.well-known/openid-configuration".
  const std::size_t end = issuer.ends_with('/') ? issuer.size() - 1 : issuer.size();
  return issuer.substr(0, end) + "/.well-known/openid-configuration";
}

Result<Metadata> read_metadata(const std::string& document, const std::string& issuer) {
  const auto root = json::parse(document);
  if (!root) return wrong(root.error().message);
  CALLISTO_TRY(const std::string named, text_of(*root, "issuer"));
  // Discovery 4.3: "The issuer value returned MUST be identical to the Issuer URL that was used as the prefix".
  if (named != issuer)
    return wrong("its issuer is " + text::quoted(named, 200) + "; configure exactly that, if it is the right one");
  // Discovery 3: "Dynamic OpenID Providers MUST support the code, id_token, ... Response Type values"; we use code
  // alone.
  if (!lists(*root, "response_types_supported", "code", false)) return wrong("the provider offers no code flow");
  constexpr std::string_view algorithms_member = "id_token_signing_alg_values_supported";
  const json::Node* algorithms = root->find(algorithms_member);
  if (!algorithms || std::none_of(algorithms->items().begin(), algorithms->items().end(),
                                  [](const json::Node& item) { return algorithm_of(item.text()).has_value(); }))
    return wrong("the provider signs ID tokens with none of " + algorithm_names());
  Metadata metadata;
  CALLISTO_TRY(metadata.authorization_endpoint, endpoint_of(*root, "authorization_endpoint", issuer));
  CALLISTO_TRY(metadata.token_endpoint, endpoint_of(*root, "token_endpoint", issuer));
  CALLISTO_TRY(metadata.jwks_uri, endpoint_of(*root, "jwks_uri", issuer));
  if (auto userinfo = endpoint_of(*root, "userinfo_endpoint", issuer))
    metadata.userinfo_endpoint = *std::move(userinfo);
  metadata.secret_transport = secret_transport_of(*root);
  const json::Node* names_issuer = root->find("authorization_response_iss_parameter_supported");
  metadata.names_issuer = names_issuer && names_issuer->boolean();
  return metadata;
}

}  // namespace callisto::oidc
