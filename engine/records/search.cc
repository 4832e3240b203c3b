#include "engine/records/search.h"

#include "engine/records/session_facts.h"
#include "engine/records/values.h"
#include "engine/records/visible.h"

#include <algorithm>
#include <utility>

namespace callisto::records {

namespace {

// What is read of one that stands in front.
class Behind : public Row {
 public:
  explicit Behind(std::unique_ptr<Row> rows) : rows_(std::move(rows)) {}
  bool is_null(std::size_t column) const override { return rows_->is_null(column); }
  std::int64_t integer(std::size_t column) const override { return rows_->integer(column); }
  std::optional<std::int64_t> integer_or_null(std::size_t column) const override {
    return rows_->integer_or_null(column);
  }
  double real(std::size_t column) const override { return rows_->real(column); }
  std::string_view text(std::size_t column) const override { return rows_->text(column); }

 protected:
  std::unique_ptr<Row> rows_;
};

// The rows of one statement, and then those of another, which is asked when it comes to that.
class Chain final : public Behind {
 public:
  Chain(storage::Connection& connection, std::unique_ptr<Row> rows, const Sql& next, std::vector<Value> values)
      : Behind(std::move(rows)), connection_(connection), next_(&next), values_(std::move(values)) {}

  Result<bool> step() override {
    CALLISTO_TRY(const bool found, rows_->step());
    if (found || !next_) return found;
    rows_.reset();  // a connection reads one statement at a time
    CALLISTO_TRY(rows_, connection_.query(*std::exchange(next_, nullptr), values_));
    return rows_->step();
  }

 private:
  storage::Connection& connection_;
  const Sql* next_;  // of what was prepared; null: asked already
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

bool has_more_candidates(const Prepared& prepared) {
  return prepared.narrowed && !prepared.narrowed->longer.sql.empty();
}

std::uint64_t walked_before_left(const Prepared& prepared) {
  return has_more_candidates(prepared) ? most_walked_for_words : most_walked;
}

// How many candidates the index of substrings names; nothing where they are too many.
Result<std::optional<std::uint64_t>> more_candidates(const Context& context, const Prepared& prepared,
                                                     const std::vector<Value>& constants) {
  if (!has_more_candidates(prepared)) return std::optional<std::uint64_t>();
  CALLISTO_TRY(const auto found, number(context, *prepared.plan, prepared.narrowed->longer, constants, std::nullopt));
  const bool is_few = found < static_cast<std::int64_t>(most_candidates_of_all);
  return is_few ? std::optional(static_cast<std::uint64_t>(found)) : std::nullopt;
}

// A walk in order, left for what is sorted where it looks at much and the page is still not all there. One read
// transaction is around both.
class Walked final : public Behind {
 public:
  // `begun`: the walk; it may stand on its first row. `limit`: nothing where it is not left.
  Walked(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
         std::optional<ParentKey> parent, std::optional<storage::RowLimit> limit, Begun begun, bool is_begun)
      : Behind(std::move(begun.rows)),
        context_(context),
        prepared_(prepared),
        constants_(constants),
        parent_(parent),
        limit_(std::move(limit)),
        begun_(is_begun ? std::optional(begun.found) : std::nullopt) {}
  ~Walked() override { rows_.reset(); }  // before its limit

  Result<bool> step() override {
    auto found = begun_ ? Result<bool>(*std::exchange(begun_, std::nullopt)) : rows_->step();
    if (!found && limit_ && limit_->is_met()) found = step_sorted();
    given_ += found && *found ? 1 : 0;
    const bool is_all = !found || !*found || given_ == static_cast<std::uint64_t>(prepared_.plan->rows_to_read());
    if (is_all) limit_.reset();  // what the connection is asked then is not of the walk
    return found;
  }

 private:
  Result<bool> step_sorted() {
    rows_.reset();
    limit_.reset();
    CALLISTO_TRY(const auto* rest, sooner());
    CALLISTO_TRY(const auto values, parameters(context_, *rest, *prepared_.plan, constants_, key_values(parent_)));
    CALLISTO_TRY(rows_, context_.connection.query(rest->sql, values));
    for (std::uint64_t again = 0; again < given_; ++again) CALLISTO_CHECK(rows_->step());
    return rows_->step();
  }

  // What takes less than the rest of the walk; else that from its begin.
  Result<const query::Statement*> sooner() {
    if (prepared_.narrowed) {
      CALLISTO_TRY(const auto candidates, more_candidates(context_, prepared_, constants_));
      if (candidates && *candidates * walked_for_a_candidate < rows_to_walk()) return &prepared_.narrowed->rows;
    }
    if (!prepared_.sorted) return &prepared_.rows;
    Chosen late{};
    CALLISTO_TRY(const auto* seek, seek_late(context_, prepared_, constants_, late));
    const bool is_sooner = seek && static_cast<std::uint64_t>(*late.to_sort) * walked_for_a_sorted < rows_to_walk();
    return is_sooner ? &seek->rows : &prepared_.rows;
  }

  // To the end of the page, at the pace so far.
  std::uint64_t rows_to_walk() const {
    const auto wanted = static_cast<std::uint64_t>(prepared_.plan->rows_to_read());
    return walked_before_left(prepared_) * (wanted - std::min<std::uint64_t>(given_, wanted)) /
           std::max<std::uint64_t>(given_, 1);
  }

  const Context& context_;
  const Prepared& prepared_;
  std::vector<Value> constants_;
  std::optional<ParentKey> parent_;
  std::optional<storage::RowLimit> limit_;
  std::optional<bool> begun_;  // whether there is a first row; nothing: it was stepped on
  std::uint64_t given_ = 0;
};

bool may_be_left(const Context& context, const Prepared& prepared, const Chosen& chosen) {
  const bool has_choice = prepared.sorted || has_more_candidates(prepared);
  return has_choice && chosen.walk == Walk::InOrder && context.model.dialect == query::Dialect::Sqlite;
}

// The rows of the statement that was chosen.
Result<std::unique_ptr<Row>> rows_of(const Context& context, const Prepared& prepared, const Chosen& chosen,
                                     const std::vector<Value>& constants, std::optional<ParentKey> parent,
                                     Begun begun) {
  const bool is_begun = begun.rows != nullptr;
  if (!is_begun) {
    const auto keys = chosen.keys ? std::vector{Value(*chosen.keys)} : key_values(parent);
    CALLISTO_TRY(const auto values, parameters(context, *chosen.rows, *prepared.plan, constants, keys));
    CALLISTO_TRY(begun.rows, context.connection.query(chosen.rows->sql, values));
  }
  const bool is_left = may_be_left(context, prepared, chosen);
  if (!is_left && !is_begun) return std::move(begun.rows);
  std::optional<storage::RowLimit> limit;
  if (is_left) {
    const auto passed = static_cast<std::uint64_t>(query::bound_number(query::Paging::End, *prepared.plan));
    const std::uint64_t most = walked_before_left(prepared) + most_in_vain_for_each * passed;
    CALLISTO_TRY(auto set, storage::RowLimit::set(context.connection, most));
    limit.emplace(std::move(set));
  }
  return std::unique_ptr<Row>(
      std::make_unique<Walked>(context, prepared, constants, parent, std::move(limit), std::move(begun), is_begun));
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

Result<Page> search(const Context& context, const Prepared& prepared, std::optional<ParentKey> parent) {
  const query::Plan& plan = *prepared.plan;
  CALLISTO_CHECK(check_partition(context, plan));
  CALLISTO_TRY(const auto constants, resolve_constants(context, plan));
  Page page;
  const bool is_sqlite = context.model.dialect == query::Dialect::Sqlite;
  const bool may_be_two = is_sqlite && (prepared.sorted || has_more_candidates(prepared));
  if (plan.inline_count || prepared.by_lookup || may_be_two) {
    CALLISTO_TRY(auto snapshot, storage::ReadTransaction::begin(context.connection));
    page.snapshot.emplace(std::move(snapshot));
  }
  Begun begun;
  CALLISTO_TRY(const Chosen chosen, choose(context, prepared, constants, parent, plan.inline_count ? nullptr : &begun));
  if (plan.inline_count) { CALLISTO_TRY(page.count, number(context, plan, *chosen.count, constants, parent)); }
  CALLISTO_TRY(page.rows, rows_of(context, prepared, chosen, constants, parent, std::move(begun)));
  const query::Statement& other = *chosen.other;
  if (other.sql.empty()) return page;
  CALLISTO_TRY(auto others, parameters(context, other, plan, constants, key_values(parent)));
  page.rows = std::make_unique<Chain>(context.connection, std::move(page.rows), other.sql, std::move(others));
  return page;
}

Result<std::int64_t> count(const Context& context, const Prepared& prepared, std::optional<ParentKey> parent) {
  CALLISTO_CHECK(check_partition(context, *prepared.plan));
  CALLISTO_TRY(const auto constants, resolve_constants(context, *prepared.plan));
  CALLISTO_TRY(const query::Statement* statement, choose_count(context, prepared, constants));
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
