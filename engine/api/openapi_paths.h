// The urls of one entity in an OpenAPI document. Pure; any thread.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/json/write.h"

namespace callisto::api {

// Members of `paths`.
void write_entity_paths(json::Writer& writer, const catalog::Entity& entity);

}  // namespace callisto::api
