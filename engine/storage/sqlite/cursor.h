// Binds values to a statement's parameters and reads its rows, on SQLite's own statement. The connection's thread.
#pragma once

#include "engine/base/value.h"
#include "engine/storage/database.h"
#include "engine/storage/sqlite/statement_cache.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace callisto::storage {

// Borrowed: `values` outlive the statement's run; its bindings are dropped behind it.
enum class Texts { Copied, Borrowed };
Result<void> bind_values(sqlite3_stmt* statement, const std::vector<Value>& values, Texts texts);

class SqliteCursor final : public Cursor {
 public:
  explicit SqliteCursor(StatementCache::Lease statement) : lease_(std::move(statement)), statement_(lease_.get()) {}

  Result<bool> step() override;
  bool is_null(std::size_t column) const override;
  std::int64_t integer(std::size_t column) const override;
  std::optional<std::int64_t> integer_or_null(std::size_t column) const override;
  double real(std::size_t column) const override;
  std::string_view text(std::size_t column) const override;

 private:
  StatementCache::Lease lease_;
  sqlite3_stmt* statement_;
  bool finished_ = false;
  // Numbers of this row that were asked for: what a page shows, an extension of it often needs too.
  static constexpr std::size_t most_known = 32;
  mutable std::uint32_t known_ = 0, nulls_ = 0;  // a bit for each column
  mutable std::array<std::int64_t, most_known> numbers_;
};

}  // namespace callisto::storage
