// The files that `require` finds: <entity>/lib/<name>.lua. A required file is looked for below the entity's own folder,
// then below the folders of the entities it extends, then below common, and last in scripts/lib.
#pragma once

#include "engine/catalog/problems.h"
#include "engine/script/library.h"
#include "engine/script/program.h"

#include <map>
#include <string>
#include <string_view>

namespace callisto::script {

// What `text`, a file of that folder, requires, by name. Told where there is none, or where the name is not written
// out.
std::map<std::string, std::size_t> resolve_required(const Program& program, const Libraries& libraries,
                                                    std::string_view folder, const Source& source,
                                                    catalog::Problems& problems);

// Adds the modules to the program, each behind those that it requires; `files`: their texts by "call/lib/hours". The
// program knows its families. What requires itself by way of others is told.
void add_modules(Program& program, const Libraries& libraries, const std::map<std::string, Source>& files,
                 catalog::Problems& problems);

}  // namespace callisto::script
