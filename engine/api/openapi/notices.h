// What webhooks send, as the section `webhooks` of an OpenAPI document: one for each family of records that webhooks
// report. One thread, while a document is written.
#pragma once

#include "engine/api/openapi/operations.h"

#include <string_view>

namespace callisto::api {

inline constexpr std::string_view webhooks_tag = "Sent by webhooks";

// Whether the entity is the top of a family that is told of.
bool is_told_of(const catalog::Entity& entity);

void write_webhooks(const OpenApiWriter& writer, const catalog::Catalog& catalog);  // a member of the document

}  // namespace callisto::api
