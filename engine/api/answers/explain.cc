#include "engine/api/answers/explain.h"

#include "engine/api/links.h"
#include "engine/json/write.h"

namespace callisto::api {

namespace {

std::string text_of(const query::Plan& plan, const query::Path& path) {
  std::string text = path.source == 0 ? "" : plan.joins[path.source - 1].alias + ".";
  for (const catalog::Property* hop : path.hops) text += hop->name + ".";
  return text + path.property->name;
}

std::string text_of(const query::Plan& plan, const query::Operand& operand) {
  if (const auto* path = std::get_if<query::Path>(&operand)) return text_of(plan, *path);
  return "#" + std::to_string(std::get<query::ConstantRef>(operand).index + 1);
}

std::string text_of(const query::Plan& plan, const std::vector<query::ConstantRef>& values) {
  std::string text;
  for (const query::ConstantRef each : values) text += (text.empty() ? "" : ", ") + text_of(plan, query::Operand(each));
  return text;
}

std::string_view text_of(query::CompareOp op) {
  switch (op) {
    case query::CompareOp::Equal:
      return " == ";
    case query::CompareOp::NotEqual:
      return " != ";
    case query::CompareOp::Less:
      return " < ";
    case query::CompareOp::LessEqual:
      return " <= ";
    case query::CompareOp::Greater:
      return " > ";
    case query::CompareOp::GreaterEqual:
      return " >= ";
  }
  return "";
}

std::string_view text_of(query::TextOp op) {
  switch (op) {
    case query::TextOp::Contains:
      return ".Contains(";
    case query::TextOp::StartsWith:
      return ".StartsWith(";
    case query::TextOp::EndsWith:
      return ".EndsWith(";
  }
  return "";
}

std::string text_of(const query::Plan& plan, const query::Predicate& predicate);

std::string text_of_child(const query::Plan& plan, const query::Predicate& predicate) {
  return predicate.children.empty() ? std::string() : text_of(plan, predicate.children.front());
}

std::string text_of(const query::Plan& plan, const query::Predicate& predicate) {
  using Kind = query::Predicate::Kind;
  switch (predicate.kind) {
    case Kind::And:
    case Kind::Or: {
      std::string text = "(";
      for (std::size_t i = 0; i < predicate.children.size(); ++i) {
        if (i > 0) text += predicate.kind == Kind::And ? " && " : " || ";
        text += text_of(plan, predicate.children[i]);
      }
      return text + ")";
    }
    case Kind::Not:
      return "!" + text_of(plan, predicate.children.front());
    case Kind::Always:
      return predicate.constant_value ? "true" : "false";
    case Kind::Compare:
      return text_of(plan, predicate.left) + std::string(text_of(predicate.op)) + text_of(plan, predicate.right);
    case Kind::OneOf:
      return text_of(plan, predicate.left) + " in (" + text_of(plan, predicate.values) + ")";
    case Kind::IsNull:
      return text_of(plan, predicate.left) + " == null";
    case Kind::HasRow:
      return predicate.list->name + ".Any(" + text_of_child(plan, predicate) + ")";
    case Kind::RowCount:
      return predicate.list->name + ".Count(" + text_of_child(plan, predicate) + ")" +
             std::string(text_of(predicate.op)) + text_of(plan, predicate.right);
    case Kind::Flag:
      return text_of(plan, predicate.left);
    case Kind::Text:
      return text_of(plan, predicate.left) + std::string(text_of(predicate.text_op)) + text_of(plan, predicate.right) +
             ")";
  }
  return "";
}

std::string text_of(const query::Plan& plan, const query::Aggregate& aggregate) {
  static constexpr const char* functions[] = {"count", "sum", "avg", "min", "max"};
  return functions[static_cast<std::size_t>(aggregate.kind)] + ("(" + text_of(plan, aggregate.path)) + ") as " +
         aggregate.shown->name;
}

std::string group_column(const query::Plan& plan, std::size_t column) {
  const std::size_t number = plan.columns.size();
  if (column < number) return text_of(plan, plan.columns[column]);
  return column == number ? plan.grouping->number->name : plan.grouping->aggregates[column - number - 1].shown->name;
}

const char* direction(bool descending) { return descending ? " desc" : " asc"; }

void write_plan(json::Writer& writer, const query::Plan& plan) {
  writer.key("Plan").begin_object();
  writer.key("Entity").string(plan.entity->name);
  if (plan.filter) writer.key("Filter").string(text_of(plan, *plan.filter));
  writer.key("OrderBy").begin_array();
  for (const query::SortKey& key : plan.order) writer.string(text_of(plan, key.path) + direction(key.descending));
  if (plan.grouping)
    for (const auto& key : plan.grouping->order)
      writer.string(group_column(plan, key.column) + direction(key.descending));
  writer.end_array();
  writer.key("Columns").begin_array();
  for (const query::Path& path : plan.columns) writer.string(text_of(plan, path));
  writer.end_array();
  if (plan.grouping) {
    writer.key("Aggregates").begin_array();
    for (const query::Aggregate& each : plan.grouping->aggregates) writer.string(text_of(plan, each));
    writer.end_array();
  }
  writer.end_object();
}

// Which augmenter gave which part: a constant's number in Filter, or the name of a column it computes.
void write_augmenters(json::Writer& writer, const query::Plan& plan, const std::vector<Value>& constants) {
  writer.key("Constants").begin_array();
  for (std::size_t i = 0; i < plan.constants.size(); ++i) {
    const query::Constant& constant = plan.constants[i];
    writer.begin_object();
    writer.key("Number").integer(static_cast<std::int64_t>(i + 1));
    writer.key("Value");
    append_value(writer.raw(), constants[i]);
    if (constant.augmenter) writer.key("Augmenter").string(constant.augmenter->name);
    writer.end_object();
  }
  writer.end_array();
  writer.key("Augmenters").begin_array();
  for (const query::AugmenterUse& use : plan.augmenters) {
    writer.begin_object();
    writer.key("Name").string(use.augmenter->name);
    writer.key("Kind").string(catalog::name(use.augmenter->kind));
    writer.key("Option").string(use.option);
    writer.key("Position").integer(static_cast<std::int64_t>(use.position));
    if (!use.augmenter->filter.empty()) writer.key("Filter").string(use.augmenter->filter);
    writer.end_object();
  }
  writer.end_array();
}

Result<void> write_statement(json::Writer& writer, const records::Context& context, std::string_view name,
                             const query::Statement& statement, const std::vector<Value>& values) {
  CALLISTO_TRY(const auto steps, context.connection.explain(statement.sql, values));
  writer.key(name).begin_object();
  writer.key("Sql").string(statement.sql.text());
  writer.key("Parameters").begin_array();
  for (const Value& value : values) {
    writer.element();
    append_value(writer.raw(), value);
  }
  writer.end_array();
  writer.key("QueryPlan").begin_array();
  for (const std::string& step : steps) writer.string(step);
  writer.end_array();
  writer.end_object();
  return {};
}

}  // namespace

Result<void> write_explanation(const Call& call, const records::Context& context, const CompiledQuery& query,
                               std::optional<records::ParentKey> parent) {
  if (!call.session.may("Administration")) return forbidden("$explain shows SQL: it needs the right Administration.");
  const query::Plan& plan = *query.prepared.plan;
  CALLISTO_TRY(const auto constants, records::resolve_constants(context, plan));
  std::vector<Value> key;
  if (parent) key.emplace_back(parent->key);
  json::Writer writer(call.response.body);
  writer.begin_object();
  write_plan(writer, plan);
  write_augmenters(writer, plan, constants);
  const auto write_one = [&](const char* title, const query::Statement& statement) -> Result<void> {
    CALLISTO_TRY(const auto values, records::parameters(context, statement, plan, constants, key));
    return write_statement(writer, context, title, statement, values);
  };
  const auto& narrowed = query.prepared.narrowed;
  if (narrowed) CALLISTO_CHECK(write_one("Candidates", narrowed->candidates));
  if (const auto& sorted = query.prepared.sorted)
    for (const query::Statement& probe : sorted->probes) CALLISTO_CHECK(write_one("Probe", probe));
  CALLISTO_TRY(const records::Chosen chosen, records::choose(context, query.prepared, constants));
  CALLISTO_CHECK(write_one("Rows", *chosen.rows));
  if (!chosen.other->sql.empty()) CALLISTO_CHECK(write_one("OtherRows", *chosen.other));
  if (!chosen.count->sql.empty()) CALLISTO_CHECK(write_one("Count", *chosen.count));
  writer.end_object();
  return {};
}

}  // namespace callisto::api
