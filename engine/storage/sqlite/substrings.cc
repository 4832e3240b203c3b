#include "engine/storage/sqlite/substrings.h"

#include "engine/base/text_numbers.h"
#include "engine/storage/upkeep.h"

#include <utility>
#include <vector>

namespace callisto::storage {
namespace {

SqlIdentifier trigrams(const SqlIdentifier& table) { return table.beside("trigrams"); }
SqlIdentifier unindexed(const SqlIdentifier& table) { return table.beside("unindexed"); }

std::vector<SqlIdentifier> texts_of(const IndexSpec& index) {
  std::vector<SqlIdentifier> columns;
  for (const IndexSpec::Part& part : index.parts) columns.push_back(part.column);
  return columns;
}

// What an entry depends on beside the texts.
std::vector<SqlIdentifier> places_of(const IndexSpec& index) {
  std::vector<SqlIdentifier> columns;
  for (const SqlIdentifier* column : {&index.rows.partition, &index.rows.type})
    if (!column->text().empty()) columns.push_back(*column);
  return columns;
}

std::vector<SqlIdentifier> all_of(const IndexSpec& index) {
  std::vector<SqlIdentifier> columns = texts_of(index);
  for (const SqlIdentifier& column : places_of(index)) columns.push_back(column);
  return columns;
}

Sql list(const Sql& row, const std::vector<SqlIdentifier>& columns) {
  Sql text;
  for (const SqlIdentifier& column : columns) {
    if (!text.empty()) text << ", ";
    text << row << column;
  }
  return text;
}

// The index holds such a row: deleted ones it does not.
Sql is_known(const Sql& row, const IndexSpec& index) {
  if (index.rows.deleted.text().empty()) return Sql("1");
  return Sql("coalesce(") << row << index.rows.deleted << ", 0) = 0";
}

Sql partition_of(const IndexSpec& index) {
  Sql partition("coalesce(");
  partition << index.rows.partition << ", -1)";
  if (index.rows.type.text().empty()) return partition;
  Sql types;
  for (const std::string& type : index.rows.types) {
    if (!types.empty()) types << ", ";
    types.constant(type);
  }
  return Sql("CASE WHEN ") << index.rows.type << " IN (" << types << ") THEN " << partition << " ELSE -1 END";
}

Sql number_of(const IndexSpec& index, const Sql& key) {
  if (index.rows.partition.text().empty()) return key;
  return text_numbers::number(Sql("(") << partition_of(index) << ")", key);
}

// Only once: the text that the index knows is that of the first change. Without OR IGNORE: where the statement around
// it says what to do about a conflict, that counts.
Sql note(const SqlIdentifier& table, const Sql& key, const Sql& columns, const Sql& values) {
  Sql sql(" BEGIN INSERT INTO ");
  return sql << unindexed(table) << " (key" << columns << ") SELECT " << key << values
             << " WHERE NOT EXISTS (SELECT 1 FROM " << unindexed(table) << " WHERE key = " << key << "); END; ";
}

Sql note_old(const SqlIdentifier& table, const IndexSpec& index) {
  return note(table, Sql("old.rowid"), Sql(", known, ") << list({}, all_of(index)),
              Sql(", ") << is_known(Sql("old."), index) << ", " << list(Sql("old."), all_of(index)));
}

Sql triggers(const SqlIdentifier& table, const IndexSpec& index) {
  std::vector<SqlIdentifier> watched = all_of(index);
  if (!index.rows.deleted.text().empty()) watched.push_back(index.rows.deleted);
  Sql differs;
  for (const SqlIdentifier& column : watched) {
    if (!differs.empty()) differs << " OR ";
    differs << "old." << column << " IS NOT new." << column;
  }
  Sql sql("CREATE TRIGGER ");
  sql << index.name << " AFTER INSERT ON " << table << note(table, Sql("new.rowid"), {}, {}) << "CREATE TRIGGER "
      << index.name.beside("changed") << " AFTER UPDATE OF " << list({}, watched) << " ON " << table << " WHEN "
      << differs << note_old(table, index) << "CREATE TRIGGER " << index.name.beside("removed") << " AFTER DELETE ON "
      << table << note_old(table, index);
  return sql;
}

}  // namespace

Sql create_substring_index(const SqlIdentifier& table, const IndexSpec& index) {
  Sql columns(", known INTEGER NOT NULL DEFAULT 0");
  for (const SqlIdentifier& column : all_of(index)) columns << ", " << column;
  Sql sql("DROP TABLE IF EXISTS ");
  // Neither texts, nor places in them, nor lengths are kept; folding is ours.
  sql << trigrams(table) << "; DROP TABLE IF EXISTS " << unindexed(table) << "; CREATE VIRTUAL TABLE "
      << trigrams(table)
      << " USING fts5(text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'); "
         "CREATE TABLE "
      << unindexed(table) << " (key INTEGER PRIMARY KEY" << columns << "); " << triggers(table, index) << "INSERT INTO "
      << unindexed(table) << " (key) SELECT rowid FROM " << table;
  return sql;
}

Sql drop_substring_triggers(const SqlIdentifier& index) {
  Sql sql("DROP TRIGGER IF EXISTS ");
  return sql << index << "; DROP TRIGGER IF EXISTS " << index.beside("changed") << "; DROP TRIGGER IF EXISTS "
             << index.beside("removed");
}

Result<void> renew_substring_index(Connection& connection, const SqlIdentifier& table) {
  CALLISTO_CHECK(connection.execute(
      Sql("INSERT INTO ") << trigrams(table) << " (" << trigrams(table) << ") VALUES ('delete-all')", {}));
  CALLISTO_CHECK(connection.execute(Sql("DELETE FROM ") << unindexed(table), {}));
  CALLISTO_CHECK(
      connection.execute(Sql("INSERT INTO ") << unindexed(table) << " (key) SELECT rowid FROM " << table, {}));
  return {};
}

Result<bool> has_unindexed(Connection& connection, const SqlIdentifier& table) {
  CALLISTO_TRY(const auto row, connection.query(Sql("SELECT 1 FROM ") << unindexed(table) << " LIMIT 1", {}));
  return row->step();
}

Result<std::size_t> index_substrings(Connection& connection, const SqlIdentifier& table, const IndexSpec& index,
                                     std::size_t most) {
  Sql last("SELECT max(key) FROM (SELECT key FROM ");
  last << unindexed(table) << " ORDER BY key LIMIT ";
  std::int64_t key = 0;
  {
    CALLISTO_TRY(const auto row, connection.query(last.integer(most) << ")", {}));
    CALLISTO_TRY(const bool found, row->step());
    if (!found || row->is_null(0)) return 0;
    key = row->integer(0);
  }
  const Sql texts = Sql("join_folded(") << list({}, texts_of(index)) << ")";
  Sql forget("INSERT INTO ");
  forget << trigrams(table) << " (" << trigrams(table) << ", rowid, text) SELECT 'delete', "
         << number_of(index, Sql("key")) << ", " << texts << " FROM " << unindexed(table) << " WHERE known AND key <= ";
  // In the order of the numbers: FTS5 writes all that it has gathered down where one is lower than the last.
  CALLISTO_CHECK(connection.execute(forget.parameter(1) << " ORDER BY 2", {Value(key)}));
  Sql add("INSERT INTO ");
  add << trigrams(table) << " (rowid, text) SELECT " << number_of(index, Sql("rowid")) << ", " << texts << " FROM "
      << table << " WHERE rowid IN (SELECT key FROM " << unindexed(table) << " WHERE key <= ";
  CALLISTO_CHECK(
      connection.execute(add.parameter(1) << ") AND " << is_known({}, index) << " ORDER BY 1", {Value(key)}));
  Sql done("DELETE FROM ");
  done << unindexed(table) << " WHERE key <= ";
  CALLISTO_TRY(const std::int64_t count, connection.execute(done.parameter(1), {Value(key)}));
  return static_cast<std::size_t>(count);
}

}  // namespace callisto::storage
