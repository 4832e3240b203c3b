#include "engine/records/search.h"

#include "engine/records/session_facts.h"
#include "engine/records/values.h"

#include <algorithm>
#include <deque>

namespace callisto::records {

namespace {

// The rows of one page held in memory, so that scripts can be asked about all of them before any is rendered.
class HeldRows final : public storage::Cursor {
 public:
  struct Cell {
    enum class Kind { Null, Integer, Real, Text } kind = Kind::Null;
    std::int64_t integer = 0;
    double real = 0;
    std::string text;
  };

  static Result<std::unique_ptr<HeldRows>> read_all(storage::Cursor& rows, const query::Plan& plan) {
    auto held = std::make_unique<HeldRows>();
    for (;;) {
      CALLISTO_TRY(bool more, rows.step());
      if (!more) return held;
      std::vector<Cell>& cells = held->rows_.emplace_back();
      cells.reserve(plan.columns.size());
      for (std::size_t i = 0; i < plan.columns.size(); ++i) cells.push_back(cell(rows, i, *plan.columns[i].property));
    }
  }

  Result<bool> step() override {
    if (next_ == rows_.size()) return false;
    ++next_;
    return true;
  }
  void rewind() { next_ = 0; }
  std::size_t size() const { return rows_.size(); }
  bool is_null(std::size_t column) const override { return at(column).kind == Cell::Kind::Null; }
  std::int64_t integer(std::size_t column) const override { return at(column).integer; }
  double real(std::size_t column) const override { return at(column).real; }
  std::string_view text(std::size_t column) const override { return at(column).text; }

 private:
  const Cell& at(std::size_t column) const { return rows_[next_ - 1][column]; }

  static Cell cell(const storage::Cursor& row, std::size_t column, const catalog::Property& property) {
    using catalog::DataType;
    if (row.is_null(column)) return {};
    const bool text = catalog::is_text(property.type) || property.type == DataType::Binary ||
                      (property.type == DataType::Boolean && property.stored.is_text());
    if (text) return {Cell::Kind::Text, 0, 0, std::string(row.text(column))};
    if (property.type == DataType::Float || property.type == DataType::Double)
      return {Cell::Kind::Real, 0, row.real(column), {}};
    return {Cell::Kind::Integer, row.integer(column), 0, {}};
  }

  std::deque<std::vector<Cell>> rows_;
  std::size_t next_ = 0;
};

// Asks each extension once for the whole page.
Result<void> extend(const Context& context, const query::Plan& plan, Page& page) {
  CALLISTO_TRY(auto held, HeldRows::read_all(*page.rows, plan));
  CALLISTO_TRY(const script::SessionFacts* facts, session_facts(context));
  for (const query::ExtensionUse& use : plan.extensions) {
    std::vector<std::vector<Value>> needs;
    needs.reserve(held->size());
    held->rewind();
    while (*held->step()) {
      std::vector<Value>& row = needs.emplace_back();
      for (std::size_t column : use.need_columns)
        row.push_back(read_value(*held, column, *plan.columns[column].property));
    }
    CALLISTO_TRY(auto values, context.scripts.extend(*use.augmenter, needs, *facts));
    page.extensions.push_back(std::move(values));
  }
  held->rewind();
  page.rows = std::move(held);
  return {};
}

std::vector<Value> key_values(std::optional<ParentKey> parent) {
  if (parent) return {Value(parent->key)};
  return {};
}

Result<std::int64_t> run_count(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                               std::optional<ParentKey> parent) {
  auto values = parameters(prepared.count, *prepared.plan, constants, context.session, key_values(parent));
  CALLISTO_TRY(auto cursor, context.connection.query(prepared.count.sql, values));
  CALLISTO_TRY(bool found, cursor->step());
  return found ? cursor->integer(0) : 0;
}

// $partition names one that does not exist or that the session cannot access: 403 (decisions.md 2.10).
Result<void> check_partition(const Context& context, const query::Plan& plan) {
  if (!plan.partition) return {};
  const Error refused = forbidden("$partition: the session has no access to partition " +
                                  std::to_string(*plan.partition) + ".");
  const auto& allowed = context.session.partitions;
  if (allowed && !std::binary_search(allowed->begin(), allowed->end(), *plan.partition)) return refused;
  const catalog::Entity* entity = context.model.catalog().find(catalog::system::partition_entity);
  if (!entity) return refused;
  Sql sql("SELECT 1 FROM ");
  sql << entity->table << SqlLiteral(" WHERE ") << entity->key.front()->column << SqlLiteral(" = ");
  sql.parameter(1);
  CALLISTO_TRY(auto cursor, context.connection.query(sql, {Value(*plan.partition)}));
  CALLISTO_TRY(bool found, cursor->step());
  if (!found) return refused;
  return {};
}

}  // namespace

query::Scope scope_of(const auth::Session& session) {
  query::Scope scope;
  if (session.partitions) scope.partitions = session.partitions->size();
  return scope;
}

namespace {

// An augmenter's value for this request; a token is asked once.
Result<Value> ask(const Context& context, const query::Constant& constant) {
  const bool is_token = constant.augmenter->kind == catalog::AugmenterKind::Token;
  if (const auto known = context.tokens.find(constant.augmenter); is_token && known != context.tokens.end())
    return known->second;
  CALLISTO_TRY(const script::SessionFacts* facts, session_facts(context));
  auto value = context.scripts.call(*constant.augmenter, constant.arguments, *facts);
  if (!value && value.error().status == 400)
    return bad_query("$filter, column " + std::to_string(constant.position) + ": @" + constant.augmenter->name + ": " +
                         value.error().message,
                     {"$filter", constant.position, "@" + constant.augmenter->name, {}, {}});
  if (value && is_token) context.tokens.emplace(constant.augmenter, *value);
  return value;
}

}  // namespace

Result<std::vector<Value>> resolve_constants(const Context& context, const query::Plan& plan) {
  std::vector<Value> values;
  values.reserve(plan.constants.size());
  for (const query::Constant& constant : plan.constants) {
    if (!constant.augmenter) {
      values.push_back(constant.value);
      continue;
    }
    CALLISTO_TRY(Value value, ask(context, constant));
    values.push_back(std::move(value));
  }
  return values;
}

std::vector<Value> parameters(const query::Statement& statement, const query::Plan& plan,
                              const std::vector<Value>& constants, const auth::Session& session,
                              const std::vector<Value>& key) {
  struct Visitor {
    const query::Plan& plan;
    const std::vector<Value>& constants;
    const auth::Session& session;
    const std::vector<Value>& key;
    Value operator()(const query::ConstantBinding& b) const { return query::bound_value(b, plan, constants); }
    Value operator()(const query::PartitionBinding& b) const { return (*session.partitions)[b.index]; }
    Value operator()(const query::KeyBinding& b) const { return key[b.index]; }
    Value operator()(const query::TextBinding& b) const { return b.text; }
    Value operator()(const query::PlanPartitionBinding&) const { return *plan.partition; }
    Value operator()(query::Paging paging) const {
      return paging == query::Paging::Top ? plan.top.value_or(100) : plan.skip;
    }
  };
  std::vector<Value> values;
  values.reserve(statement.bindings.size());
  for (const query::Binding& binding : statement.bindings)
    values.push_back(std::visit(Visitor{plan, constants, session, key}, binding));
  return values;
}

Result<Page> search(const Context& context, const Prepared& prepared, std::optional<ParentKey> parent) {
  const query::Plan& plan = *prepared.plan;
  CALLISTO_CHECK(check_partition(context, plan));
  CALLISTO_TRY(const auto constants, resolve_constants(context, plan));
  Page page;
  if (plan.inline_count) {
    CALLISTO_TRY(auto snapshot, storage::ReadTransaction::begin(context.connection));
    page.snapshot.emplace(std::move(snapshot));
    CALLISTO_TRY(page.count, run_count(context, prepared, constants, parent));
  }
  auto values = parameters(prepared.rows, plan, constants, context.session, key_values(parent));
  CALLISTO_TRY(page.rows, context.connection.query(prepared.rows.sql, values));
  if (!plan.extensions.empty()) CALLISTO_CHECK(extend(context, plan, page));
  return page;
}

Result<std::int64_t> count(const Context& context, const Prepared& prepared, std::optional<ParentKey> parent) {
  CALLISTO_CHECK(check_partition(context, *prepared.plan));
  CALLISTO_TRY(const auto constants, resolve_constants(context, *prepared.plan));
  return run_count(context, prepared, constants, parent);
}

Result<Page> read(const Context& context, const Prepared& prepared, const std::vector<Value>& key) {
  const query::Plan& plan = *prepared.plan;
  Page page;
  auto values = parameters(prepared.rows, plan, {}, context.session, key);
  CALLISTO_TRY(page.rows, context.connection.query(prepared.rows.sql, values));
  if (!plan.extensions.empty()) CALLISTO_CHECK(extend(context, plan, page));
  CALLISTO_TRY(bool found, page.rows->step());
  if (!found) return record_not_found("There is no such " + plan.entity->name + ", or this session may not see it.");
  return page;
}

}  // namespace callisto::records
