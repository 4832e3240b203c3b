// Tables from the catalog: one per hierarchy of entities, with all their properties. Pure; any thread.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/storage/dialect.h"

#include <vector>

namespace callisto::records {

bool has_column(const catalog::Property& property);
std::vector<storage::TableSpec> tables_of(const catalog::Catalog& catalog);  // by name of the root entity

}  // namespace callisto::records
