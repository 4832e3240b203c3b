// The API of one catalog as an OpenAPI 3.1 document: what a session could use, and no more. Written from the catalog
// alone, as $metadata is. Paths count from {api_root}/{version}. Pure; any thread.
#pragma once

#include "engine/catalog/catalog.h"

#include <string>

namespace callisto::api {

struct OpenApiOptions {
  std::string base_url;  // empty: urls without a host, which count from where the document came
  std::string api_root = "/service.api/api";
  std::string oauth_root = "/service.web/oauth";
  std::string version = "v1";
};

std::string openapi(const catalog::Catalog& catalog, const OpenApiOptions& options);

// Supported, and granted to somebody.
bool is_usable(const catalog::Action& action);

}  // namespace callisto::api
