#include "engine/query/sql/groups.h"

#include "engine/query/index_cover.h"
#include "engine/query/index_seek.h"
#include "engine/query/index_terms.h"
#include "engine/query/power_of_ten.h"

#include <utility>

namespace callisto::query::emit {

namespace {

using Kind = Aggregate::Kind;

class Groups {
 public:
  Groups(Tables& tables, From& from)
      : spelling_(tables.spelling), plan_(tables.plan), from_(from), is_sorted_(sorts_groups(tables)) {}

  // What tells one group from another: texts that differ by case alone are one, and so are all spellings of true.
  Sql value(std::size_t column) {
    const Path& path = plan_.columns[column];
    // Where the rows are found by what the filter asks for, no index is to give them by groups.
    const Sql stored = is_sorted_ ? Sql("+") << from_.column(path) : from_.column(path);
    if (is_type(path)) return stored;
    if (catalog::is_text(path.property->type)) return spelling_.text(stored);
    if (path.property->type == catalog::DataType::Boolean) return spelling_.flag_value(*path.property, stored);
    return stored;
  }
  // What the group shows of it: the same, or the first of the texts that it is stored as.
  Sql shown(std::size_t column) {
    const Path& path = plan_.columns[column];
    const Sql stored = from_.column(path);
    const bool has_texts = catalog::is_text(path.property->type) || path.property->stored.is_text();
    return has_texts ? spelling_.first_text(stored) : stored;
  }
  Sql aggregate(const Aggregate& each) {
    const Sql stored = from_.column(each.path);
    const catalog::Property& property = *each.path.property;
    switch (each.kind) {
      case Kind::Count:
        return Sql("COUNT(") << stored << ")";
      case Kind::Sum:
        return each.shown->type == catalog::DataType::Double || each.shown->type == catalog::DataType::Float
                   ? Sql("SUM(") << stored << ")"
                   : spelling_.whole(Sql("SUM(") << stored << ")");
      case Kind::Avg:
        return average(stored, property);
      default:
        return least(stored, property, each.kind == Kind::Max);
    }
  }
  Sql key(const Grouping::Key& key) {
    const std::size_t groups = plan_.columns.size();
    if (key.column < groups) return spelling_.order(value(key.column), key.descending, false);
    if (key.column == groups) return spelling_.order(Sql("COUNT(*)"), key.descending, true);
    const Aggregate& of = plan_.grouping->aggregates[key.column - groups - 1];
    const Sql result = aggregate(of);
    return spelling_.order(catalog::is_text(of.shown->type) ? spelling_.text(result) : result, key.descending, false);
  }

 private:
  // No index is to give the rows by groups where others lead to what the filter asks for, or where it would read every
  // row for that.
  static bool sorts_groups(const Tables& tables) {
    const Plan& plan = tables.plan;
    if (tables.way == Way::Sorted) return true;
    return tables.spelling.dialect == Dialect::Sqlite && plan.filter && !has_seek(plan) && !has_groups_in_order(plan);
  }
  // The program's own text, which stands in indexes as it is.
  bool is_type(const Path& path) const {
    const catalog::Property* type = plan_.entity->type_column;
    return spelling_.dialect == Dialect::Sqlite && type && is_own(path) && same_column(type, path.property);
  }
  Sql average(const Sql& stored, const catalog::Property& property) {
    Sql mean = spelling_.real(Sql("AVG(") << stored << ")");
    if (property.type != catalog::DataType::Decimal) return mean;
    return (mean << " / ").integer(static_cast<std::size_t>(power_of_ten(property.scale))) << ".0";
  }
  Sql least(const Sql& stored, const catalog::Property& property, bool most) {
    if (catalog::is_text(property.type)) return spelling_.least_text(stored, most);
    return Sql(most ? SqlLiteral("MAX(") : SqlLiteral("MIN(")) << stored << ")";
  }

  const Spelling& spelling_;
  const Plan& plan_;
  From& from_;
  const bool is_sorted_;
};

}  // namespace

Sql group_columns(Tables& tables, From& from) {
  Groups groups(tables, from);
  std::vector<Sql> columns;
  for (std::size_t i = 0; i < tables.plan.columns.size(); ++i) columns.push_back(groups.shown(i));
  columns.push_back(Sql("COUNT(*)"));
  for (const Aggregate& each : tables.plan.grouping->aggregates) columns.push_back(groups.aggregate(each));
  return list(columns);
}

Sql group_by(Tables& tables, From& from) {
  Groups groups(tables, from);
  std::vector<Sql> values;
  for (std::size_t i = 0; i < tables.plan.columns.size(); ++i) values.push_back(groups.value(i));
  return values.empty() ? Sql() : Sql(" GROUP BY ") << list(values);
}

Sql order_of_groups(Tables& tables, From& from) {
  Groups groups(tables, from);
  std::vector<Sql> keys;
  if (tables.plan.columns.empty()) return Sql();
  for (const Grouping::Key& key : tables.plan.grouping->order) keys.push_back(groups.key(key));
  return Sql(" ORDER BY ") << list(keys);
}

}  // namespace callisto::query::emit
