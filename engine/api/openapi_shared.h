// What every OpenAPI document of this server has, whatever the catalog: errors, links, tokens, query options, the urls
// of signing in. JSON that is written as it stands. Pure; any thread.
#pragma once

#include <string_view>

namespace callisto::api::openapi_texts {

// Members of components.schemas, .parameters and .responses.
extern const std::string_view schemas, parameters, responses;
// Operations of the urls below the oauth root.
extern const std::string_view login, logout, revoke;

}  // namespace callisto::api::openapi_texts
