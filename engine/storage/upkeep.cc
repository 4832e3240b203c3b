#include "engine/storage/upkeep.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace callisto::storage {
namespace {

constexpr std::int64_t sampled = 1000;       // entries of an index, beside the first of each further value
constexpr std::int64_t most_values = 200;    // that are counted where a value has more entries than that
constexpr std::int64_t least_change = 1000;  // rows

// "1000000 1001 501": entries, then how many have the same first column, the same first two ...
std::vector<std::int64_t> numbers_of(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(at, text.data() + text.size(), number);
    if (failure != std::errc()) break;
    numbers.push_back(number);
    at = end + 1;
  }
  return numbers;
}

std::string text_of(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

Result<std::optional<std::int64_t>> number(Connection& connection, const Sql& sql,
                                           const std::vector<Value>& values = {}) {
  CALLISTO_TRY(const auto row, connection.query(sql, values));
  CALLISTO_TRY(const bool found, row->step());
  return found ? row->integer_or_null(0) : std::nullopt;
}

Result<std::string> known_of(Connection& connection, const std::string& index) {
  CALLISTO_TRY(const auto row, connection.query(Sql("SELECT stat FROM sqlite_stat1 WHERE idx = ?1"), {Value(index)}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? std::string(row->text(0)) : std::string();
}

// A walk from value to value of the first column, not over its entries.
Result<std::int64_t> values_of(Connection& connection, const SqlIdentifier& table, const SqlIdentifier& column) {
  Sql sql("WITH RECURSIVE found(v) AS (SELECT min(");
  sql << column << ") FROM " << table << " WHERE " << column << " IS NOT NULL UNION ALL SELECT (SELECT min(" << column
      << ") FROM " << table << " WHERE " << column << " > found.v) FROM found WHERE found.v IS NOT NULL LIMIT ";
  sql.integer(static_cast<std::size_t>(most_values)) << ") SELECT count(v) FROM found";
  CALLISTO_TRY(const auto count, number(connection, sql));
  return count.value_or(0);
}

// How many indexes of a table were made since it was sampled.
const Sql& without_sample() {
  static const Sql sql(
      "SELECT count(*) FROM pragma_index_list(?1) WHERE name NOT IN (SELECT idx FROM sqlite_stat1 WHERE idx IS NOT "
      "NULL)");
  return sql;
}

Result<std::vector<std::string>> indexes_of(Connection& connection, const TableSpec& table) {
  CALLISTO_TRY(const auto rows, connection.query(Sql("SELECT name FROM pragma_index_list(?1)"), {table.name.text()}));
  std::vector<std::string> names;
  for (;;) {
    CALLISTO_TRY(const bool found, rows->step());
    if (!found) return names;
    names.emplace_back(rows->text(0));
  }
}

const IndexSpec* spec_of(const TableSpec& table, const std::string& name) {
  const auto spec = std::find_if(table.indexes.begin(), table.indexes.end(),
                                 [&](const IndexSpec& index) { return index.name.text() == name; });
  return spec == table.indexes.end() ? nullptr : &*spec;
}

// That of a key of several parts is SQLite's own.
bool has_all_rows(const TableSpec& table, const std::string& name) {
  const IndexSpec* spec = spec_of(table, name);
  return spec ? spec->set.empty() && spec->types.empty() : name.starts_with("sqlite_autoindex_");
}

}  // namespace

Statistics::Statistics(Database& database, std::vector<TableSpec> tables)
    : database_(database), tables_(std::move(tables)) {}

Result<bool> Statistics::run() {
  if (!reader_) { CALLISTO_TRY(reader_, database_.connect_reader()); }
  if (&reader_->dialect() != &sqlite_dialect()) return false;
  bool any = false;
  for (const TableSpec& table : tables_) {
    CALLISTO_TRY(const bool due, is_due(table));
    if (!due) continue;
    CALLISTO_CHECK(sample(table));
    any = true;
  }
  if (any) CALLISTO_CHECK(tell_readers());
  return any;
}

// Keys grow with the rows; what an earlier process has sampled need not be looked at again.
Result<bool> Statistics::is_due(const TableSpec& table) {
  CALLISTO_TRY(const auto last, number(*reader_, Sql("SELECT max(rowid) FROM ") << table.name));
  const std::int64_t rows = last.value_or(0);
  const auto [known, is_new] = known_.try_emplace(table.name.text(), 0);
  if (is_new) {
    static const Sql sampled_before("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'sqlite_stat1'");
    CALLISTO_TRY(const auto has_any, number(*reader_, sampled_before));
    if (has_any) {
      CALLISTO_TRY(const auto entries,
                   number(*reader_, Sql("SELECT max(CAST(stat AS INTEGER)) FROM sqlite_stat1 WHERE tbl = ?1"),
                          {table.name.text()}));
      CALLISTO_TRY(const auto unknown, number(*reader_, without_sample(), {table.name.text()}));
      if (unknown == 0) known->second = entries.value_or(0);
      // An estimate: only another order of size makes it worthless.
      if (entries && unknown == 0 && rows < 2 * *entries + least_change && *entries < 2 * rows + least_change)
        known->second = rows;
    }
  }
  const std::int64_t change = rows > known->second ? rows - known->second : known->second - rows;
  if (change < std::max(least_change, known->second / 10)) return false;
  known->second = rows;
  return true;
}

Result<void> Statistics::sample(const TableSpec& table) {
  CALLISTO_TRY(const auto names, indexes_of(*reader_, table));
  for (const std::string& name : names) CALLISTO_CHECK(sample_index(table, name));
  return agree(table, names);
}

// How many entries an index has is an estimate, some tenths wrong: of two indexes of all rows SQLite would read the one
// that seems to be shorter, and its rows, where it has all that is asked in another.
Result<void> Statistics::agree(const TableSpec& table, const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> all;
  for (const std::string& name : names) {
    if (!has_all_rows(table, name)) continue;
    CALLISTO_TRY(const std::string known, known_of(*reader_, name));
    if (auto numbers = numbers_of(known); !numbers.empty()) all.emplace_back(name, std::move(numbers));
  }
  if (all.empty()) return {};
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end(),
                   [](const auto& left, const auto& right) { return left.second.front() < right.second.front(); });
  const std::int64_t rows = middle->second.front();
  for (auto& [name, numbers] : all) {
    numbers.front() = rows;
    CALLISTO_CHECK(set(name, numbers));
  }
  return {};
}

Result<void> Statistics::set(const std::string& index, const std::vector<std::int64_t>& numbers) {
  return database_.write([&](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.execute(Sql("UPDATE sqlite_stat1 SET stat = ?1 WHERE idx = ?2"),
                                      {Value(text_of(numbers)), Value(index)}));
    return {};
  });
}

Result<void> Statistics::sample_index(const TableSpec& table, const std::string& name) {
  const IndexSpec* spec = spec_of(table, name);
  const SqlIdentifier identifier = SqlIdentifier::of(name);
  if (identifier.text().empty()) return {};
  Sql script("PRAGMA analysis_limit = ");
  script.integer(static_cast<std::size_t>(sampled)) << "; ANALYZE " << identifier;
  CALLISTO_CHECK(
      database_.write([&](Connection& connection) -> Result<void> { return connection.run_script(script.text()); }));
  CALLISTO_TRY(const std::string known, known_of(*reader_, name));
  std::vector<std::int64_t> numbers = numbers_of(known);
  if (!spec || spec->parts.front().folded || numbers.size() < 2 || numbers[1] <= sampled) return {};
  if (!spec->types.empty()) return {};  // no index need have the values of all rows
  // The sample ended before the entries of one value did: so many have the same first column at least.
  CALLISTO_TRY(const std::int64_t values, values_of(*reader_, table.name, spec->parts.front().column));
  if (values == 0 || values >= most_values) return {};
  const std::int64_t rows = std::max<std::int64_t>(1, numbers[0] / values), before = numbers[1];
  for (std::size_t i = 1; i < numbers.size() && numbers[i] > 1; ++i)
    numbers[i] = std::max<std::int64_t>(1, rows * numbers[i] / before);
  return set(name, numbers);
}

// A connection reads the statistics with the schema, when that has changed; so does each statement that it keeps.
Result<void> Statistics::tell_readers() {
  return database_.write([](Connection& connection) -> Result<void> {
    return connection.run_script(
        "CREATE TABLE \"statistics~\" (x); DROP TABLE \"statistics~\"; SELECT count(*) FROM sqlite_schema;");
  });
}

namespace {

std::uint64_t size_of_file(const std::string& path) {
  std::error_code none;
  const auto bytes = std::filesystem::file_size(path, none);
  return none ? 0 : static_cast<std::uint64_t>(bytes);
}

Result<DatabaseSize> size_on_postgres(Connection& connection) {
  static const Sql sql("SELECT pg_database_size(current_database())");
  CALLISTO_TRY(const auto bytes, number(connection, sql));
  return DatabaseSize{static_cast<std::uint64_t>(bytes.value_or(0)), {}};
}

Result<DatabaseSize> size_of_files(Connection& connection) {
  static const Sql sql("SELECT file FROM pragma_database_list WHERE name = 'main'");
  CALLISTO_TRY(auto row, connection.query(sql, {}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return DatabaseSize();
  const std::string file(row->text(0));
  return DatabaseSize{size_of_file(file), size_of_file(file + "-wal")};
}

}  // namespace

Result<DatabaseSize> size_of(Connection& connection) {
  return &connection.dialect() == &postgres_dialect() ? size_on_postgres(connection) : size_of_files(connection);
}

}  // namespace callisto::storage
