// RecordCursor: a record in memory as the one row of a plan that shows only the record's own properties, so that the
// answer to a write looks like a read's, without a read. The plan must outlive it. One thread.
#pragma once

#include "engine/query/plan.h"
#include "engine/records/record.h"
#include "engine/records/search.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace callisto::records {

class RecordCursor final : public Row {
 public:
  static bool has_all(const query::Plan& plan);  // of its rows: no join, nothing behind a lookup

  RecordCursor(const query::Plan& plan, const Record& record);
  Result<bool> step() override { return false; }  // it stands on its row from the start
  bool is_null(std::size_t column) const override { return callisto::is_null(values_[column]); }
  std::int64_t integer(std::size_t column) const override;
  double real(std::size_t column) const override;
  std::string_view text(std::size_t column) const override;

 private:
  const query::Plan& plan_;
  std::vector<Value> values_;  // by column
};

}  // namespace callisto::records
