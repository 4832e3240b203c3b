#include "engine/records/examine.h"

#include "engine/base/text.h"
#include "engine/catalog/problems.h"
#include "engine/records/examine_due.h"

#include <algorithm>
#include <set>
#include <variant>

namespace callisto::records {

namespace {

using catalog::Action;
using catalog::Entity;
using catalog::Grant;
using catalog::State;
using catalog::StateSet;

Chance contrary(Chance chance) {
  if (chance == Chance::Perhaps) return chance;
  return chance == Chance::Never ? Chance::Always : Chance::Never;
}

Chance certain(bool holds) { return holds ? Chance::Always : Chance::Never; }

// A predicate of which only the record's state is known.
class Known {
 public:
  Known(const query::Plan& plan, const StateSet& states, std::int64_t state)
      : plan_(plan), property_(states.property), state_(state) {}

  Chance of(const query::Predicate& predicate) const {
    using Kind = query::Predicate::Kind;
    switch (predicate.kind) {
      case Kind::Always:
        return certain(predicate.constant_value);
      case Kind::Not:
        return contrary(of(predicate.children.front()));
      case Kind::And:
        return least(predicate.children);
      case Kind::Or:
        return most(predicate.children);
      case Kind::IsNull:
        return is_state(predicate.left) ? Chance::Never : Chance::Perhaps;
      case Kind::Compare:
        return compared(predicate);
      case Kind::OneOf:
        return one_of(predicate);
      case Kind::HasRow:
      case Kind::RowCount:
      case Kind::Flag:
      case Kind::Text:
        break;
    }
    return Chance::Perhaps;
  }

 private:
  Chance least(const std::vector<query::Predicate>& children) const {
    Chance chance = Chance::Always;
    for (const query::Predicate& child : children) chance = std::min(chance, of(child));
    return chance;
  }

  Chance most(const std::vector<query::Predicate>& children) const {
    Chance chance = Chance::Never;
    for (const query::Predicate& child : children) chance = std::max(chance, of(child));
    return chance;
  }

  bool is_state(const query::Operand& operand) const {
    const auto* path = std::get_if<query::Path>(&operand);
    return path && path->source == 0 && path->hops.empty() && path->property == property_;
  }

  Chance compared(const query::Predicate& predicate) const {
    const auto* reference = std::get_if<query::ConstantRef>(&predicate.right);
    if (!reference || !is_state(predicate.left)) return Chance::Perhaps;
    const query::Constant& constant = plan_.constants[reference->index];
    const auto* number = std::get_if<std::int64_t>(&constant.value);
    if (constant.augmenter || !number) return Chance::Perhaps;
    switch (predicate.op) {
      case query::CompareOp::Equal:
        return certain(state_ == *number);
      case query::CompareOp::NotEqual:
        return certain(state_ != *number);
      case query::CompareOp::Less:
        return certain(state_ < *number);
      case query::CompareOp::LessEqual:
        return certain(state_ <= *number);
      case query::CompareOp::Greater:
        return certain(state_ > *number);
      case query::CompareOp::GreaterEqual:
        return certain(state_ >= *number);
    }
    return Chance::Perhaps;
  }

  Chance one_of(const query::Predicate& predicate) const {
    if (!is_state(predicate.left)) return Chance::Perhaps;
    Chance chance = Chance::Never;
    for (const query::ConstantRef each : predicate.values) {
      const query::Constant& constant = plan_.constants[each.index];
      const auto* number = std::get_if<std::int64_t>(&constant.value);
      chance = std::max(chance, constant.augmenter || !number ? Chance::Perhaps : certain(state_ == *number));
    }
    return chance;
  }

  const query::Plan& plan_;
  const catalog::Property* property_;
  std::int64_t state_;
};

bool contains(const std::vector<std::int64_t>& values, std::int64_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::string described(const State& state) { return "state " + text::quoted(state.name); }

// What all entities together say of one states file or one actions file; children repeat what they inherit.
struct StateUse {
  std::set<std::int64_t> reached, left;
};

struct ActionUse {
  const Entity* first = nullptr;
  const Action* action = nullptr;
  bool offered = false, granted = false;
};

class Examination {
 public:
  explicit Examination(const Model& model) : model_(model) {}

  std::vector<catalog::Problem> run() {
    for (const auto& entity : model_.catalog().entities())
      if (!entity->abstract) look_at(*entity);
    for (const catalog::Problem& each : model_.program->warnings)
      problems_.add(each.origin, each.message, each.suggestion);
    for (const auto& [states, use] : states_) judge(*states, use);
    for (const auto& [place, use] : actions_) judge(use);
    examine_due(model_, problems_);
    return problems_.take();
  }

 private:
  void look_at(const Entity& entity) {
    if (entity.states) { states_[entity.states].reached.insert(entity.states->initial()->value); }
    for (const Action* action : entity.actions) {
      if (!action->supported) continue;
      ActionUse& use = actions_[{action->file, action->name}];
      if (!use.action) use.first = &entity, use.action = action;
      look_at(entity, *action, use);
    }
  }

  void look_at(const Entity& entity, const Action& action, ActionUse& use) {
    if (!entity.states || action.creates()) {
      use.offered = true;
      use.granted = use.granted || is_granted(entity, action, 0);
      if (entity.states) note_moves(*entity.states, action, nullptr);
      return;
    }
    for (const State& state : entity.states->states) {
      if (offered_in(model_, entity, action, state.value) == Chance::Never) continue;
      use.offered = true;
      use.granted = use.granted || is_granted(entity, action, state.value);
      note_moves(*entity.states, action, &state);
    }
  }

  void note_moves(const StateSet& states, const Action& action, const State* from) {
    StateUse& use = states_[&states];
    std::vector<std::int64_t> targets = action.may_move_to;
    if (action.moves_to) targets.push_back(*action.moves_to);
    use.reached.insert(targets.begin(), targets.end());
    if (from && std::any_of(targets.begin(), targets.end(), [&](auto each) { return each != from->value; }))
      use.left.insert(from->value);
  }

  bool is_granted(const Entity& entity, const Action& action, std::int64_t state) const {
    return std::any_of(action.allowed.begin(), action.allowed.end(), [&](const auto& each) {
      return granted_in(model_, entity, action, state, each.first) != Chance::Never;
    });
  }

  void judge(const StateSet& states, const StateUse& use) {
    for (const State& state : states.states) {
      const catalog::Origin origin{state.file, state.line};
      const bool reached = use.reached.count(state.value) > 0, left = use.left.count(state.value) > 0;
      if (!reached && !state.imported)
        problems_.add(origin, "no action says that it moves to " + described(state),
                      "say 'moves_to' or 'may_move_to' in the action that does, or 'imported = true' of the state");
      if (reached && state.imported)
        problems_.add(origin, described(state) + " is 'imported', but " + mover_to(states, state) + " leads to it",
                      "take 'imported' away");
      if (!left && !state.final)
        problems_.add(origin, "no action leaves " + described(state),
                      "say 'final = true' of the state if it is an end, or 'may_move_to' in the action that does");
      if (left && state.final)
        problems_.add(origin, described(state) + " is 'final', but " + leaver_of(states, state) + " leaves it",
                      "take 'final' away, or the state out of the action's 'from'");
    }
  }

  template <typename Matches>
  std::string first_action(const StateSet& states, const Matches& matches) const {
    for (const auto& entity : model_.catalog().entities())
      for (const Action* action : entity->actions)
        if (entity->states == &states && !entity->abstract && action->supported && matches(*entity, *action))
          return "action " + text::quoted(action->name);
    return "being initial";
  }

  std::string mover_to(const StateSet& states, const State& state) const {
    return first_action(states, [&](const Entity&, const Action& action) {
      return action.moves_to == state.value || contains(action.may_move_to, state.value);
    });
  }

  std::string leaver_of(const StateSet& states, const State& state) const {
    return first_action(states, [&](const Entity& entity, const Action& action) {
      return (action.moves_to.value_or(state.value) != state.value ||
              std::any_of(action.may_move_to.begin(), action.may_move_to.end(),
                          [&](std::int64_t each) { return each != state.value; })) &&
             !action.creates() && offered_in(model_, entity, action, state.value) != Chance::Never;
    });
  }

  void judge(const ActionUse& use) {
    const Action& action = *use.action;
    const std::string name = "action " + text::quoted(action.name) + " of " + use.first->name;
    if (!use.offered)
      problems_.add(catalog::place(action, "offered"),
                    name + " is offered in no state: 'from' and 'offered' never hold together",
                    "fix one of them, or remove the action with 'supported = false'");
    else if (!use.granted && action.due.empty() && !is_named(action.name))
      problems_.add(catalog::place(action, "allowed"), name + " is allowed to nobody, and no script does it",
                    "grant it, such as allowed = { Analyst = true }, or remove it with 'supported = false'");
    if (action.moves_to && action.from == std::vector<std::int64_t>{*action.moves_to})
      problems_.add(catalog::place(action, "moves_to"), name + " moves to the only state that it is offered in",
                    "leave 'moves_to' out, or name another state");
  }

  // Whether code names the action, to do it itself: record:act "activate".
  bool is_named(const std::string& name) const {
    const auto sources = model_.program->all_sources();
    return std::any_of(sources.begin(), sources.end(), [&](const script::Source* source) {
      return source->text.find("act \"" + name + "\"") != std::string::npos ||
             source->text.find("act(\"" + name + "\"") != std::string::npos;
    });
  }

  const Model& model_;
  std::map<const StateSet*, StateUse> states_;
  std::map<std::pair<std::string, std::string>, ActionUse> actions_;  // by file and name
  catalog::Problems problems_;
};

}  // namespace

Chance offered_in(const Model& model, const Entity& entity, const Action& action, std::int64_t state) {
  if (!action.supported || (!action.from.empty() && !contains(action.from, state))) return Chance::Never;
  const Rule* rule = model.rule(entity, action);
  if (!rule || !rule->offered) return Chance::Always;
  if (!entity.states) return Chance::Perhaps;
  return Known(*rule->offered, *entity.states, state).of(*rule->offered->filter);
}

Chance due_in(const Model& model, const Entity& entity, const Action& action, std::int64_t state) {
  const Rule* rule = model.rule(entity, action);
  if (!rule || !rule->due) return Chance::Never;
  if (!entity.states) return Chance::Perhaps;
  return Known(*rule->due, *entity.states, state).of(*rule->due->filter);
}

Chance granted_in(const Model& model, const Entity& entity, const Action& action, std::int64_t state,
                  std::string_view grantee) {
  const auto grant = action.allowed.find(std::string(grantee));
  if (grant == action.allowed.end() || grant->second.kind == Grant::Kind::Never) return Chance::Never;
  if (grant->second.kind == Grant::Kind::Always) return Chance::Always;
  const Rule* rule = model.rule(entity, action);
  if (!rule || !entity.states || action.creates()) return Chance::Perhaps;
  const query::Plan& plan = *rule->allowed.at(std::string(grantee));
  return Known(plan, *entity.states, state).of(*plan.filter);
}

std::vector<catalog::Problem> examine(const Model& model) { return Examination(model).run(); }

}  // namespace callisto::records
