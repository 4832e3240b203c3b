#include "engine/records/session_facts.h"

#include "engine/records/search.h"
#include "engine/records/values.h"

namespace callisto::records {

namespace {

using script::SessionFacts;

Result<SessionFacts::Person> read_person(const Context& context, std::int64_t key) {
  SessionFacts::Person person;
  const Prepared& prepared = context.model.person;
  if (!prepared.plan) return person;
  CALLISTO_TRY(const auto values, parameters(context, prepared.rows, *prepared.plan, {}, {Value(key)}));
  CALLISTO_TRY(auto row, context.connection.query(prepared.rows.sql, values));
  CALLISTO_TRY(bool found, row->step());
  if (!found) return person;
  person.reserve(prepared.plan->shape.size());
  for (const query::ShapeNode& node : prepared.plan->shape)
    if (node.kind == query::ShapeNode::Kind::Value)
      person.emplace_back(node.name, read_value(*row, node.column, *node.property));
  return person;
}

// `lasts`: becomes false where the list depends on the time.
Result<SessionFacts::List> read_list(const Context& context, const Prepared& prepared, const SessionFacts& facts,
                                     bool& lasts) {
  std::vector<Value> constants;
  for (const query::Constant& constant : prepared.plan->constants) {
    if (!constant.augmenter) {
      constants.push_back(constant.value);
      continue;
    }
    CALLISTO_TRY(Value value, context.scripts.call(*constant.augmenter, constant.arguments, facts));
    lasts = lasts && context.scripts.would_repeat();
    constants.push_back(std::move(value));
  }
  CALLISTO_TRY(const auto values, parameters(context, prepared.rows, *prepared.plan, constants, {}));
  CALLISTO_TRY(auto rows, context.connection.query(prepared.rows.sql, values));
  SessionFacts::List list;
  const query::ShapeNode& node = prepared.plan->shape.front();
  for (;;) {
    CALLISTO_TRY(bool more, rows->step());
    if (!more) return list;
    if (!rows->is_null(node.column)) list.push_back(read_value(*rows, node.column, *node.property));
  }
}

class Facts final : public SessionFacts {
 public:
  explicit Facts(const Context& context) : context_(context), of_lists_(*this) {
    const auth::Session& session = context.session;
    id = of_lists_.id = session.id;
    type = of_lists_.type = auth::name(session.type);
    partitions = of_lists_.partitions = session.partitions;
    if (session.person) user_id = of_lists_.user_id = *session.person;
    if (context.facts_state) known_ = context.model.facts.find(session, *context.facts_state);
    known_.lists.resize(context.model.lists.size());
  }

  bool may(std::string_view right) const override { return context_.session.may(std::string(right)); }

  Result<const Person*> person() const override {
    if (!context_.session.person) return SessionFacts::person();
    if (!known_.person) {
      CALLISTO_TRY(Person read, read_person(context_, *context_.session.person));
      known_.person = std::make_shared<const Person>(std::move(read));
      keep();
    }
    return known_.person.get();
  }

  Result<const List*> list(std::size_t place) const override {
    if (!context_.session.person) return SessionFacts::list(place);
    auto& known = known_.lists.at(place);
    if (!known) {
      CALLISTO_TRY(List read, read_list(context_, context_.model.lists[place], of_lists_, lasts_));
      known = std::make_shared<const List>(std::move(read));
      keep();
    }
    return known.get();
  }

  ExtensionCache* answers() const {
    if (!context_.facts_state || !lasts_) return nullptr;
    if (!known_.answers) {
      known_.answers = std::make_shared<ExtensionCache>();
      keep();
    }
    return known_.answers.get();
  }

 private:
  // A list's `where` may use tokens of the session (@UserId): they see the person, not the lists.
  class WithoutLists final : public SessionFacts {
   public:
    explicit WithoutLists(const Facts& all) : all_(all) {}
    Result<const Person*> person() const override { return all_.person(); }
    bool may(std::string_view right) const override { return all_.may(right); }

   private:
    const Facts& all_;
  };

  void keep() const {
    if (context_.facts_state && lasts_) context_.model.facts.keep(context_.session, *context_.facts_state, known_);
  }

  const Context& context_;
  WithoutLists of_lists_;
  mutable ReadFacts known_;
  mutable bool lasts_ = true;
};

}  // namespace

const script::SessionFacts& session_facts(const Context& context) {
  if (!context.facts) context.facts = std::make_unique<const Facts>(context);
  return *context.facts;
}

ExtensionCache* kept_answers(const Context& context) {
  return static_cast<const Facts&>(session_facts(context)).answers();
}

}  // namespace callisto::records
