#include "engine/query/plan_text.h"

#include <string_view>

namespace callisto::query {
namespace {

std::string_view text_of(CompareOp op) {
  static constexpr std::string_view texts[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
  return texts[static_cast<std::size_t>(op)];
}

std::string_view text_of(TextOp op) {
  static constexpr std::string_view texts[] = {".Contains(", ".StartsWith(", ".EndsWith("};
  return texts[static_cast<std::size_t>(op)];
}

class Writer {
 public:
  Writer(const Plan& plan, ConstantText constants) : plan_(plan), constants_(constants) {}

  std::string text(const Predicate& predicate) const {
    using Kind = Predicate::Kind;
    switch (predicate.kind) {
      case Kind::And:
        return joined(predicate.children, " && ");
      case Kind::Or:
        return joined(predicate.children, " || ");
      case Kind::Not:
        return negated(predicate.children.front());
      case Kind::Always:
        return predicate.constant_value ? "true" : "false";
      case Kind::Compare:
        return left(predicate) + std::string(text_of(predicate.op)) + right(predicate, predicate.right);
      case Kind::OneOf:
        return left(predicate) + " in (" + values(predicate) + ")";
      case Kind::IsNull:
        return left(predicate) + " == null";
      case Kind::HasRow:
        return predicate.list->name + ".Any(" + child(predicate) + ")";
      case Kind::RowCount:
        return predicate.list->name + ".Count(" + child(predicate) + ")" + std::string(text_of(predicate.op)) +
               right(predicate, predicate.right);
      case Kind::Flag:
        return left(predicate);
      case Kind::Text:
        return left(predicate) + std::string(text_of(predicate.text_op)) + right(predicate, predicate.right) + ")";
    }
    return "";
  }

 private:
  std::string negated(const Predicate& predicate) const {
    const bool has_own = predicate.kind == Predicate::Kind::And || predicate.kind == Predicate::Kind::Or;
    return has_own ? "!" + text(predicate) : "!(" + text(predicate) + ")";
  }

  std::string left(const Predicate& predicate) const { return query::text_of(plan_, std::get<Path>(predicate.left)); }

  std::string right(const Predicate& predicate, const Operand& operand) const {
    if (const auto* path = std::get_if<Path>(&operand)) return query::text_of(plan_, *path);
    const ConstantRef constant = std::get<ConstantRef>(operand);
    if (constants_ == ConstantText::Number) return "#" + std::to_string(constant.index + 1);
    const std::string type = catalog::name(plan_.constants[constant.index].type);
    return "{" + type + (predicate.kind == Predicate::Kind::RowCount ? "" : " " + left(predicate)) + "}";
  }

  std::string values(const Predicate& predicate) const {
    std::string text;
    for (const ConstantRef each : predicate.values) text += (text.empty() ? "" : ", ") + right(predicate, each);
    return text;
  }

  std::string child(const Predicate& predicate) const {
    return predicate.children.empty() ? std::string() : text(predicate.children.front());
  }

  std::string joined(const std::vector<Predicate>& children, const char* between) const {
    std::string all;
    for (const Predicate& each : children) all += (all.empty() ? "(" : between) + text(each);
    return all + ")";
  }

  const Plan& plan_;
  const ConstantText constants_;
};

}  // namespace

std::string text_of(const Plan& plan, const Path& path) {
  std::string text = path.source == 0 ? "" : plan.joins[path.source - 1].alias + ".";
  for (const catalog::Property* hop : path.hops) text += hop->name + ".";
  return text + path.property->name;
}

std::string text_of(const Plan& plan, const Predicate& predicate, ConstantText constants) {
  return Writer(plan, constants).text(predicate);
}

std::string text_of(const Plan& plan, const Aggregate& aggregate) {
  static constexpr const char* functions[] = {"count", "sum", "avg", "min", "max"};
  return functions[static_cast<std::size_t>(aggregate.kind)] + ("(" + text_of(plan, aggregate.path)) + ") as " +
         aggregate.shown->name;
}

std::string order_text(const Plan& plan) {
  std::string all;
  for (const SortKey& key : plan.order) {
    const bool is_added = !all.empty() && key.path.hops.empty() && key.path.property->is_key;
    if (is_added) break;
    all += (all.empty() ? "" : ", ") + text_of(plan, key.path) + (key.descending ? " desc" : "");
  }
  return all;
}

}  // namespace callisto::query
