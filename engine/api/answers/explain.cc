#include "engine/api/answers/explain.h"

#include "engine/api/links.h"
#include "engine/json/write.h"
#include "engine/query/plan_text.h"

namespace callisto::api {

namespace {

std::string group_column(const query::Plan& plan, std::size_t column) {
  const std::size_t number = plan.columns.size();
  if (column < number) return query::text_of(plan, plan.columns[column]);
  return column == number ? plan.grouping->number->name : plan.grouping->aggregates[column - number - 1].shown->name;
}

const char* direction(bool descending) { return descending ? " desc" : " asc"; }

void write_plan(json::Writer& writer, const query::Plan& plan) {
  writer.key("Plan").begin_object();
  writer.key("Entity").string(plan.entity->name);
  if (plan.filter) writer.key("Filter").string(query::text_of(plan, *plan.filter, query::ConstantText::Number));
  writer.key("OrderBy").begin_array();
  for (const query::SortKey& key : plan.order)
    writer.string(query::text_of(plan, key.path) + direction(key.descending));
  if (plan.grouping)
    for (const auto& key : plan.grouping->order)
      writer.string(group_column(plan, key.column) + direction(key.descending));
  writer.end_array();
  writer.key("Columns").begin_array();
  for (const query::Path& path : plan.columns) writer.string(query::text_of(plan, path));
  writer.end_array();
  if (plan.grouping) {
    writer.key("Aggregates").begin_array();
    for (const query::Aggregate& each : plan.grouping->aggregates) writer.string(query::text_of(plan, each));
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
