// An import map bound to the catalog and to a file's columns: names have become pointers or numbers, and constants have
// the types of their properties. Immutable; points into the catalog.
#pragma once

#include "engine/catalog/builder.h"
#include "engine/importing/read/dates.h"
#include "engine/script/import_map.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace callisto::importing {

struct Field {
  const catalog::Property* property = nullptr;
  script::MapValue::Kind kind = script::MapValue::Kind::Column;
  std::vector<std::size_t> columns;  // one beyond the cells of a row is null there
  std::string separator;
  Value constant;
  std::map<std::string, Value> answers;
  std::size_t number = 0;  // Lookup: in Plan::lookups; Code: for ImportMap::call
};

struct Block {
  const catalog::Entity* entity = nullptr;  // a final type
  std::vector<Field> fields;
};

struct Lookup {
  Block block;
  std::vector<std::size_t> by;  // numbers in block.fields
  std::size_t pool = 0;
};

// Records by the values of some properties: shared by all lookups that ask for the same.
struct Pool {
  const catalog::Entity* entity = nullptr;
  std::vector<const catalog::Property*> by;
};

struct Plan {
  DateReader dates;
  Block record;
  std::vector<Block> rows;
  std::vector<Lookup> lookups;
  std::vector<Pool> pools;
};

struct BoundPlan {
  std::optional<Plan> plan;  // nothing when there are problems
  std::vector<catalog::Problem> problems;
};

// The columns that a map names.
std::set<std::string, std::less<>> named_columns(const script::MapDefinition& map);

// `all_columns`: the file says which columns there are (a CSV header); else a name that is not among them is null.
BoundPlan bind_plan(const script::MapDefinition& map, const catalog::Catalog& catalog,
                    const std::vector<std::string>& columns, bool all_columns);

// A value of a map or a cell's text as one of the property. Empty text is null.
Result<Value> convert(const catalog::Property& property, Value value, const DateReader& dates);

}  // namespace callisto::importing
