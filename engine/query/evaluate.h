// Decides a plan's predicate for one record in memory, with the same result as the SQL of emit_sql.h for every record
// (a differential test compares them). Pure; any thread.
//
// Invariants: for every record either the predicate or its negation holds.
#pragma once

#include "engine/query/plan.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace callisto::query {

// Where values come from. A path through a null or invisible lookup is null.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  virtual Value read(const Path& path) const = 0;
  // Those of a list below the record that the session sees: HasRow and RowCount. Rules know no lists (bind_predicate).
  virtual std::vector<std::unique_ptr<RecordReader>> rows(const Predicate&) const { return {}; }
};

// The resolved value of each of Plan::constants, asked for where the answer depends on it.
using ConstantReader = std::function<Value(std::size_t index)>;

bool evaluate(const Predicate& predicate, const ConstantReader& constants, const RecordReader& record);
bool evaluate(const Predicate& predicate, const std::vector<Value>& constants, const RecordReader& record);

}  // namespace callisto::query
