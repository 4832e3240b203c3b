// Tables from the catalog: one for each hierarchy of entities, with every property of all of them. Pure; any thread.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/storage/dialect.h"

#include <vector>

namespace callisto::records {

bool has_column(const catalog::Property& property);
std::vector<storage::TableSpec> tables_of(const catalog::Catalog& catalog);  // by name of the root entity

}  // namespace callisto::records
