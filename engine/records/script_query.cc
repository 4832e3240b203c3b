#include "engine/records/script_query.h"

#include "engine/query/emit_sql.h"
#include "engine/script/host.h"

#include <algorithm>

namespace callisto::records {

namespace {

using catalog::Entity;
using script::Host;

query::Options options_of(const Entity& entity, const Host::Query& query) {
  query::Options options;
  if (!query.filter.empty()) options.filter = query.filter;
  if (!query.orderby.empty()) options.orderby = query.orderby;
  options.select = entity.key.front()->name;
  options.given.emplace();
  for (const Host::Query::Given& each : query.given) options.given->push_back({each.values, each.is_list});
  return options;
}

class Asker {
 public:
  Asker(const Context& context, const Entity& entity, const Host::Query& query, AskedBy by)
      : context_(context), entity_(entity), query_(query), by_(by) {}

  Result<std::shared_ptr<const query::Plan>> bound(query::Options options) const {
    StateFolder folder(context_.scripts);
    auto plan = query::bind_search(context_.model.program->catalog, entity_, options, limits(), folder);
    if (!plan) return told(std::move(plan).error());
    return plan;
  }

  query::Scope scope() const {
    if (by_ == AskedBy::Session) return scope_of(context_.access, context_.session).scope;
    query::Scope whole;
    whole.with_unknown_types = context_.access.with_unknown_types;
    return whole;
  }

  Result<std::unique_ptr<Row>> ask(const query::Plan& plan, const query::Statement& statement) const {
    auto constants = resolve_constants(context_, plan);
    if (!constants) return told(std::move(constants).error());
    CALLISTO_TRY(const auto values, parameters(context_, statement, plan, *constants, {}));
    return context_.connection.query(statement.sql, values);
  }

  // A filter that does not fit is the script's mistake, and is told in its line.
  Error told(Error error) const {
    const bool is_mistake = by_ == AskedBy::Desk && error.status == 400;
    return is_mistake ? script::mistake(std::move(error.message)) : error;
  }

 private:
  // The values of lists count as well, and a script may bring longer ones than a url.
  query::Limits limits() const {
    query::Limits limits = by_ == AskedBy::Session ? context_.model.limits_of(context_.access) : context_.model.limits;
    for (const Host::Query::Given& each : query_.given) limits.nodes += each.values.size();
    return limits;
  }

  const Context& context_;
  const Entity& entity_;
  const Host::Query& query_;
  const AskedBy by_;
};

}  // namespace

Result<std::vector<Store::Key>> find_keys(const Context& context, const Entity& entity, const Host::Query& query,
                                          std::size_t most, AskedBy by) {
  const Asker asker(context, entity, query, by);
  query::Options options = options_of(entity, query);
  options.top = static_cast<std::int64_t>(query.top ? std::min(*query.top, most) : most + 1);
  CALLISTO_TRY(const auto plan, asker.bound(std::move(options)));
  const query::Statement statement = query::emit_rows(*plan, asker.scope(), context.model.dialect);
  CALLISTO_TRY(const auto rows, asker.ask(*plan, statement));
  std::vector<Store::Key> keys;
  for (;;) {
    CALLISTO_TRY(const bool more, rows->step());
    if (!more) return keys;
    if (keys.size() == most)
      return script::mistake("more than " + std::to_string(most) + " records of '" + entity.name +
                             "' satisfy this: ask for the first of them with { top = " + std::to_string(most) +
                             " }, or for their number with desk.count");
    Store::Key& key = keys.emplace_back();
    for (const std::size_t column : plan->key_columns) key.push_back(rows->integer(column));
  }
}

Result<std::int64_t> count_all(const Context& context, const Entity& entity, const Host::Query& query, AskedBy by) {
  const Asker asker(context, entity, query, by);
  query::Options options = options_of(entity, query);
  options.count = true;
  CALLISTO_TRY(const auto plan, asker.bound(std::move(options)));
  const query::Statement statement = query::emit_count(*plan, asker.scope(), context.model.dialect);
  CALLISTO_TRY(const auto rows, asker.ask(*plan, statement));
  CALLISTO_TRY(const bool found, rows->step());
  return found ? rows->integer(0) : 0;
}

}  // namespace callisto::records
