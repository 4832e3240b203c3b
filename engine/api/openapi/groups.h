// The sections that explorers sort the entities of an OpenAPI document into. One thread, while a document is written.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/json/write.h"

namespace callisto::api {

// Members of the document: tags, x-tagGroups.
void write_tags(json::Writer& writer, const catalog::Catalog& catalog);

}  // namespace callisto::api
