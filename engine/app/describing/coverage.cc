#include "engine/app/describing/coverage.h"

#include "engine/catalog/problems.h"
#include "engine/script/code_lines.h"

#include <algorithm>
#include <utility>

namespace callisto::app {

namespace {

using catalog::Action;
using catalog::Entity;
using Plans = std::map<std::string, std::shared_ptr<const query::Plan>, std::less<>>;

const catalog::State* state_of(const Entity& entity, const Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return entity.states && number ? entity.states->find(*number) : nullptr;
}

}  // namespace

// Collects the points of a model's rules; those of several entities that stand at one place are one.
class CoveredRules {
 public:
  CoveredRules(const Coverage& coverage, const records::Model& model) : coverage_(coverage), model_(model) {}

  Coverage::Files all() && {
    add_code();
    for (const auto& entity : model_.catalog().entities()) {
      for (const Action* action : entity->actions)
        if (action->supported && !action->is_read()) add_action(*entity, *action);
      if (entity->states) add_states(*entity->states);
    }
    for (const auto& [entity, rules] : model_.rules)
      for (const records::Rule& rule : rules)
        if (!rule.action->is_read()) add_rule(rule);
    for (const auto& [property, rule] : model_.field_rules) {
      add_fields(*property, "read", rule.read);
      add_fields(*property, "write", rule.write);
    }
    Coverage::Files files;
    for (auto& [place, point] : points_) files[std::get<0>(place)].push_back(std::move(point));
    return files;
  }

 private:
  void add(const catalog::Origin& place, Coverage::Kind kind, std::string missing, std::uint64_t count) {
    Coverage::Point& point = points_[{place.file, place.line, missing}];
    point = {place.line, kind, std::move(missing), point.count + count};
  }

  // What actions and states were counted under is their place already.
  void set(const catalog::Origin& place, Coverage::Kind kind, std::string missing, std::uint64_t count) {
    Coverage::Point& point = points_[{place.file, place.line, missing}];
    point = {place.line, kind, std::move(missing), count};
  }

  void add_code() {
    for (const script::Source* source : model_.program->all_sources()) {
      const auto ran = coverage_.lines_run.find(source->file);
      for (const int line : script::lines_of_code(source->text)) {
        const bool is_known = ran != coverage_.lines_run.end() && ran->second.count(line) != 0;
        set({source->file, line}, Coverage::Kind::Line, {}, is_known ? ran->second.at(line) : 0);
      }
    }
  }

  void add_action(const Entity& entity, const Action& action) {
    const catalog::Origin place{action.file, action.line};
    const auto done = coverage_.done_.find({action.file, action.line});
    std::uint64_t count = 0;
    if (done != coverage_.done_.end())
      for (const auto& [state, times] : done->second) count += times;
    set(place, Coverage::Kind::Action, action.name + ": no spec does it", count);
    if (count == 0 || !entity.states) return;
    const catalog::Origin from = catalog::place(place, action.lines, "from");
    for (const std::int64_t value : action.from) {
      const catalog::State* state = entity.states->find(value);
      const auto times = state ? done->second.find(state->name) : done->second.end();
      if (state)
        set(from, Coverage::Kind::From, action.name + ": no spec does it in state " + state->name,
            times == done->second.end() ? 0 : times->second);
    }
  }

  void add_states(const catalog::StateSet& states) {
    for (const catalog::State& state : states.states) {
      const auto entered = coverage_.entered_.find({state.file, state.line});
      if (!state.imported)
        set({state.file, state.line}, Coverage::Kind::State, "state " + state.name + ": no spec brings a record there",
            entered == coverage_.entered_.end() ? 0 : entered->second);
    }
  }

  void add_filter(const catalog::Origin& place, const std::string& name, const query::Plan* plan) {
    if (!plan) return;
    const auto decided = coverage_.decided_.find(plan);
    const Coverage::Ways ways = decided == coverage_.decided_.end() ? Coverage::Ways() : decided->second;
    add(place, Coverage::Kind::Filter, name + ": holds in no spec", ways.held);
    add(place, Coverage::Kind::Filter, name + ": fails in no spec", ways.failed);
  }

  void add_rule(const records::Rule& rule) {
    const Action& action = *rule.action;
    add_filter(catalog::place(action, "offered"), "offered of " + action.name, rule.offered.get());
    add_filter(catalog::place(action, "due"), "due of " + action.name, rule.due.get());
    for (const auto& [grantee, plan] : rule.allowed) {
      const std::string option = "allowed/" + grantee;
      add_filter(catalog::place(action, option), option + " of " + action.name, plan.get());
    }
  }

  void add_fields(const catalog::Property& property, const std::string& word, const Plans& plans) {
    for (const auto& [grantee, plan] : plans) {
      const std::string option = word + "/" + grantee;
      add_filter(catalog::place(property.rights_origin, property.lines, option), option + " of " + property.name,
                 plan.get());
    }
  }

  const Coverage& coverage_;
  const records::Model& model_;
  std::map<std::tuple<std::string, int, std::string>, Coverage::Point> points_;
};

void Coverage::decided(const query::Plan& filter, bool holds) {
  Ways& ways = decided_[&filter];
  ++(holds ? ways.held : ways.failed);
}

void Coverage::performed(const Entity& entity, const Action& action, const Value& before, const Value& after) {
  const catalog::State* from = state_of(entity, before);
  if (std::find(lately_.begin(), lately_.end(), action.name) == lately_.end()) lately_.push_back(action.name);
  ++done_[{action.file, action.line}][from ? from->name : std::string()];
  if (const catalog::State* now = state_of(entity, after)) ++entered_[{now->file, now->line}];
}

std::vector<std::string> Coverage::take_done() { return std::exchange(lately_, {}); }

Coverage::Files Coverage::files(const records::Model& model) const { return CoveredRules(*this, model).all(); }

}  // namespace callisto::app
