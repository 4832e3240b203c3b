// What every OpenAPI document of this server has, whatever the catalog: errors, links, tokens, query options, the urls
// of signing in. It is JSON that is copied as it is. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace callisto::api::openapi_texts {

// Members of components.schemas, .parameters and .responses.
extern const std::string_view schemas, administration_schemas, parameters, responses;
// Members of paths: what a server tells whoever has the right Administration.
extern const std::string_view administration;
// Operations of the urls of signing in.
extern const std::string_view login, logout, revoke;

// The ids of the operations of discovery, the document and the root first, and of signing in.
inline constexpr std::string_view operations[] = {"Api.Document", "Api.Entities", "Oauth.Login", "Oauth.Logout",
                                                  "Oauth.Revoke"};
// With those of administration: no entity's operation may have one of them.
const std::vector<std::string>& operation_ids();
inline constexpr std::string_view security_schemes[] = {"oauth2", "bearer"};

// Of all components, as they are written.
const std::vector<std::string>& names();

}  // namespace callisto::api::openapi_texts
