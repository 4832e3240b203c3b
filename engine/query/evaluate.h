// A plan's predicate decided for one record in memory; equal to the SQL of emit_sql.h for every record (the
// differential test holds them together). Pure; any thread.
#pragma once

#include "engine/query/plan.h"

#include <vector>

namespace callisto::query {

// Where values come from. A path through a null or invisible lookup is null.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  virtual Value read(const Path& path) const = 0;
};

// `constants`: the resolved values, one for each of Plan::constants.
bool evaluate(const Predicate& predicate, const std::vector<Value>& constants, const RecordReader& record);

}  // namespace callisto::query
