// Turns groups of rows into the records that the map makes from them, before anything is written. A lookup that finds
// nothing stands for a record that is still to be made. One thread.
#pragma once

#include "engine/importing/write/plan.h"
#include "engine/importing/write/pools.h"
#include "engine/script/import_map.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace callisto::importing {

struct Parent {};  // the key of the group's record
struct ToMake {
  std::size_t number = 0;  // the key of that one of Evaluated::made
};
using Cell = std::variant<Value, ToMake, Parent>;

struct EvaluatedRow {
  const catalog::Entity* entity = nullptr;
  std::vector<std::pair<const catalog::Property*, Cell>> cells;
  bool is_looked_up = false;     // made for a lookup, so another key will do where its own is taken,
  bool is_found_by_key = false;  // unless it is looked up by its key
};

struct RowProblem {
  std::size_t row = 0;  // number within the group
  std::string reason;
};

struct Evaluated {
  std::vector<EvaluatedRow> made;  // those that one needs stand before it
  EvaluatedRow record;
  std::vector<EvaluatedRow> rows;
  std::vector<RowProblem> problems;  // at most one for each row; the rest counts only without any
};

class Evaluator {
 public:
  Evaluator(const Plan& plan, script::ImportMap& map, const Pools& pools) : plan_(plan), map_(map), pools_(pools) {}

  Evaluated evaluate(const std::vector<std::string>& columns, const std::vector<script::MapRow>& rows);

 private:
  Result<EvaluatedRow> evaluate(const Block& block, std::size_t row);
  Result<void> evaluate_rows(std::size_t row);
  Result<void> add_cell(EvaluatedRow& to, const Field& field, Cell cell);
  Result<Cell> cell(const Field& field, std::size_t row);  // null only where there is no default
  Result<Cell> given(const Field& field, std::size_t row);
  Result<Value> value(const Field& field, std::size_t row);
  Result<Value> answer(const Field& field, const std::string& text) const;
  std::string joined(const Field& field, std::size_t row) const;
  Result<Cell> look_up(const Lookup& lookup, std::size_t row);
  Result<Cell> make(const Lookup& lookup, std::size_t row, std::vector<Cell> by);
  const std::string& text(std::size_t column, std::size_t row) const;

  const Plan& plan_;
  script::ImportMap& map_;
  const Pools& pools_;
  const std::vector<script::MapRow>* rows_ = nullptr;
  Evaluated result_;
  std::map<std::string, std::size_t> to_make_;  // by pool and key
};

}  // namespace callisto::importing
