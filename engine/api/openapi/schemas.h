// The schemas of an OpenAPI document that show records: JSON Schema of rows, pages, and what webhooks send. One thread,
// while a document is written.
#pragma once

#include "engine/api/openapi/operations.h"

#include <string_view>

namespace callisto::api {

void write_ref(json::Writer& writer, std::string_view kind, std::string_view name);  // {"$ref": "#/components/..."}

bool is_shown(const catalog::Property& property);
bool is_writable(const catalog::Property& property, const PropertyView& view);

// Members of an object of properties. As a record has it: null where nothing is known.
void write_read_property(json::Writer& writer, const catalog::Property& property);
// As a request gives it, with all limits that it has to keep. Null clears a property; a parameter left out has none.
void write_given(json::Writer& writer, const catalog::Property& property, bool nullable, std::size_t shortest = 0);

// Members of components.schemas: Call, CallPage.
void write_record_schemas(const OpenApiWriter& writer, const catalog::Entity& entity);

}  // namespace callisto::api
