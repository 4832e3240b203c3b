#include "engine/importing/write/row_batch.h"

#include "engine/base/text.h"
#include "engine/importing/dump/row.h"

#include <algorithm>
#include <iterator>

namespace callisto::importing {

namespace {

// Enough that a distant database's way there and back counts little; PostgreSQL takes 65,535 parameters at most.
constexpr std::size_t most_rows = 200, most_parameters = 4000;

std::size_t rows_of_a_batch(const DumpTable& table) {
  return std::clamp<std::size_t>(most_parameters / std::max<std::size_t>(table.columns.size(), 1), 1, most_rows);
}

// What a column of this declared type holds where the database minds; nothing where it does not.
bool fits(const Value& value, std::string_view declared) {
  if (is_null(value)) return true;
  if (declared == "BIGINT" || declared == "INTEGER") return std::holds_alternative<std::int64_t>(value);
  if (declared.starts_with("DOUBLE")) return std::holds_alternative<double>(value);
  if (declared == "TEXT") return std::holds_alternative<std::string>(value);
  return std::holds_alternative<Binary>(value);
}

const char* kind(const Value& value) {
  if (std::holds_alternative<std::int64_t>(value)) return "a whole number";
  if (std::holds_alternative<double>(value)) return "a number with a fraction";
  return std::holds_alternative<std::string>(value) ? "a text" : "bytes";
}

std::string shown(const Value& key) {
  if (const auto* text = std::get_if<std::string>(&key)) return text::quoted(*text);
  std::string number;
  if (!is_null(key)) append_stored(number, key);
  return number.empty() ? "null" : number;
}

// The statement behind what a database says helps nobody.
std::string reason(const Error& error) {
  if (error.log_detail.empty()) return error.message;
  return error.log_detail.substr(0, error.log_detail.find(" in: "));
}

}  // namespace

RowBatch::RowBatch(storage::Connection& target, const DumpTable& table, std::vector<std::string>& refused)
    : target_(target),
      table_(table),
      refused_(refused),
      most_rows_(rows_of_a_batch(table)),
      whole_(insertion(most_rows_)),
      single_(insertion(1)) {}

Result<void> RowBatch::add(const storage::Cursor& row) {
  for (std::size_t i = 0; i < table_.columns.size(); ++i) values_.push_back(stored_value(row, i));
  if (values_.size() < most_rows_ * table_.columns.size()) return {};
  return flush();
}

Result<void> RowBatch::finish() {
  if (values_.empty()) return {};
  return flush();
}

Result<void> RowBatch::flush() {
  const std::size_t rows = values_.size() / table_.columns.size();
  auto done = insert(rows == most_rows_ ? whole_ : insertion(rows), values_);
  if (!done && done.error().is_unavailable()) return done;  // the database is gone, or another transaction came between
  if (!done) CALLISTO_CHECK(insert_one_by_one());
  values_.clear();
  return {};
}

Result<void> RowBatch::insert_one_by_one() {
  const auto width = static_cast<std::ptrdiff_t>(table_.columns.size());
  for (auto at = values_.begin(); at != values_.end(); at += width) {
    const std::vector<Value> row(at, at + width);
    auto done = insert(single_, row);
    if (done) continue;
    if (done.error().is_unavailable()) return done;
    refused_.push_back(refusal(row, done.error()));
    if (refused_.size() >= most_refused) return {};
  }
  return {};
}

Result<void> RowBatch::insert(const Sql& sql, const std::vector<Value>& values) {
  CALLISTO_TRY(storage::Savepoint part, storage::Savepoint::begin(target_));
  auto done = target_.execute(sql, values);
  if (done) return part.release();
  CALLISTO_CHECK(part.roll_back());
  return std::move(done).error();
}

Sql RowBatch::insertion(std::size_t rows) const {
  Sql sql("INSERT INTO ");
  sql << table_.name << " (";
  for (std::size_t i = 0; i < table_.columns.size(); ++i)
    sql << (i > 0 ? SqlLiteral(", ") : SqlLiteral("")) << table_.columns[i].name;
  sql << ") VALUES ";
  std::size_t number = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    sql << (row > 0 ? SqlLiteral(", (") : SqlLiteral("("));
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      if (i > 0) sql << ", ";
      sql.parameter(++number);
    }
    sql << ")";
  }
  return sql;
}

// Which value it was, where that can be seen; else in the database's words.
std::string RowBatch::refusal(const std::vector<Value>& row, const Error& error) const {
  std::string key;
  for (const DumpColumn& part : table_.order)
    for (std::size_t i = 0; i < row.size(); ++i)
      if (table_.columns[i].name == part.name)
        key += (key.empty() ? "" : ", ") + part.name.text() + " = " + shown(row[i]);
  const std::string where = "table " + table_.name.text() + ", row " + key + ", column ";
  for (std::size_t i = 0; i < row.size(); ++i) {
    const DumpColumn& column = table_.columns[i];
    const auto* text = std::get_if<std::string>(&row[i]);
    if (text && text->find('\0') != text->npos)
      return where + column.name.text() + ": the text contains U+0000, which the target cannot hold";
    if (text && !text::is_utf8(*text)) return where + column.name.text() + ": the text is not UTF-8";
    if (!fits(row[i], column.declared))
      return where + column.name.text() + ": it holds " + kind(row[i]) + ", the target wants " + column.declared;
  }
  return "table " + table_.name.text() + ", row " + key + ": " + reason(error);
}

}  // namespace callisto::importing
