// Inserts rows of one table into a database, many per statement. A row that the database refuses is reported with its
// table, key and column, and the rest continues, so that one run finds all refused rows. One transaction's connection.
#pragma once

#include "engine/base/result.h"
#include "engine/importing/dump/tables.h"

#include <cstddef>
#include <string>
#include <vector>

namespace callisto::importing {

class RowBatch {
 public:
  static constexpr std::size_t most_refused = 20;  // whoever has so many has seen enough

  // `table`: as `target` has it, of the columns of the source.
  RowBatch(storage::Connection& target, const DumpTable& table, std::vector<std::string>& refused);

  Result<void> add(const storage::Cursor& row);
  Result<void> finish();

 private:
  Result<void> flush();
  Result<void> insert_one_by_one();
  Sql insertion(std::size_t rows) const;
  Result<void> insert(const Sql& sql, const std::vector<Value>& values);
  std::string refusal(const std::vector<Value>& row, const Error& error) const;

  storage::Connection& target_;
  const DumpTable& table_;
  std::vector<std::string>& refused_;
  const std::size_t most_rows_;
  const Sql whole_, single_;
  std::vector<Value> values_;
};

}  // namespace callisto::importing
