// The member `diagram` of {entity}/$rules (API rule 3.9): where a picture of the states has its boxes, lines and
// labels. Pure; any thread.
#pragma once

#include "engine/json/write.h"
#include "engine/records/model.h"

namespace callisto::api {

// Nothing for an entity without states.
void write_diagram(json::Writer& writer, const records::Model& model, const catalog::Entity& entity);

}  // namespace callisto::api
