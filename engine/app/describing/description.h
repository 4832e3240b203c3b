// The merged view of entities and scripts, each part with its file and line (`callisto describe`). As JSON it is
// complete and in a stable order: entities, augmenters and actions by name, properties as they are declared; what is
// absent is false, empty or null. As text it is for people. Pure; any thread.
#pragma once

#include "engine/script/program.h"

#include <string>

namespace callisto::app {

// {"entities":[...],"session_lists":[...],"code":[...]}; code: the files that hold functions, and their SHA-256.
std::string description_json(const script::Program& program);
std::string description_json(const script::Program& program, const catalog::Entity& entity);

std::string description_text(const script::Program& program);  // a line for each entity
std::string description_text(const script::Program& program, const catalog::Entity& entity);

// Where a hook stands: its file, and the line on which it begins.
catalog::Origin place_of(const script::Program& program, int hook, std::string_view name);

}  // namespace callisto::app
