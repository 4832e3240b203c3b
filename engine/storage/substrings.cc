#include "engine/storage/substrings.h"

#include <utility>

namespace callisto::storage {
namespace {

SqlIdentifier trigrams(const SqlIdentifier& table) { return table.beside("trigrams"); }
SqlIdentifier unindexed(const SqlIdentifier& table) { return table.beside("unindexed"); }

Sql columns(const IndexSpec& index) {
  Sql list;
  for (const IndexSpec::Part& part : index.parts) {
    if (!list.empty()) list << ", ";
    list << part.column;
  }
  return list;
}

// Without OR IGNORE: where the statement around it says what to do about a conflict, that counts.
Sql note_row(const SqlIdentifier& table) {
  return Sql(" ON ") << table << " BEGIN INSERT INTO " << unindexed(table)
                     << " SELECT new.rowid WHERE new.rowid NOT IN " << unindexed(table) << "; END; ";
}

}  // namespace

// An index of other columns may have been there: the same two tables serve, all rows wait again.
Sql create_substring_index(const SqlIdentifier& table, const IndexSpec& index) {
  Sql sql("CREATE VIRTUAL TABLE IF NOT EXISTS ");
  // Neither texts, nor places in them, nor lengths are kept; folding is ours.
  sql << trigrams(table)
      << " USING fts5(text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'); "
         "CREATE TABLE IF NOT EXISTS "
      << unindexed(table) << " (key INTEGER PRIMARY KEY); CREATE TRIGGER " << index.name << " AFTER INSERT"
      << note_row(table) << "CREATE TRIGGER " << index.name.beside("changed") << " AFTER UPDATE OF " << columns(index)
      << note_row(table) << "INSERT INTO " << trigrams(table) << " (" << trigrams(table)
      << ") VALUES ('delete-all'); INSERT OR IGNORE INTO " << unindexed(table) << " SELECT rowid FROM " << table;
  return sql;
}

Result<void> renew_substring_index(Connection& connection, const SqlIdentifier& table) {
  CALLISTO_CHECK(connection.execute(
      Sql("INSERT INTO ") << trigrams(table) << " (" << trigrams(table) << ") VALUES ('delete-all')", {}));
  CALLISTO_CHECK(connection.execute(Sql("DELETE FROM ") << unindexed(table), {}));
  CALLISTO_CHECK(connection.execute(Sql("INSERT INTO ") << unindexed(table) << " SELECT rowid FROM " << table, {}));
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
  Sql add("INSERT INTO ");
  add << trigrams(table) << " (rowid, text) SELECT rowid, join_folded(" << columns(index) << ") FROM " << table
      << " WHERE rowid IN (SELECT key FROM " << unindexed(table) << " WHERE key <= ";
  CALLISTO_CHECK(connection.execute(add.parameter(1) << ")", {Value(key)}));
  Sql done("DELETE FROM ");
  done << unindexed(table) << " WHERE key <= ";
  CALLISTO_TRY(const std::int64_t count, connection.execute(done.parameter(1), {Value(key)}));
  return static_cast<std::size_t>(count);
}

}  // namespace callisto::storage
