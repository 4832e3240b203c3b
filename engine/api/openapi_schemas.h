// The schemas of an OpenAPI document: JSON Schema of records, bodies and errors. Pure; any thread.
//   Call           a record of call, as GET and a search answer it    Call_Page   what a search of call answers
//   Call.Update    the body of PUT                                    Call.Lend   the body of the action lend
//   api.Error      what every request shares                          oauth.Token
// No name of an entity or an action has a dot or an underscore, so that none hides another.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/json/write.h"

#include <string>
#include <string_view>

namespace callisto::api {

std::string schema_of(const catalog::Entity& entity, const catalog::Action& action);  // "Call.Lend"
std::string page_of(const catalog::Entity& entity);                                   // "Call_Page"

void write_ref(json::Writer& writer, std::string_view kind, std::string_view name);  // {"$ref": "#/components/..."}

// Members of components.schemas.
void write_shared_schemas(json::Writer& writer);
void write_entity_schemas(json::Writer& writer, const catalog::Entity& entity);

// A body that the action takes, with what it demands; nothing demanded: {}.
void write_example(json::Writer& writer, const catalog::Entity& entity, const catalog::Action& action);

}  // namespace callisto::api
