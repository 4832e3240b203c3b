#include "engine/records/search.h"

#include "engine/records/session_facts.h"
#include "engine/records/values.h"
#include "engine/records/visible.h"

#include <algorithm>
#include <utility>

namespace callisto::records {

namespace {

std::vector<Value> key_values(std::optional<ParentKey> parent) {
  if (parent) return {Value(parent->key)};
  return {};
}

// The number that a statement asks for.
Result<std::int64_t> number(const Context& context, const query::Plan& plan, const query::Statement& statement,
                            const std::vector<Value>& constants, std::optional<ParentKey> parent) {
  CALLISTO_TRY(const auto values, parameters(context, statement, plan, constants, key_values(parent)));
  CALLISTO_TRY(auto cursor, context.connection.query(statement.sql, values));
  CALLISTO_TRY(bool found, cursor->step());
  return found ? cursor->integer(0) : 0;
}

// What it counts; where it is given up, as if these were many.
Result<std::int64_t> probed(const Context& context, const query::Plan& plan, const query::Probe& probe,
                            const std::vector<Value>& constants) {
  if (!probe.is_through_lookup) return number(context, plan, probe.count, constants, std::nullopt);
  CALLISTO_TRY(const auto limit, storage::RowLimit::set(context.connection, most_looked_through));
  auto rows = number(context, plan, probe.count, constants, std::nullopt);
  if (!rows && limit.is_met()) return static_cast<std::int64_t>(probe.most);
  return rows;
}

bool is_few(std::optional<std::int64_t> rows, std::size_t most) {
  return rows && *rows < static_cast<std::int64_t>(most);
}

// How many rows the index of substrings names; nothing where it is not asked.
Result<std::optional<std::int64_t>> candidates_of(const Context& context, const Prepared& prepared,
                                                  const std::vector<Value>& constants) {
  if (!prepared.narrowed) return std::optional<std::int64_t>();
  for (const query::Statement& probe : prepared.narrowed->probes) {
    CALLISTO_TRY(const std::int64_t rows, number(context, *prepared.plan, probe, constants, std::nullopt));
    if (is_few(rows, most_read)) return std::optional<std::int64_t>();
  }
  CALLISTO_TRY(const std::int64_t found,
               number(context, *prepared.plan, prepared.narrowed->candidates, constants, std::nullopt));
  return std::optional(found);
}

Result<const query::Statement*> count_of(const Context& context, const Prepared& prepared,
                                         const std::vector<Value>& constants) {
  if (!prepared.cover) return &prepared.count;
  const auto rows = [&](const query::Statement& probe) {
    return number(context, *prepared.plan, probe, constants, std::nullopt);
  };
  for (const query::Statement& beside : prepared.cover->beside) {
    CALLISTO_TRY(const std::int64_t read, rows(beside));
    if (is_few(read, most_sorted)) return &prepared.count;
  }
  CALLISTO_TRY(const std::int64_t led, rows(prepared.cover->led));
  return is_few(led, most_sorted_late) ? &prepared.cover->count : &prepared.count;
}

// The rows of one statement, which may be begun, and then those of another, which is asked when it comes to that.
class Chain final : public Row {
 public:
  Chain(storage::Connection& connection, Begun begun)
      : connection_(connection), rows_(std::move(begun.rows)), begun_(begun.found) {}
  Chain(storage::Connection& connection, std::unique_ptr<Row> rows, const Sql& next, std::vector<Value> values)
      : connection_(connection), rows_(std::move(rows)), next_(&next), values_(std::move(values)) {}

  Result<bool> step() override {
    bool found = begun_.value_or(false);
    if (!std::exchange(begun_, std::nullopt)) { CALLISTO_TRY(found, rows_->step()); }
    if (found || !next_) return found;
    rows_.reset();  // a connection reads one statement at a time
    CALLISTO_TRY(rows_, connection_.query(*std::exchange(next_, nullptr), values_));
    return rows_->step();
  }
  bool is_null(std::size_t column) const override { return rows_->is_null(column); }
  std::int64_t integer(std::size_t column) const override { return rows_->integer(column); }
  std::optional<std::int64_t> integer_or_null(std::size_t column) const override {
    return rows_->integer_or_null(column);
  }
  double real(std::size_t column) const override { return rows_->real(column); }
  std::string_view text(std::size_t column) const override { return rows_->text(column); }

 private:
  storage::Connection& connection_;
  std::unique_ptr<Row> rows_;
  std::optional<bool> begun_;  // whether there is a first row; nothing: nobody has looked yet
  const Sql* next_ = nullptr;  // of what was prepared; null: asked already
  std::vector<Value> values_;
};

// $partition names one that does not exist or that the session cannot access: 403 (API rule 2.10).
Result<void> check_partition(const Context& context, const query::Plan& plan) {
  if (!plan.partition) return {};
  const Error refused =
      forbidden("$partition: the session has no access to partition " + std::to_string(*plan.partition) + ".");
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

// What this costs the page begins with anyway: its first row, or all of its keys where they are found first.
Result<bool> walks_in_vain(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                           std::optional<ParentKey> parent, Begun* begun) {
  const query::Statement& rows = prepared.rows;
  CALLISTO_TRY(const auto values, parameters(context, rows, *prepared.plan, constants, key_values(parent)));
  const auto passed = static_cast<std::uint64_t>(query::bound_number(query::Paging::End, *prepared.plan));
  if (passed > most_sorted_late) return false;
  CALLISTO_TRY(const auto limit,
               storage::RowLimit::set(context.connection, most_in_vain + most_in_vain_for_each * passed));
  CALLISTO_TRY(std::unique_ptr<Row> cursor, context.connection.query(rows.sql, values));
  const auto found = cursor->step();
  if (!found && limit.is_met()) return true;
  CALLISTO_CHECK(found);
  if (begun) *begun = {std::move(cursor), *found};
  return false;
}

using Seek = Prepared::Sorted::Seek;

// The first that leads to fewer rows than a walk looks at that has met none yet; null: none does.
Result<const Seek*> seek_late(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                              Chosen& chosen) {
  const auto count = [&](const query::Statement& probe) {
    return number(context, *prepared.plan, probe, constants, std::nullopt);
  };
  chosen.most_to_sort = most_sorted_late;
  std::int64_t walked = most_sorted_late;
  if (!prepared.sorted->walked.sql.empty()) { CALLISTO_TRY(walked, count(prepared.sorted->walked)); }
  for (const Seek& seek : prepared.sorted->seeks) {
    CALLISTO_TRY(chosen.to_sort, count(seek.longer));
    if (*chosen.to_sort < walked) return &seek;
  }
  return nullptr;
}

// By which the rows are found and sorted; null: they are walked in order.
Result<const Seek*> seek_of(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                            std::optional<ParentKey> parent, Chosen& chosen, Begun* begun) {
  if (!prepared.sorted) return nullptr;
  for (const Seek& seek : prepared.sorted->seeks) {
    CALLISTO_TRY(chosen.to_sort, probed(context, *prepared.plan, seek.probe, constants));
    chosen.most_to_sort = seek.probe.most;
    if (is_few(chosen.to_sort, seek.probe.most)) return &seek;
  }
  CALLISTO_TRY(const bool is_in_vain, walks_in_vain(context, prepared, constants, parent, begun));
  if (!is_in_vain) return nullptr;
  return seek_late(context, prepared, constants, chosen);
}

}  // namespace

SessionScope scope_of(const AccessRules::Limits& access, const auth::Session& session) {
  SessionScope result{{}, std::to_string(access.number)};
  result.scope.access = &access.by_type;
  result.scope.with_unknown_types = access.with_unknown_types;
  result.scope.fields = fields_of(access);
  if (session.partitions) result.scope.partitions = session.partitions->size();
  result.key += session.partitions ? "p" + std::to_string(session.partitions->size()) : "all";
  return result;
}

// An augmenter's value for this request: asked once for the same arguments, since a dozen rules of actions ask alike.
Result<Value> resolve_constant(const Context& context, const query::Constant& constant) {
  if (!constant.augmenter) return constant.value;
  for (const Known& known : context.known)
    if (known.augmenter == constant.augmenter && known.arguments == constant.arguments) return known.value;
  const script::SessionFacts& facts = session_facts(context);
  auto value = context.scripts.call(*constant.augmenter, constant.arguments, facts);
  if (!value && value.error().is_refusal())
    return bad_query("$filter, column " + std::to_string(constant.position) + ": @" + constant.augmenter->name + ": " +
                         value.error().message,
                     {"$filter", constant.position, "@" + constant.augmenter->name, {}, {}});
  if (value) context.known.push_back({constant.augmenter, constant.arguments, *value});
  return value;
}

Result<std::vector<Value>> resolve_constants(const Context& context, const query::Plan& plan) {
  std::vector<Value> values;
  values.reserve(plan.constants.size());
  for (const query::Constant& constant : plan.constants) {
    CALLISTO_TRY(Value value, resolve_constant(context, constant));
    values.push_back(std::move(value));
  }
  return values;
}

Result<std::vector<Value>> parameters(const Context& context, const query::Statement& statement,
                                      const query::Plan& plan, const std::vector<Value>& constants,
                                      const std::vector<Value>& key) {
  struct Visitor {
    const Context& context;
    const query::Plan& plan;
    const std::vector<Value>& constants;
    const std::vector<Value>& key;
    Result<Value> operator()(const query::ConstantBinding& b) const {
      if (!b.rule) return query::bound_value(b, constants[b.index]);
      CALLISTO_TRY(const Value value, resolve_constant(context, b.rule->constants[b.index]));
      return query::bound_value(b, value);
    }
    Result<Value> operator()(const query::PartitionBinding& b) const {
      return Value((*context.session.partitions)[b.index]);
    }
    Result<Value> operator()(const query::KeyBinding& b) const { return Value(key[b.index]); }
    Result<Value> operator()(const query::TextBinding& b) const { return Value(b.text); }
    Result<Value> operator()(const query::PlanPartitionBinding&) const { return Value(*plan.partition); }
    Result<Value> operator()(query::Paging paging) const { return Value(query::bound_number(paging, plan)); }
  };
  std::vector<Value> values;
  values.reserve(statement.bindings.size());
  for (const query::Binding& binding : statement.bindings) {
    CALLISTO_TRY(Value value, std::visit(Visitor{context, plan, constants, key}, binding));
    values.push_back(std::move(value));
  }
  return values;
}

Result<Chosen> choose(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                      std::optional<ParentKey> parent, Begun* begun) {
  Chosen chosen{&prepared.rows, &prepared.other, nullptr};
  CALLISTO_TRY(chosen.candidates, candidates_of(context, prepared, constants));
  if (prepared.narrowed && is_few(chosen.candidates, prepared.narrowed->most))
    return Chosen{&prepared.narrowed->rows, &prepared.narrowed->other, &prepared.narrowed->count,
                  Walk::Candidates,         chosen.candidates,         {}};
  CALLISTO_TRY(chosen.count, count_of(context, prepared, constants));
  CALLISTO_TRY(const Seek* seek, seek_of(context, prepared, constants, parent, chosen, begun));
  if (!seek) return chosen;
  chosen.rows = &seek->rows;
  chosen.other = &seek->other;
  chosen.walk = Walk::Sorted;
  return chosen;
}

Result<Page> search(const Context& context, const Prepared& prepared, std::optional<ParentKey> parent) {
  const query::Plan& plan = *prepared.plan;
  CALLISTO_CHECK(check_partition(context, plan));
  CALLISTO_TRY(const auto constants, resolve_constants(context, plan));
  Begun begun;
  CALLISTO_TRY(const Chosen chosen, choose(context, prepared, constants, parent, plan.inline_count ? nullptr : &begun));
  Page page;
  if (plan.inline_count) {
    CALLISTO_TRY(auto snapshot, storage::ReadTransaction::begin(context.connection));
    page.snapshot.emplace(std::move(snapshot));
    CALLISTO_TRY(page.count, number(context, plan, *chosen.count, constants, parent));
  }
  const query::Statement &rows = *chosen.rows, &other = *chosen.other;
  if (begun.rows) {
    page.rows = std::make_unique<Chain>(context.connection, std::move(begun));
  } else {
    CALLISTO_TRY(const auto values, parameters(context, rows, plan, constants, key_values(parent)));
    CALLISTO_TRY(page.rows, context.connection.query(rows.sql, values));
  }
  if (other.sql.empty()) return page;
  CALLISTO_TRY(auto others, parameters(context, other, plan, constants, key_values(parent)));
  page.rows = std::make_unique<Chain>(context.connection, std::move(page.rows), other.sql, std::move(others));
  return page;
}

Result<std::int64_t> count(const Context& context, const Prepared& prepared, std::optional<ParentKey> parent) {
  CALLISTO_CHECK(check_partition(context, *prepared.plan));
  CALLISTO_TRY(const auto constants, resolve_constants(context, *prepared.plan));
  CALLISTO_TRY(const auto candidates, candidates_of(context, prepared, constants));
  if (prepared.narrowed && is_few(candidates, prepared.narrowed->most))
    return number(context, *prepared.plan, prepared.narrowed->count, constants, parent);
  CALLISTO_TRY(const query::Statement* statement, count_of(context, prepared, constants));
  return number(context, *prepared.plan, *statement, constants, parent);
}

Result<Page> read(const Context& context, const Prepared& prepared, const std::vector<Value>& key) {
  const query::Plan& plan = *prepared.plan;
  Page page;
  CALLISTO_TRY(const auto values, parameters(context, prepared.rows, plan, {}, key));
  CALLISTO_TRY(page.rows, context.connection.query(prepared.rows.sql, values));
  CALLISTO_TRY(bool found, page.rows->step());
  if (!found) return not_visible(*plan.entity);
  return page;
}

}  // namespace callisto::records
