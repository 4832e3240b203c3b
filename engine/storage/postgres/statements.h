// Values as PostgreSQL's binary parameters, and the prepared statements of one connection, kept by SQL text; beyond
// `capacity` the least recently used go. One thread at a time.
#pragma once

#include "engine/base/result.h"
#include "engine/base/value.h"

#include <libpq-fe.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace callisto::storage {

// ?1 becomes $1, except inside quotes.
struct NumberedSql {
  std::string text;
  std::size_t parameters = 0;  // the highest number
};
NumberedSql numbered(std::string_view sql);

// Points into the values that it was made of, which must outlive it. Whole numbers, flags, times and the digits of
// decimals are BIGINT, reals DOUBLE PRECISION, texts TEXT, bytes BYTEA; a null's type is 0: that of its place.
class PostgresParameters {
 public:
  // 400 for a text with U+0000, which PostgreSQL cannot hold.
  static Result<PostgresParameters> of(const std::vector<Value>& values);

  int count() const { return static_cast<int>(types_.size()); }
  const std::vector<Oid>& types() const { return types_; }
  const char* const* data() const { return data_.data(); }
  const int* sizes() const { return sizes_.data(); }
  const int* formats() const { return formats_.data(); }

 private:
  using Number = std::array<char, 8>;
  void add(Oid type, const char* data, std::size_t size);
  void add_number(Oid type, std::uint64_t bits);

  std::list<Number> numbers_;
  std::vector<Oid> types_;
  std::vector<const char*> data_;
  std::vector<int> sizes_, formats_;
};

class PostgresStatements {
 public:
  explicit PostgresStatements(std::size_t capacity = 256) : capacity_(capacity) {}

  // The name of the statement, prepared now where it is not yet, or not for parameters of these types.
  Result<std::string> prepare(PGconn* connection, std::string_view sql, const PostgresParameters& parameters);
  // A plan for all values was slow with some: from now on the statement, of those that are kept, is planned for each.
  void plan_each(std::string_view sql);
  bool is_planned_each(std::string_view sql) const;
  void forget();  // the connection is a new one
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string sql, name;
    std::vector<Oid> types;
    std::size_t parameters = 0;
    bool is_planned_each = false;
  };
  static Result<void> check_count(const Entry& entry, const PostgresParameters& parameters);
  Result<void> adopt_types(PGconn* connection, Entry& entry, const std::vector<Oid>& types);
  Result<void> prepare(PGconn* connection, Entry& entry);
  void make_room(PGconn* connection);

  std::size_t capacity_;
  std::uint64_t made_ = 0;
  std::list<Entry> entries_;                                                 // most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_sql_;  // views into entries_
};

}  // namespace callisto::storage
