// The path below the api root -> the thing it names (API rules 1). Pure; any thread. Entities and sub-resources match
// ignoring case; a key of the wrong form is a malformed url: 404 ResourceNotFound.
#pragma once

#include "engine/api/requests/methods.h"
#include "engine/base/result.h"
#include "engine/catalog/catalog.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace callisto::api {

struct Route {
  // Count, Groups: of a list alone; Rules: of an entity alone.
  enum class View { Resource, Metadata, Options, OpenApi, Batch, Count, Groups, Rules };
  View view = View::Resource;
  const catalog::Entity* entity = nullptr;     // null: the root
  std::optional<std::int64_t> key;             // a record of `entity`
  const catalog::SubResource* sub = nullptr;   // a list below that record
  std::optional<std::int64_t> sub_key;         // a record of that list
  const catalog::Property* content = nullptr;  // the bytes of this property: person/7/image, .../attachment/3/content
  const catalog::Action* action = nullptr;     // of `entity` or of a descendant; without a key: its metadata
};

Methods allowed_methods(const Route& route);

// `segments`: decoded, after the api root. `versions`: those understood; a path without one means the first.
Result<Route> route(const catalog::Catalog& catalog, std::vector<std::string> segments,
                    const std::vector<std::string>& versions);

}  // namespace callisto::api
