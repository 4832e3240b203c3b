#include "engine/query/sql/compare.h"

#include "engine/query/power_of_ten.h"
#include "engine/query/sql/tables.h"

namespace callisto::query::emit {
namespace {

using catalog::DataType;

SqlLiteral spelled(CompareOp op) {
  switch (op) {
    case CompareOp::Equal:
      return " = ";
    case CompareOp::NotEqual:
      return " <> ";
    case CompareOp::Less:
      return " < ";
    case CompareOp::LessEqual:
      return " <= ";
    case CompareOp::Greater:
      return " > ";
    case CompareOp::GreaterEqual:
      return " >= ";
  }
  return " = ";
}

Sql& append_power(Sql& sql, int exponent) { return sql.integer(static_cast<std::size_t>(power_of_ten(exponent))); }

// Whole part and the rest as 18 decimal digits: pairs of these order as the numbers do, whatever their scales, and no
// step can overflow. A whole number is a Decimal of scale 0.
Sql exact_pair(const Comparand& number) {
  Sql pair("(");
  append_power(pair << number.sql << " / ", number.scale) << ", ";
  append_power(pair << number.sql << " % ", number.scale) << " * ";
  return append_power(pair, max_scale - number.scale) << ")";
}

// Beside a Float or Double a Decimal is compared as a double.
Sql as_double(const Comparand& number) {
  if (number.type != DataType::Decimal) return number.sql;
  Sql quotient("CAST(");
  return append_power(quotient << number.sql << " AS DOUBLE PRECISION) / ", number.scale) << ".0";
}

// What compares as whole numbers do.
bool is_whole_number(DataType type) { return type == DataType::Lookup || catalog::is_whole(type); }

bool is_floating(DataType type) { return type == DataType::Float || type == DataType::Double; }

struct Sides {
  Sql left, right;
};

Sides sides(const Spelling& spelling, const Comparand& left, const Comparand& right) {
  if (catalog::is_text(left.type))
    return {spelling.text(left.sql), right.constant ? right.sql : spelling.text(right.sql)};
  if (!spelling.has_exact_order()) {
    const Sql zero("0");
    if (is_whole(left.type) && is_floating(right.type)) return {spelling.order_of(left.sql, right.sql), zero};
    if (is_floating(left.type) && is_whole(right.type)) return {zero, spelling.order_of(right.sql, left.sql)};
  }
  if ((left.type == DataType::Decimal) == (right.type == DataType::Decimal) && left.scale == right.scale)
    return {left.sql, right.sql};
  if (is_floating(left.type) || is_floating(right.type)) return {as_double(left), as_double(right)};
  return {exact_pair(left), exact_pair(right)};
}

}  // namespace

Comparand comparand(const Spelling& spelling, const catalog::Property& property, const Sql& column) {
  if (property.type == DataType::Boolean) return {spelling.flag_value(property, column), property.type, 0};
  return {column, property.type, property.type == DataType::Decimal ? property.scale : 0};
}

Comparand comparand(Tables& tables, ConstantRef constant, const Plan* rule) {
  const Constant& value = (rule ? *rule : tables.plan).constants[constant.index];
  const TextForm form = catalog::is_text(value.type) ? TextForm::Folded : TextForm::AsIs;
  const Sql parameter = tables.parameter(ConstantBinding{constant.index, form, rule});
  return {parameter, value.type, value.type == DataType::Decimal ? value.scale : 0, true};
}

Condition compared(const Spelling& spelling, CompareOp op, const Comparand& left, const Comparand& right) {
  const auto [a, b] = sides(spelling, left, right);
  if (op == CompareOp::Equal && catalog::is_text(left.type)) return {spelling.equal_texts(a, b)};
  return {Sql(a) << spelled(op) << b};
}

// IN is an equality of one spelling of the left side; constants that need another stand beside it.
Condition one_of(const Spelling& spelling, const Comparand& left, const std::vector<Comparand>& constants) {
  std::vector<Condition> any;
  Sql plain, values;
  std::size_t count = 0;
  for (const Comparand& constant : constants) {
    const auto [a, b] = sides(spelling, left, constant);
    const bool same_type = left.type == constant.type || (is_whole_number(left.type) && is_whole_number(constant.type));
    const bool is_plain = catalog::is_text(left.type) || (same_type && a.text() == left.sql.text());
    if (!is_plain) {
      any.push_back(compared(spelling, CompareOp::Equal, left, constant));
      continue;
    }
    plain = a;
    values << (count++ == 0 ? SqlLiteral("") : SqlLiteral(", ")) << b;
  }
  if (count > 0) any.push_back({Sql(plain) << " IN (" << values << ")"});
  return any_of(std::move(any));
}

Condition same(const Spelling& spelling, const Comparand& left, const Comparand& right) {
  const auto [a, b] = sides(spelling, left, right);
  if (catalog::is_text(left.type)) return {spelling.same_texts(a, b)};
  if (!spelling.has_exact_order() && is_whole(left.type) != is_whole(right.type) &&
      is_floating(left.type) != is_floating(right.type))
    return {Sql("COALESCE(") << a << " = " << b << ", " << left.sql << " IS NULL AND " << right.sql << " IS NULL)"};
  return {Sql(a) << spelling.same() << b};
}

}  // namespace callisto::query::emit
