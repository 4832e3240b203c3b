// The API of one catalog as an OpenAPI document: what a session could use, and no more. Written only from the catalog,
// as $metadata is. Paths count from {api_root}/{version}, even those of signing in. Pure; any thread.
#pragma once

#include "engine/api/answers/property_view.h"
#include "engine/base/result.h"
#include "engine/catalog/catalog.h"

#include <string>

namespace callisto::api {

struct OpenApiOptions {
  std::string base_url;  // empty: urls without a host, which count from where the document came
  std::string api_root = "/service.api/api";
  std::string oauth_root = "/service.web/oauth";
  std::string version = "v1";             // of the API
  std::string program_version = "0.0.0";  // of this program
};

// 3.1. `view`: for whom it is; everything that not everybody may read is in it where nobody is named.
std::string openapi(const catalog::Catalog& catalog, const OpenApiOptions& options, const PropertyView& view = {});

// The same document for readers of 3.0 alone. Webhooks, which that version has none of, stand in x-webhooks.
Result<std::string> as_openapi_30(const std::string& document);

// Where clients sign in below the version's url: "/oauth" of "/service.web/oauth".
std::string sign_in_path(const std::string& oauth_root);

// Supported, and granted to somebody.
bool is_usable(const catalog::Action& action);

}  // namespace callisto::api
