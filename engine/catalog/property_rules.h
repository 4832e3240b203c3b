// The options that a single property may have, whatever entity it belongs to. Pure functions; any thread.
#pragma once

#include "engine/catalog/problems.h"

#include <string>
#include <vector>

namespace callisto::catalog {

std::vector<std::string> default_display_types(DataType type);
bool is_choice(const Property& property, std::string_view text);  // or its property has none to choose from
bool fits(const Value& value, DataType type);                     // the alternative and the range that `type` has
void check_rights(const PropertyDefinition& definition, Problems& problems);  // `read` and `write`
void check_property(const PropertyDefinition& definition, Problems& problems);

}  // namespace callisto::catalog
