// Tables and views, described without regard to a database, and how each database spells them. Everything about DDL
// that differs between databases stands in a Dialect; migrate.cc and its callers know none of it. Pure; any thread.
#pragma once

#include "engine/base/sql.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto::storage {

enum class ColumnType { Whole, Real, Text, Bytes };  // Whole: 64 bits

struct ColumnSpec {
  SqlIdentifier name;
  ColumnType type = ColumnType::Text;
  // Of a column that is added to a table: the text in the rows that it has, and in those that a node without that
  // column goes on making. Empty: null.
  std::string text_of_older_rows = {};
  std::vector<SqlIdentifier> formerly = {};  // names that it had: the first of them that the table has is renamed
};

struct IndexSpec {
  struct Part {
    SqlIdentifier column;
    bool folded = false;  // ordered and found by the collation `folded`
    bool descending = false;
    bool is_number = false;  // base/short_number.h of the text in the column; SQLite alone has it
  };
  SqlIdentifier name;
  std::vector<Part> parts;
  bool unique = false;
  // Finds texts by any part of three characters or more; of a table with one whole key. See upkeep.h.
  bool substrings = false;
  // Of an index of substrings: which rows it holds, and which of them stand together.
  struct Rows {
    SqlIdentifier deleted = {};    // rows in which it is not 0 are left out; empty: none are
    SqlIdentifier partition = {};  // rows of one partition stand together; empty: no rows do
    SqlIdentifier type = {};       // rows of other types than `types` belong to no partition; empty: all rows do
    std::vector<std::string> types = {};
  };
  Rows rows = {};
  // Only the rows in which none of these columns is null: what is mostly null costs a write nothing. Where the index of
  // all rows exists it serves as well.
  std::vector<SqlIdentifier> set = {};
  SqlIdentifier of_all_rows = {};
  // Only the rows in which `type` is one of these; empty: all. It serves statements that say so in the same way
  // (query/sql/spelling.h, of_types).
  std::vector<std::string> types = {};
  SqlIdentifier type = {};
};

struct TableSpec {
  SqlIdentifier name;
  std::vector<ColumnSpec> columns;
  std::vector<SqlIdentifier> primary_key;  // its columns are never null
  std::vector<IndexSpec> indexes;
  // Before the name of a property: of names that begin so all indexes are made by the program, and those that are not
  // among `indexes` go.
  std::vector<std::string> own_indexes = {};
  std::vector<SqlIdentifier> formerly = {};  // names that it had: where it is not there, the first of them is renamed
  // Texts in rows that stand for something which was renamed.
  struct RenamedText {
    SqlIdentifier column;
    std::string before, now;
  };
  std::vector<RenamedText> renamed_texts = {};
};

// A view that the program makes for people who read the database with other tools; the program itself reads none.
struct ViewSpec {
  SqlIdentifier name;  // begins with view_prefix
  Sql select;
  std::string description;  // for PostgreSQL, which shows it to people
};
inline constexpr std::string_view view_prefix = "report_";

class Dialect {
 public:
  virtual ~Dialect() = default;
  virtual Sql create_table(const TableSpec& table) const = 0;  // without its indexes
  virtual Sql add_column(const SqlIdentifier& table, const ColumnSpec& column) const = 0;
  // A script, of one statement or several.
  virtual Sql create_index(const SqlIdentifier& table, const IndexSpec& index) const = 0;
  // An index of substrings of another form, before the one that takes its place is created.
  virtual Sql drop_substrings(const SqlIdentifier& index) const = 0;
  Sql drop_index(const SqlIdentifier& index) const { return Sql("DROP INDEX IF EXISTS ") << index; }
  static Sql rename_table(const SqlIdentifier& before, const SqlIdentifier& now);
  static Sql rename_column(const SqlIdentifier& table, const SqlIdentifier& before, const SqlIdentifier& now);
  // All tables by name (name), behind those that they refer to.
  virtual Sql list_tables() const = 0;
  // Statements with one parameter, the name of a table: (name, declared type, is in the primary key); (name).
  virtual Sql list_columns() const = 0;
  virtual Sql list_indexes() const = 0;
  // A script, and the text by which list_views() tells this view from another one of its name.
  struct CreateView {
    Sql script;
    std::string known_by;
  };
  virtual CreateView create_view(const ViewSpec& view) const = 0;
  static Sql drop_view(const SqlIdentifier& name);
  // Views and tables whose names begin with view_prefix: (name, what it is known by; empty: somebody else made it).
  virtual Sql list_views() const = 0;
  // When these are renamed. Where they do not, the program's own go before tables change, and are made again.
  virtual bool views_follow_tables() const = 0;
  virtual Sql type_of(const SqlIdentifier& column) const = 0;  // an expression: null, integer, real, text or blob
  // For ORDER BY: numbers by value, texts and bytes by their bytes, null first. `declared`: as list_columns() tells.
  virtual Sql in_order(const SqlIdentifier& column, std::string_view declared) const = 0;
  // A statement for a transaction that asks nothing for long, while it waits for another database; empty: none needed.
  virtual Sql let_transaction_wait() const { return {}; }
  // A condition: the text is the parameter's but for case, found by an index whose part is `folded`.
  virtual Sql equals_folded(const Sql& text, std::size_t parameter) const = 0;
  // The type that list_columns() reports for a column made by create_table (as a key or not) or add_column.
  virtual std::string_view declared_type(const TableSpec& table, const ColumnSpec& column) const = 0;
};

bool in_key(const TableSpec& table, const ColumnSpec& column);

// Ends of statements that are the same in both dialects: ", PRIMARY KEY (...)", " DEFAULT '...'", " WHERE ...".
Sql key_clause(const TableSpec& table);
Sql default_clause(const ColumnSpec& column);
// `before_type`: what stands before the column of the types, so that no other index answers to it.
Sql partial_clause(const IndexSpec& index, SqlLiteral before_type);

const Dialect& sqlite_dialect();
const Dialect& postgres_dialect();

}  // namespace callisto::storage
