#include "engine/records/session_facts.h"

#include "engine/records/values.h"

namespace callisto::records {

namespace {

Result<void> read_person(const Context& context, std::int64_t person, script::SessionFacts& facts) {
  const Prepared& prepared = context.model.person;
  if (!prepared.plan) return {};
  CALLISTO_TRY(const auto values, parameters(context, prepared.rows, *prepared.plan, {}, {Value(person)}));
  CALLISTO_TRY(auto row, context.connection.query(prepared.rows.sql, values));
  CALLISTO_TRY(bool found, row->step());
  if (!found) return {};
  for (const query::ShapeNode& node : prepared.plan->shape)
    if (node.kind == query::ShapeNode::Kind::Value)
      facts.person.emplace(node.name, read_value(*row, node.column, *node.property));
  return {};
}

// A list's `where` may use tokens of the session (@UserId): they see the person, not the lists.
Result<std::vector<Value>> read_list(const Context& context, const Prepared& prepared,
                                     const script::SessionFacts& facts) {
  std::vector<Value> constants;
  for (const query::Constant& constant : prepared.plan->constants) {
    if (!constant.augmenter) {
      constants.push_back(constant.value);
      continue;
    }
    CALLISTO_TRY(Value value, context.scripts.call(*constant.augmenter, constant.arguments, facts));
    constants.push_back(std::move(value));
  }
  CALLISTO_TRY(const auto values, parameters(context, prepared.rows, *prepared.plan, constants, {}));
  CALLISTO_TRY(auto rows, context.connection.query(prepared.rows.sql, values));
  std::vector<Value> list;
  const query::ShapeNode& node = prepared.plan->shape.front();
  for (;;) {
    CALLISTO_TRY(bool more, rows->step());
    if (!more) return list;
    if (!rows->is_null(node.column)) list.push_back(read_value(*rows, node.column, *node.property));
  }
}

Result<script::SessionFacts> read_facts(const Context& context) {
  script::SessionFacts facts;
  facts.id = context.session.id;
  facts.type = auth::name(context.session.type);
  if (!context.session.person) return facts;
  facts.user_id = *context.session.person;
  CALLISTO_CHECK(read_person(context, *context.session.person, facts));
  for (const Model::List& list : context.model.lists) {
    CALLISTO_TRY(auto values, read_list(context, list.query, facts));
    facts.lists.emplace(list.name, std::move(values));
  }
  return facts;
}

}  // namespace

Result<const script::SessionFacts*> session_facts(const Context& context) {
  if (context.facts) return context.facts.get();
  if (context.commits) context.facts = context.model.facts.find(context.session, *context.commits);
  if (context.facts) return context.facts.get();
  const auto before = FactsCache::Clock::now();
  CALLISTO_TRY(script::SessionFacts facts, read_facts(context));
  context.facts = std::make_shared<const script::SessionFacts>(std::move(facts));
  if (context.commits) context.model.facts.insert(context.session, *context.commits, context.facts, before);
  return context.facts.get();
}

}  // namespace callisto::records
