#include "engine/query/sql/spelling.h"

namespace callisto::query::emit {
namespace {

SqlLiteral sqlite_function(TextOp op) {
  switch (op) {
    case TextOp::Contains:
      return "contains_folded(";
    case TextOp::StartsWith:
      return "starts_with_folded(";
    case TextOp::EndsWith:
      return "ends_with_folded(";
  }
  return "contains_folded(";
}

}  // namespace

Sql list(const std::vector<Sql>& entries) {
  Sql text;
  for (const Sql& entry : entries) {
    if (!text.empty()) text << ", ";
    text << entry;
  }
  return text;
}

Sql Spelling::text(const Sql& column) const {
  if (dialect == Dialect::Sqlite) return Sql(column) << " COLLATE folded";
  return Sql("folded(") << column << ") COLLATE \"C\"";
}

TextForm Spelling::form_of_needle(TextOp op) const {
  if (dialect == Dialect::Sqlite) return TextForm::Folded;
  switch (op) {
    case TextOp::Contains:
      return TextForm::LikePattern;
    case TextOp::StartsWith:
      return TextForm::LikeBeginning;
    case TextOp::EndsWith:
      return TextForm::LikeEnd;
  }
  return TextForm::LikePattern;
}

Sql Spelling::match(TextOp op, const Sql& column, const Sql& needle) const {
  if (dialect == Dialect::Sqlite) return Sql(sqlite_function(op)) << column << ", " << needle << ")";
  return Sql("folded(") << column << ") LIKE " << needle;
}

Sql Spelling::equal_texts(const Sql& left, const Sql& right) const { return Sql(left) << " = " << right; }

Sql Spelling::same_texts(const Sql& left, const Sql& right) const { return Sql(left) << same() << right; }

SqlLiteral Spelling::same() const {
  if (dialect == Dialect::Sqlite) return " IS ";
  return " IS NOT DISTINCT FROM ";
}

Sql Spelling::order_of(const Sql& whole, const Sql& real) const {
  return Sql("order_of(") << whole << ", " << real << ")";
}

std::vector<std::string> names(const std::vector<const catalog::Entity*>& entities) {
  std::vector<std::string> result;
  for (const catalog::Entity* entity : entities) result.push_back(entity->name);
  return result;
}

Sql of_types(const Sql& column, const std::vector<std::string>& names) {
  std::vector<Sql> texts;
  for (const std::string& name : names) texts.emplace_back().constant(name);
  return Sql(column) << " IN (" << list(texts) << ")";
}

Sql Spelling::order(const Sql& value, bool descending, bool never_null) const {
  Sql entry = value;
  if (descending) entry << " DESC";
  if (dialect == Dialect::PostgreSql && !never_null)
    entry << (descending ? SqlLiteral(" NULLS LAST") : SqlLiteral(" NULLS FIRST"));
  return entry;
}

Sql Spelling::first_text(const Sql& column) const {
  const SqlLiteral by_bytes =
      dialect == Dialect::Sqlite ? SqlLiteral(" COLLATE BINARY)") : SqlLiteral(" COLLATE \"C\")");
  return Sql("MIN(") << column << by_bytes;
}

Sql Spelling::least_text(const Sql& column, bool most) const {
  if (dialect == Dialect::Sqlite) return Sql(most ? SqlLiteral("MAX(") : SqlLiteral("MIN(")) << text(column) << ")";
  return Sql("(array_agg(") << column << " ORDER BY " << text(column) << (most ? SqlLiteral(" DESC") : SqlLiteral(""))
                            << SqlLiteral(" NULLS LAST))[1]");
}

Sql Spelling::whole(const Sql& sum) const {
  return dialect == Dialect::Sqlite ? sum : Sql("CAST(") << sum << " AS BIGINT)";
}

Sql Spelling::real(const Sql& average) const {
  return dialect == Dialect::Sqlite ? average : Sql("CAST(") << average << " AS DOUBLE PRECISION)";
}

Sql Spelling::elements(const Sql& array) const {
  if (dialect == Dialect::Sqlite) return Sql("SELECT value AS k FROM json_each(") << array << ")";
  return Sql("SELECT CAST(value AS BIGINT) AS k FROM json_array_elements_text(CAST(") << array << " AS JSON))";
}

// API rule 3.5: "stored flags Y, YES, T, TRUE, ON, 1, P, A are all returned as true", whatever the entity stores.
Sql Spelling::flag_is_true(const catalog::Property& property, const Sql& column) const {
  if (!property.stored.is_text()) return Sql(column) << " = 1";
  // ASCII alone: PostgreSQL needs telling.
  const SqlLiteral ascii = dialect == Dialect::PostgreSql ? SqlLiteral(" COLLATE \"C\"") : SqlLiteral("");
  return Sql("upper(") << column << ascii << ") IN ('Y', 'YES', 'T', 'TRUE', 'ON', '1', 'P', 'A')";
}

Sql Spelling::flag_value(const catalog::Property& property, const Sql& column) const {
  if (!property.stored.is_text()) return column;
  return Sql("CAST(") << flag_is_true(property, column) << " AS INTEGER)";
}

}  // namespace callisto::query::emit
