#include "engine/api/answers/explain.h"

#include "engine/json/write.h"
#include "engine/query/index_advice.h"
#include "engine/query/plan_text.h"

#include <algorithm>

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
    json::append_value(writer.raw(), constants[i]);
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

Result<void> write_statement(json::Writer& writer, const records::Context& context, const query::Statement& statement,
                             const std::vector<Value>& values) {
  CALLISTO_TRY(const auto steps, context.connection.explain(statement.sql, values));
  CALLISTO_TRY(const storage::Examined examined, context.connection.examine(statement.sql, values));
  writer.begin_object();
  writer.key("Sql").string(statement.sql.text());
  writer.key("Parameters").begin_array();
  for (const Value& value : values) {
    writer.element();
    json::append_value(writer.raw(), value);
  }
  writer.end_array();
  writer.key("QueryPlan").begin_array();
  for (const std::string& step : steps) writer.string(step);
  writer.end_array();
  writer.key("Rows").integer(static_cast<std::int64_t>(examined.given));
  writer.key("RowsExamined").integer(static_cast<std::int64_t>(examined.looked_at));
  writer.end_object();
  return {};
}

const char* name(records::Walk walk) {
  static constexpr const char* names[] = {"in order", "sorted", "candidates", "by lookup"};
  return names[static_cast<std::size_t>(walk)];
}

// Which of its statements a search takes, and how many rows the others would have to look at, as far as it was counted.
void write_choice(json::Writer& writer, const records::Prepared& prepared, const records::Chosen& chosen) {
  writer.key("Choice").begin_object().key("Chosen").string(name(chosen.walk));
  writer.key("Estimates").begin_array();
  const auto write_one = [&](records::Walk walk, std::optional<std::int64_t> rows, std::size_t most) {
    if (!rows) return;
    writer.begin_object().key("Walk").string(name(walk)).key("Rows").integer(*rows);
    writer.key("AtMost").integer(static_cast<std::int64_t>(most)).end_object();
  };
  if (prepared.narrowed) write_one(records::Walk::Candidates, chosen.candidates, prepared.narrowed->most);
  write_one(records::Walk::Sorted, chosen.to_sort, chosen.most_to_sort);
  writer.end_array().end_object();
}

void write_advice(json::Writer& writer, const query::Plan& plan) {
  const auto advice = query::advice_on(plan);
  if (!advice) return;
  writer.key("Index").begin_object().key("Entity").string(advice->entity->name);
  writer.key("Line").string(advice->line()).end_object();
}

// The steps alone: PostgreSQL writes values into a step's properties ("Filter: (a = 'x')"), which a value with line
// ends continues on lines of its own.
std::string steps_without_values(const std::vector<std::string>& lines) {
  std::string steps;
  bool in_value = false;
  for (const std::string& line : lines) {
    const bool is_step = !in_value && line.find(": ") == line.npos;
    if (std::count(line.begin(), line.end(), '\'') % 2 == 1) in_value = !in_value;
    if (is_step) steps += (steps.empty() ? "" : " | ") + line;
  }
  return steps;
}

}  // namespace

std::string slow_search(const records::Context& context, const CompiledQuery& query) {
  const query::Plan& plan = *query.prepared.plan;
  std::string text = "{" + question_of(plan) + "}";
  const auto constants = records::resolve_constants(context, plan);
  const auto chosen =
      constants ? records::choose(context, query.prepared, *constants, records::ParentKey{}) : constants.error();
  const query::Statement* rows = !chosen ? nullptr : plan.count ? chosen->count : chosen->rows;
  const auto values = rows ? records::parameters(context, *rows, plan, *constants, {Value(std::int64_t{0})})
                           : Result<std::vector<Value>>(std::vector<Value>());
  const auto steps = rows && values ? context.connection.explain(rows->sql, *values)
                                    : Result<std::vector<std::string>>(std::vector<std::string>());
  if (steps && !steps->empty()) text += "; plan: " + steps_without_values(*steps);
  if (const auto advice = query::advice_on(plan))
    text += "; " + advice->line() + " in the file of " + advice->entity->name + " may help";
  return text;
}

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
  const auto write = [&](const query::Statement& statement) -> Result<void> {
    CALLISTO_TRY(const auto values, records::parameters(context, statement, plan, constants, key));
    return write_statement(writer, context, statement, values);
  };
  const auto write_one = [&](const char* title, const query::Statement& statement) -> Result<void> {
    writer.key(title);
    return write(statement);
  };
  const auto& narrowed = query.prepared.narrowed;
  if (narrowed) CALLISTO_CHECK(write_one("Candidates", narrowed->candidates));
  if (const auto& sorted = query.prepared.sorted) {
    writer.key("Probes").begin_array();
    for (const auto& seek : sorted->seeks) CALLISTO_CHECK(write(seek.probe.count));
    writer.end_array();
  }
  CALLISTO_TRY(const records::Chosen chosen, records::choose(context, query.prepared, constants, parent));
  write_choice(writer, query.prepared, chosen);
  write_advice(writer, plan);
  if (chosen.keys) key.assign(1, Value(*chosen.keys));
  CALLISTO_CHECK(write_one("Rows", *chosen.rows));
  if (!chosen.other->sql.empty()) CALLISTO_CHECK(write_one("OtherRows", *chosen.other));
  if (!chosen.count->sql.empty()) CALLISTO_CHECK(write_one("Count", *chosen.count));
  writer.end_object();
  return {};
}

}  // namespace callisto::api
