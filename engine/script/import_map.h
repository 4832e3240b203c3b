// An import map (samples/import/README.md): a Lua file that says how rows of foreign data become records. It is read
// once into plain structures, which the importer binds to the catalog and evaluates by itself; only the map's own
// functions run in Lua, in the sandbox and the limits of scripts. One thread at a time. Errors of call() are for the
// map's author.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/base/value.h"
#include "engine/catalog/builder.h"
#include "engine/script/program.h"
#include "engine/script/state.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace callisto::script {

struct MapValue {
  enum class Kind { Column, Always, Join, OneOf, Position, Parent, Lookup, Code };
  Kind kind = Kind::Column;
  std::vector<std::string> columns;      // Column, OneOf: one; Join: all of them
  std::string separator;                 // Join
  Value constant;                        // Always
  std::map<std::string, Value> answers;  // OneOf
  std::size_t number = 0;                // Lookup: in MapDefinition::lookups; Code: for ImportMap::call
};

struct MapField {
  std::string property;
  MapValue value;
  catalog::Origin origin;
};

struct MapBlock {  // record, rows or find_or_create
  std::string entity;
  std::vector<std::string> by;   // find_or_create
  std::vector<MapField> fields;  // by name
  catalog::Origin origin;
};

struct MapOption {
  std::string text;
  catalog::Origin origin;
};

struct MapDefinition {
  MapOption format, separator, dates, zone, null, group_by;  // empty where the map does not say
  MapBlock record;
  std::vector<MapBlock> rows;
  std::vector<MapBlock> lookups;  // those that a lookup uses stand before it
};

using MapRow = std::vector<std::string>;  // a cell for each column, empty where there is none

class ImportMap {
 public:
  struct Loaded;
  static Loaded load(const Source& source, const Budget& budget, const Clock& clock);
  ~ImportMap();

  const MapDefinition& definition() const;

  // What the functions see from now on: the rows of one group. Both must stay as they are until the next begin_group.
  void begin_group(const std::vector<std::string>& columns, const std::vector<MapRow>& rows);
  Result<Value> call(std::size_t function, std::size_t row);  // row: from 0

 private:
  class Lua;
  explicit ImportMap(std::unique_ptr<Lua> lua);
  std::unique_ptr<Lua> lua_;
};

struct ImportMap::Loaded {
  std::unique_ptr<ImportMap> map;  // null when it could not be run; with problems: for binding alone
  std::vector<catalog::Problem> problems;
};

}  // namespace callisto::script
