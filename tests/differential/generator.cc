#include "tests/differential/generator.h"

#include "engine/base/datetime.h"

#include <cstdio>

namespace callisto::test {
namespace {

using catalog::DataType;
using catalog::Property;
using query::CompareOp;
using query::Predicate;
using query::TextOp;

constexpr DataType numbers[] = {DataType::Integer, DataType::Long,    DataType::Float,
                                DataType::Double,  DataType::Decimal, DataType::Short};

bool is_key_like(const Property& property) { return property.target || catalog::is_whole(property.type); }

bool comparable(const Property& a, const Property& b) {
  if (a.type == DataType::Binary || b.type == DataType::Binary) return false;
  if (a.target && b.target) return &a.target->root() == &b.target->root();
  if (a.target || b.target) return is_key_like(a) && is_key_like(b);
  return a.type == b.type || (catalog::is_number(a.type) && catalog::is_number(b.type)) ||
         (catalog::is_text(a.type) && catalog::is_text(b.type));
}

std::string dotted(const query::Operand& operand) {
  const auto& path = std::get<query::Path>(operand);
  std::string text;
  for (const Property* hop : path.hops) text += hop->name + ".";
  return text + path.property->name;
}

std::string quoted(const std::string& text) {
  std::string literal = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + "\"";
}

std::string spelled(const Decimal& number) {
  std::string digits = std::to_string(number.digits);
  const bool negative = digits.front() == '-';
  if (negative) digits.erase(0, 1);
  const auto scale = static_cast<std::size_t>(number.scale);
  if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
  digits.insert(digits.size() - scale, 1, '.');
  return (negative ? "-" : "") + digits;
}

std::string spelled(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

std::string literal(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return spelled(*real);
  if (const auto* decimal = std::get_if<Decimal>(&value)) return spelled(*decimal);
  if (const auto* time = std::get_if<DateTime>(&value)) return "@DateTime(" + to_iso8601(*time) + ")";
  return quoted(std::get<std::string>(value));
}

const char* spelled(CompareOp op) {
  static constexpr const char* names[] = {"==", "!=", "<", "<=", ">", ">="};
  return names[static_cast<std::size_t>(op)];
}

const char* spelled(TextOp op) {
  static constexpr const char* names[] = {"Contains", "StartsWith", "EndsWith"};
  return names[static_cast<std::size_t>(op)];
}

}  // namespace

bool Generator::allowed(const Property& property) const {
  return !speakable_ || (!property.internal && !property.query_alias);
}

// A random walk along lookups that ends in a property that is wanted.
query::Path Generator::path(const std::function<bool(const Property&)>& wanted, std::size_t hops) {
  const std::size_t sources = builder_.plan.joins.size() + 1;
  for (;;) {
    query::Path path;
    path.source = below(random_, sources);
    const auto* at = path.source == 0 ? builder_.plan.entity : builder_.plan.joins[path.source - 1].target;
    for (std::size_t left = chance(random_, 50) ? 0 : below(random_, hops + 1); left > 0;) {
      const Property* hop = at->properties[below(random_, at->properties.size())];
      if (!hop->target || !allowed(*hop)) continue;
      path.hops.push_back(hop);
      at = hop->target;
      --left;
    }
    path.property = at->properties[below(random_, at->properties.size())];
    if (allowed(*path.property) && wanted(*path.property)) return path;
  }
}

query::Path Generator::any_path(std::size_t hops) {
  return path([](const Property& property) { return property.type != DataType::Binary; }, hops);
}

Predicate Generator::predicate(int depth) {
  const std::size_t kind = depth == 0 ? 9 : below(random_, 10);
  if (kind < 2) return opposite(predicate(depth - 1));
  if (kind < 6) {
    std::vector<Predicate> children;
    const std::size_t size = 2 + below(random_, 3);
    while (children.size() < size) children.push_back(predicate(depth - 1));
    return chance(random_, 50) ? all(std::move(children)) : any(std::move(children));
  }
  return atom();
}

// The paths of its child begin at a row of the list; the constants are the plan's.
Predicate Generator::rows_of(const catalog::SubResource& list) {
  Predicate result;
  result.kind = chance(random_, 60) ? Predicate::Kind::HasRow : Predicate::Kind::RowCount;
  result.list = &list;
  result.above = builder_.plan.entity;
  if (chance(random_, 85)) {
    PlanBuilder below(builder_.plan.catalog, list.entity->name);
    below.plan.constants = std::move(builder_.plan.constants);
    Generator inner(random_, below, speakable_);
    inner.lists_ = lists_ - 1;
    result.children.push_back(inner.predicate(1));
    builder_.plan.constants = std::move(below.plan.constants);
  }
  if (result.kind == Predicate::Kind::HasRow) return result;
  result.op = static_cast<CompareOp>(callisto::test::below(random_, 6));
  result.right = builder_.constant(static_cast<std::int64_t>(callisto::test::below(random_, 4)), DataType::Long);
  return result;
}

Predicate Generator::atom() {
  const auto& lists = builder_.plan.entity->sub_resources;
  if (!lists.empty() && lists_ > 0 && builder_.plan.joins.empty() && chance(random_, 35))
    return rows_of(lists[below(random_, lists.size())]);
  switch (below(random_, 10)) {
    case 0:
      return is_null(path([](const Property&) { return true; }, 3));
    case 1:
      return flag(path([](const Property& property) { return property.type == DataType::Boolean; }, 3));
    case 2:
      return with_column(any_path(3));
    case 3:
    case 4: {
      const auto left = path([](const Property& property) { return catalog::is_text(property.type); }, 3);
      return matches(left, static_cast<TextOp>(below(random_, 3)), constant_for(*left.property));
    }
    case 5:
      return one_of(any_path(3));
    default:
      return with_constant(any_path(3));
  }
}

CompareOp Generator::op(const Property& property) {
  const bool ordered = catalog::is_number(property.type) || property.type == DataType::DateTime;
  return static_cast<CompareOp>(below(random_, ordered ? 6 : 2));
}

Predicate Generator::with_constant(const query::Path& left) {
  return compare(left, op(*left.property), constant_for(*left.property));
}

Predicate Generator::one_of(const query::Path& left) {
  Predicate result = test::atom(Predicate::Kind::OneOf, left);
  for (std::size_t size = 2 + below(random_, 4); size > 0; --size)
    result.values.push_back(constant_for(*left.property));
  return result;
}

Predicate Generator::with_column(const query::Path& left) {
  const auto right = path([&](const Property& property) { return comparable(*left.property, property); }, 3);
  // Lookups know no order, not even beside a number.
  return compare(left, left.property->target ? op(*left.property) : op(*right.property), right);
}

query::ConstantRef Generator::constant_for(const Property& property) {
  DataType type = property.type;
  int scale = property.scale;
  if (!speakable_ && catalog::is_number(type) && chance(random_, 20)) {  // as an augmenter's value may be
    type = numbers[below(random_, std::size(numbers))];
    scale = type == property.type ? scale : 3;
  }
  Value value = random_value(random_, type, scale);
  if (property.target) value = static_cast<std::int64_t>(below(random_, 9));
  if (!speakable_ && chance(random_, 4)) value = Null{};
  return builder_.constant(std::move(value), type, type == DataType::Decimal ? scale : 0);
}

std::string spoken(const std::vector<query::ConstantRef>& values, const query::Plan& plan) {
  std::string text;
  for (const query::ConstantRef each : values)
    text += (text.empty() ? "" : ", ") + literal(plan.constants[each.index].value);
  return text;
}

std::string spoken(const Predicate& predicate, const query::Plan& plan) {
  const auto constant = [&] {
    return literal(plan.constants[std::get<query::ConstantRef>(predicate.right).index].value);
  };
  const auto asked = [&] { return predicate.children.empty() ? "" : spoken(predicate.children.front(), plan); };
  switch (predicate.kind) {
    case Predicate::Kind::HasRow:
      return predicate.list->name + ".Any(" + asked() + ")";
    case Predicate::Kind::RowCount:
      return predicate.list->name + ".Count(" + asked() + ") " + spelled(predicate.op) + " " + constant();
    case Predicate::Kind::OneOf:
      return dotted(predicate.left) + " in (" + spoken(predicate.values, plan) + ")";
    case Predicate::Kind::Not:
      return "!(" + spoken(predicate.children.front(), plan) + ")";
    case Predicate::Kind::Always:
      return predicate.constant_value ? "1 == 1" : "1 == 2";
    case Predicate::Kind::IsNull:
      return dotted(predicate.left) + " == null";
    case Predicate::Kind::Flag:
      return dotted(predicate.left);
    case Predicate::Kind::Text:
      return dotted(predicate.left) + "." + spelled(predicate.text_op) + "(" + constant() + ")";
    case Predicate::Kind::Compare:
      return dotted(predicate.left) + " " + spelled(predicate.op) + " " +
             (std::holds_alternative<query::Path>(predicate.right) ? dotted(predicate.right) : constant());
    default:
      break;
  }
  std::string text = "(";
  for (const Predicate& child : predicate.children) {
    if (text.size() > 1) text += predicate.kind == Predicate::Kind::And ? " && " : " || ";
    text += spoken(child, plan);
  }
  return text + ")";
}

}  // namespace callisto::test
