// A property's description in metadata (API rule 3.5). Pure; any thread.
#pragma once

#include "engine/api/answers/property_view.h"
#include "engine/catalog/catalog.h"
#include "engine/json/write.h"

namespace callisto::api {

// Members of an object that the caller has begun.
void write_property_members(json::Writer& writer, const catalog::Property& property, const PropertyView& view = {});

}  // namespace callisto::api
