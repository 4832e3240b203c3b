#include "engine/query/evaluate.h"

#include "engine/base/text.h"
#include "engine/query/bind_types.h"
#include "engine/query/power_of_ten.h"

#include <algorithm>
#include <compare>
#include <utility>

namespace callisto::query {
namespace {

using Order = std::partial_ordering;

// Exact, as SQLite compares: 9007199254740993 is greater than 9007199254740992.0.
Order compare_mixed(std::int64_t whole, double real) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  if (real >= limit) return Order::less;
  if (real < -limit) return Order::greater;
  if (real != real) return Order::unordered;
  const auto truncated = static_cast<std::int64_t>(real);
  if (whole != truncated) return whole <=> truncated;
  return 0.0 <=> real - static_cast<double>(truncated);
}

// Whole part and the rest as 18 decimal digits; pairs order as the numbers do, whatever their scales.
std::pair<std::int64_t, std::int64_t> exact_pair(const Decimal& number) {
  const std::int64_t unit = power_of_ten(number.scale);
  return {number.digits / unit, number.digits % unit * power_of_ten(max_scale - number.scale)};
}

double as_double(const Decimal& number) {
  return static_cast<double>(number.digits) / static_cast<double>(power_of_ten(number.scale));
}

// Values of one family, neither null.
struct Compare {
  Order operator()(std::int64_t a, std::int64_t b) const { return a <=> b; }
  Order operator()(double a, double b) const { return a <=> b; }
  Order operator()(std::int64_t a, double b) const { return compare_mixed(a, b); }
  Order operator()(double a, std::int64_t b) const { return 0 <=> compare_mixed(b, a); }
  Order operator()(const Decimal& a, const Decimal& b) const { return exact_pair(a) <=> exact_pair(b); }
  Order operator()(const Decimal& a, std::int64_t b) const { return (*this)(a, Decimal{b, 0}); }
  Order operator()(std::int64_t a, const Decimal& b) const { return (*this)(Decimal{a, 0}, b); }
  // Beside a Float or Double a Decimal is compared as a double.
  Order operator()(const Decimal& a, double b) const { return as_double(a) <=> b; }
  Order operator()(double a, const Decimal& b) const { return a <=> as_double(b); }
  Order operator()(bool a, bool b) const { return a <=> b; }
  Order operator()(DateTime a, DateTime b) const { return a <=> b; }
  Order operator()(const std::string& a, const std::string& b) const { return text::compare_folded(a, b) <=> 0; }
  template <typename A, typename B>
  Order operator()(const A&, const B&) const {
    return Order::unordered;
  }
};

class Evaluator {
 public:
  Evaluator(const ConstantReader& constants, const RecordReader& record) : constants_(constants), record_(record) {}

  bool holds(const Predicate& predicate) const {
    const auto child_holds = [this](const Predicate& child) { return holds(child); };
    const auto& children = predicate.children;
    switch (predicate.kind) {
      case Predicate::Kind::And:
        return std::all_of(children.begin(), children.end(), child_holds);
      case Predicate::Kind::Or:
        return std::any_of(children.begin(), children.end(), child_holds);
      case Predicate::Kind::Not:
        return !holds(children.front());
      case Predicate::Kind::Always:
        return predicate.constant_value;
      case Predicate::Kind::Compare:
        return compare(predicate);
      case Predicate::Kind::OneOf:
        return is_one_of(predicate);
      case Predicate::Kind::IsNull:
        return is_null(read(predicate.left));
      case Predicate::Kind::Flag:
        return read(predicate.left) == Value(true);
      case Predicate::Kind::HasRow:
        return count(predicate) > 0;
      case Predicate::Kind::RowCount:
        return query::holds(predicate.op, std::visit(Compare(), Value(count(predicate)), read(predicate.right)));
      case Predicate::Kind::Text:
        return matches(predicate);
    }
    return false;
  }

 private:
  Value read(const Operand& operand) const {
    if (const auto* path = std::get_if<Path>(&operand)) return record_.read(*path);
    return constants_(std::get<ConstantRef>(operand).index);
  }

  // Two null properties are equal; a null property equals no constant, not even a null one (API rule 2.6).
  bool compare(const Predicate& predicate) const {
    const Value left = read(predicate.left);
    const bool beside_path = std::holds_alternative<Path>(predicate.right);
    if (is_null(left) && !beside_path) return predicate.op == CompareOp::NotEqual;
    const Value right = read(predicate.right);
    if (is_null(left) && is_null(right)) return predicate.op == CompareOp::Equal;
    if (is_null(left) || is_null(right)) return predicate.op == CompareOp::NotEqual;
    return query::holds(predicate.op, std::visit(Compare(), left, right));
  }

  std::int64_t count(const Predicate& predicate) const {
    const auto rows = record_.rows(predicate);
    return std::count_if(rows.begin(), rows.end(), [&](const auto& row) {
      return predicate.children.empty() || Evaluator(constants_, *row).holds(predicate.children.front());
    });
  }

  bool is_one_of(const Predicate& predicate) const {
    const Value left = read(predicate.left);
    return !is_null(left) && std::any_of(predicate.values.begin(), predicate.values.end(), [&](ConstantRef each) {
      return std::visit(Compare(), left, constants_(each.index)) == 0;
    });
  }

  bool matches(const Predicate& predicate) const {
    const Value left = read(predicate.left), right = read(predicate.right);
    const auto* words = std::get_if<std::string>(&left);
    const auto* argument = std::get_if<std::string>(&right);
    if (!words || !argument) return false;
    const std::string needle = text::fold(*argument);
    switch (predicate.text_op) {
      case TextOp::Contains:
        return text::contains_folded(*words, needle);
      case TextOp::StartsWith:
        return text::starts_with_folded(*words, needle);
      case TextOp::EndsWith:
        return text::ends_with_folded(*words, needle);
    }
    return false;
  }

  const ConstantReader& constants_;
  const RecordReader& record_;
};

}  // namespace

bool evaluate(const Predicate& predicate, const ConstantReader& constants, const RecordReader& record) {
  return Evaluator(constants, record).holds(predicate);
}

bool evaluate(const Predicate& predicate, const std::vector<Value>& constants, const RecordReader& record) {
  return evaluate(
      predicate, [&](std::size_t index) { return constants[index]; }, record);
}

}  // namespace callisto::query
