// Where the two dialects differ: text that ignores case, flags stored as text, null-safe equality, the place of null in
// an order. Everything else in emit_sql*.cc is SQL that both read alike. Pure; any thread.
#pragma once

#include "engine/query/emit_sql.h"

namespace callisto::query::emit {

Sql list(const std::vector<Sql>& entries);  // with commas between

std::vector<std::string> names(const std::vector<const catalog::Entity*>& entities);

// A row is of one of these types. In constants: SQLite prepares a statement anew for each value of a parameter that
// stands where the condition of an index has a constant.
Sql of_types(const Sql& column, const std::vector<std::string>& names);

struct Spelling {
  Dialect dialect;
  // A text that compares and sorts by its folded code points (API rules 2.4, 2.5). SQLite: the storage's collation,
  // so that an index declared with it serves; PostgreSQL: the storage's function, for an index on that expression.
  Sql text(const Sql& column) const;
  // `column` contains (starts, ends with) `needle`, a parameter bound in this form; null where the column is null.
  // PostgreSQL's index of trigrams serves LIKE alone.
  TextForm form_of_needle(TextOp op) const;
  Sql match(TextOp op, const Sql& column, const Sql& needle) const;
  // Of two sides made by text() or bound folded.
  Sql equal_texts(const Sql& left, const Sql& right) const;
  Sql same_texts(const Sql& left, const Sql& right) const;
  // Equal, or both null; never null itself.
  SqlLiteral same() const;
  // Whole numbers beside reals: SQLite compares them exactly, PostgreSQL as reals, where 2^53 + 1 equals 2^53. There
  // both stand in one call of the storage's function, whose result compares with 0 as they with one another.
  bool has_exact_order() const { return dialect == Dialect::Sqlite; }
  Sql order_of(const Sql& whole, const Sql& real) const;
  // One entry of ORDER BY: null is the lowest value. `never_null`: so that any index of it serves.
  Sql order(const Sql& value, bool descending, bool never_null) const;
  // Of the rows of a group: the first text by its bytes; the least or the greatest by its folded code points.
  Sql first_text(const Sql& column) const;
  Sql least_text(const Sql& column, bool most) const;
  // A sum as a whole number of 64 bits, which fails where it is none; an average as a double.
  Sql whole(const Sql& sum) const;
  Sql real(const Sql& average) const;
  // SELECT of the whole numbers of a JSON array, as k.
  Sql elements(const Sql& array) const;
  // A flag: 1, 0 or null.
  Sql flag_value(const catalog::Property& property, const Sql& column) const;
  // A condition: the flag is true; null where the column is null.
  Sql flag_is_true(const catalog::Property& property, const Sql& column) const;
};

}  // namespace callisto::query::emit
