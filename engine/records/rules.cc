#include "engine/records/rules.h"

#include "engine/query/evaluate.h"
#include "engine/records/record_cache.h"
#include "engine/records/search.h"

#include <algorithm>
#include <functional>

namespace callisto::records {

namespace {

using catalog::Action;
using catalog::Entity;
using catalog::Property;

// Reads the paths of a predicate from the record, and through its lookups from the database.
class PathReader final : public query::RecordReader {
 public:
  PathReader(const Context& context, const Record& record) : context_(context), record_(record) {}

  Value read(const query::Path& path) const override {
    if (path.hops.empty()) return record_.get(*path.property);
    std::optional<Record> related = follow(record_, *path.hops.front());
    for (std::size_t i = 1; related && i < path.hops.size(); ++i) related = follow(*related, *path.hops[i]);
    return related ? related->get(*path.property) : Value(Null{});
  }
  const std::optional<Error>& failure() const { return failure_; }

 private:
  std::optional<Record> follow(const Record& from, const Property& lookup) const {
    const Value value = from.get(lookup);
    const auto* key = std::get_if<std::int64_t>(&value);
    if (!key || !lookup.target) return std::nullopt;
    auto related = load(context_, *lookup.target, *key);
    if (!related) failure_ = related.error();
    if (!related || !*related || !is_in_partitions(context_.session, **related)) return std::nullopt;
    return *std::move(related);
  }

  const Context& context_;
  const Record& record_;
  mutable std::optional<Error> failure_;
};

bool is_from(const Record& record, const Action& action) {
  const catalog::StateSet* states = record.entity().states;
  if (action.from.empty() || !states) return true;
  const Value value = record.get(*states->property);
  const auto* state = std::get_if<std::int64_t>(&value);
  return state && std::find(action.from.begin(), action.from.end(), *state) != action.from.end();
}

}  // namespace

bool is_in_partitions(const auth::Session& session, const Record& record) {
  if (!session.partitions || !record.entity().partitioned) return true;
  const Property* partition = record.entity().find_property(catalog::system::partition);
  const Value value = partition ? record.get(*partition) : Value(Null{});
  const auto* number = std::get_if<std::int64_t>(&value);
  return number && std::binary_search(session.partitions->begin(), session.partitions->end(), *number);
}

bool is_deleted(const Record& record) {
  const Property* flag = record.entity().find_property(catalog::system::is_deleted);
  return flag && record.get(*flag) == Value(true);
}

Result<bool> RuleCheck::holds(const Record& record, const query::Plan& plan) {
  const PathReader reader(context_, record);
  std::optional<Error> failure;
  // Asking a script costs more than all the rest of a rule, and most rules are settled by the record alone.
  const auto constant = [&](std::size_t index) -> Value {
    auto value = resolve_constant(context_, plan.constants[index]);
    if (value) return *std::move(value);
    failure = std::move(value).error();
    return Null{};
  };
  const bool holds = query::evaluate(*plan.filter, std::ref(constant), reader);
  if (failure) return *failure;
  if (reader.failure()) return *reader.failure();
  if (context_.model.observer) context_.model.observer->decided(plan, holds);
  return holds;
}

Result<bool> RuleCheck::offers(const Record& record, const Action& action) {
  if (!action.supported || action.of_deleted != is_deleted(record) || !is_from(record, action)) return false;
  return offers_in_any_state(record, action);
}

Result<bool> RuleCheck::offers_in_any_state(const Record& record, const Action& action) {
  const Rule* bound = context_.model.rule(record.entity(), action);
  if (!bound || !bound->offered) return true;
  return holds(record, *bound->offered);
}

Result<bool> RuleCheck::is_due(const Record& record, const Action& action) {
  const Rule* bound = context_.model.rule(record.entity(), action);
  if (!bound || !bound->due) return false;
  CALLISTO_TRY(const bool offered, offers(record, action));
  if (!offered) return false;
  return holds(record, *bound->due);
}

Result<bool> RuleCheck::holds_one(const Record& record, const query::RowLimit& limit) {
  if (limit.all) return true;
  for (const query::Plan* rule : limit.any_of) {
    CALLISTO_TRY(const bool satisfied, holds(record, *rule));
    if (satisfied) return true;
  }
  return false;
}

Result<bool> RuleCheck::allows(const Record& record, const Action& action) {
  const AccessRules::Limits& access = context_.access;
  const Entity& entity = record.entity();
  if (&action == entity.read) {
    const auto limit = access.by_type.find(&entity);
    return limit != access.by_type.end() ? holds_one(record, limit->second) : Result<bool>(false);
  }
  for (const query::RowLimit& limit : access.actions.at(&entity))
    if (limit.action == &action) return holds_one(record, limit);
  return false;
}

Result<RecordFields> RuleCheck::fields(const Record& record) {
  RecordFields result;
  const query::Fields &readable = context_.access.fields, &writable = context_.access.writable;
  if (readable.empty() && writable.empty()) return result;
  for (const Property* property : record.entity().properties) {
    if (property->mirror_of) continue;
    const query::RowLimit *read = readable.find(*property), *write = writable.find(*property);
    if (read) {
      CALLISTO_TRY(const bool holds, holds_one(record, *read));
      if (!holds) result.hidden.insert(property);
    }
    if (write) {
      CALLISTO_TRY(const bool holds, holds_one(record, *write));
      if (!holds) result.fixed.insert(property);
    }
  }
  return result;
}

Result<std::vector<const Action*>> RuleCheck::actions(const Record& record) {
  std::vector<const Action*> offered;
  for (const query::RowLimit& limit : context_.access.actions.at(&record.entity())) {
    const Action& action = *limit.action;
    // What rights alone rule out is asked first: it costs nothing.
    if (action.creates() || (!limit.all && limit.any_of.empty())) continue;
    CALLISTO_TRY(bool listed, offers(record, action));
    if (listed) { CALLISTO_TRY(listed, holds_one(record, limit)); }
    if (listed) offered.push_back(&action);
  }
  return offered;
}

}  // namespace callisto::records
