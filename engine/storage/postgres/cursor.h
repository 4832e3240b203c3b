// Rows of one statement, as the server sends them: each is in memory alone while nobody asks its connection for
// something else; then the rest is read ahead and kept. Whole numbers, reals and flags come as texts, exactly.
// The connection's thread.
#pragma once

#include "engine/storage/database.h"
#include "engine/storage/postgres/error.h"

#include <deque>
#include <string>
#include <vector>

namespace callisto::storage {

class PostgresConnection;

class PostgresCursor final : public Cursor {
 public:
  PostgresCursor(PostgresConnection& connection, std::string sql) : connection_(connection), sql_(std::move(sql)) {}
  ~PostgresCursor() override;
  PostgresCursor(const PostgresCursor&) = delete;
  PostgresCursor& operator=(const PostgresCursor&) = delete;

  Result<bool> step() override;
  Result<void> read_to_end() override;
  bool is_null(std::size_t column) const override;
  std::int64_t integer(std::size_t column) const override;
  double real(std::size_t column) const override;
  std::string_view text(std::size_t column) const override;

  const std::string& sql() const { return sql_; }
  void read_ahead();  // everything that the server still sends

 private:
  std::string_view raw(std::size_t column) const;

  PostgresConnection& connection_;
  std::string sql_;
  std::deque<ResultPointer> ahead_;
  ResultPointer row_;
  bool finished_ = false;
  mutable std::vector<std::string> bytes_;  // of this row, decoded; by column
};

}  // namespace callisto::storage
