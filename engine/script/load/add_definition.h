// What a file below an entity's folder defines, added to the definitions of the desk, and its code to the program.
// Pure; any thread.
#pragma once

#include "engine/catalog/problems.h"
#include "engine/script/load/define.h"

#include <string>

namespace callisto::script {

// `scope`: the folder's name, an entity or "common".
void add_definition(const std::string& scope, const Source& source, DefinedFile& file,
                    catalog::Definitions& definitions, Program& program, catalog::Problems& problems);
// Of a file with a plus, which adds to what another one defines; `name` is the file's.
void add_addition(const std::string& scope, const std::string& name, const Source& source, DefinedFile& file,
                  catalog::Definitions& definitions, Program& program);

}  // namespace callisto::script
