// The schemas of an OpenAPI document for the inputs and answers of actions. One thread, while a document is written.
#pragma once

#include "engine/api/openapi/operations.h"

namespace callisto::api {

// Members of components.schemas: CallLendInput, CallLendAnswer.
void write_action_schemas(const OpenApiWriter& writer, const catalog::Entity& entity);

// A body that the action takes, with what it demands; nothing demanded: {}.
void write_example(const OpenApiWriter& writer, const catalog::Entity& entity, const catalog::Action& action);

}  // namespace callisto::api
