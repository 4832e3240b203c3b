#include "engine/storage/postgres/cursor.h"

#include "engine/storage/postgres/connection.h"

#include <charconv>

namespace callisto::storage {
namespace {

// pg_type.dat: these numbers never change.
constexpr Oid bool_oid = 16, bytea_oid = 17;

int nibble(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// bytea_output = hex: \x and two lower-case digits for each byte.
std::string decoded(std::string_view hex) {
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 2; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(nibble(hex[i]) << 4 | nibble(hex[i + 1]));
  return bytes;
}

}  // namespace

PostgresCursor::~PostgresCursor() { connection_.close(*this); }

void PostgresCursor::read_ahead() {
  while (ResultPointer result = connection_.receive(*this)) ahead_.push_back(std::move(result));
}

Result<void> PostgresCursor::read_to_end() {
  read_ahead();
  if (ahead_.empty()) return {};
  const auto status = PQresultStatus(ahead_.back().get());
  if (status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return {};
  return connection_.failure(ahead_.back().get(), sql_);
}

Result<bool> PostgresCursor::step() {
  bytes_.clear();
  if (finished_) return false;
  if (ahead_.empty()) {
    row_ = connection_.receive(*this);
  } else {
    row_ = std::move(ahead_.front());
    ahead_.pop_front();
  }
  const auto status = PQresultStatus(row_.get());
  if (status == PGRES_SINGLE_TUPLE) return true;
  finished_ = true;
  const bool failed = status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK;
  const ResultPointer last = std::move(row_);
  if (failed) return connection_.failure(last.get(), sql_);
  read_ahead();  // nothing but the end of the answer
  return false;
}

std::string_view PostgresCursor::raw(std::size_t column) const {
  if (!row_) return {};
  const int number = static_cast<int>(column);
  return {PQgetvalue(row_.get(), 0, number), static_cast<std::size_t>(PQgetlength(row_.get(), 0, number))};
}

bool PostgresCursor::is_null(std::size_t column) const {
  return !row_ || PQgetisnull(row_.get(), 0, static_cast<int>(column)) != 0;
}

std::int64_t PostgresCursor::integer(std::size_t column) const {
  const std::string_view digits = text(column);
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

double PostgresCursor::real(std::size_t column) const {
  const std::string_view digits = raw(column);
  double number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

std::string_view PostgresCursor::text(std::size_t column) const {
  const std::string_view words = raw(column);
  if (!row_ || is_null(column)) return words;
  const Oid type = PQftype(row_.get(), static_cast<int>(column));
  if (type == bool_oid) return words == "t" ? "1" : "0";
  if (type != bytea_oid) return words;
  if (bytes_.size() <= column) bytes_.resize(static_cast<std::size_t>(PQnfields(row_.get())));
  if (bytes_[column].empty()) bytes_[column] = decoded(words);
  return bytes_[column];
}

}  // namespace callisto::storage
