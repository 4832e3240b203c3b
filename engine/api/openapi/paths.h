// The urls of one entity in an OpenAPI document. One thread, while a document is written.
#pragma once

#include "engine/api/openapi/operations.h"

namespace callisto::api {

bool is_readable(const catalog::Entity& entity);  // by anybody

// Members of `paths`.
void write_entity_paths(const OpenApiWriter& writer, const catalog::Entity& entity);

}  // namespace callisto::api
