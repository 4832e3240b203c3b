#include "engine/records/model.h"

#include "engine/catalog/problems.h"
#include "engine/records/files.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <variant>

namespace callisto::records {

namespace {

using catalog::Problem;

constexpr std::string_view suggested = "; did you mean ";

// Of a text of the $filter language that stands at `origin`.
Problem problem_of(const catalog::Origin& origin, const std::string& what, const std::string& filter,
                   const Error& error) {
  Problem problem{origin, error.message, {}, filter};
  if (error.diagnostic) {
    const std::string option = error.diagnostic->option + ", ";  // of a request; here `what` says it
    if (problem.message.starts_with(option)) problem.message.erase(0, option.size());
    if (const auto at = problem.message.rfind(suggested); at != std::string::npos) {
      problem.suggestion = problem.message.substr(at + 2);
      problem.message.erase(at);
    }
    problem.position = error.diagnostic->position;
  }
  problem.message = what + ": " + problem.message;
  return problem;
}

catalog::Origin origin_of(const catalog::Action& action, const std::string& option) {
  return catalog::place({action.file, action.line}, action.lines, option);
}

// The columns of the record itself that a predicate depends on.
void collect(const query::Predicate& predicate, std::set<std::string>& columns) {
  for (const query::Operand* operand : {&predicate.left, &predicate.right})
    if (const auto* path = std::get_if<query::Path>(operand); path && path->property)
      columns.insert((path->hops.empty() ? path->property : path->hops.front())->column.text());
  for (const query::Predicate& child : predicate.children) collect(child, columns);
}

using Tables = std::set<std::string>;

void add_table(const catalog::Entity& entity, Tables& tables) { tables.insert(entity.root().table.text()); }

void add_tables(const query::Operand& operand, Tables& tables) {
  if (const auto* path = std::get_if<query::Path>(&operand))
    for (const catalog::Property* hop : path->hops) add_table(*hop->target, tables);
}

void add_tables(const query::Predicate& predicate, Tables& tables) {
  add_tables(predicate.left, tables);
  add_tables(predicate.right, tables);
  if (predicate.list) add_table(*predicate.list->entity, tables);
  for (const query::Predicate& child : predicate.children) add_tables(child, tables);
}

// All that a plan without joins reads.
void add_tables(const query::Plan& plan, Tables& tables) {
  add_table(*plan.entity, tables);
  if (plan.filter) add_tables(*plan.filter, tables);
  for (const query::Path& path : plan.columns) add_tables(query::Operand(path), tables);
  for (const query::SortKey& key : plan.order) add_tables(query::Operand(key.path), tables);
}

// Whether two columns are compared and one lies beyond a relation: a statement has no place to join it for a limit.
bool compares_beyond(const query::Predicate& predicate) {
  const auto* left = std::get_if<query::Path>(&predicate.left);
  const auto* right = std::get_if<query::Path>(&predicate.right);
  if (predicate.kind == query::Predicate::Kind::Compare && left && right)
    return !left->hops.empty() || !right->hops.empty();
  return std::any_of(predicate.children.begin(), predicate.children.end(), compares_beyond);
}

class Binder {
 public:
  Binder(std::shared_ptr<const script::Program> program, const query::Limits& limits, query::Dialect dialect,
         script::State& state)
      : model_(std::make_shared<Model>(std::move(program), dialect)), folder_(state) {
    model_->limits = limits;
  }

  ModelResult run() {
    for (const auto& entity : model_->catalog().entities()) {
      bind_augmenters(*entity);
      bind_rules(*entity);
      for (const catalog::Property* property : entity->properties)
        if (property->owner == entity.get()) bind_field(*property);
    }
    note_rule_columns();
    bind_person();
    for (const auto& list : model_->program->session_lists) bind_list(list);
    for (const script::WrittenQuery& each : model_->program->queries) check(each);
    note_facts_tables();
    if (!problems_.empty()) return {nullptr, std::move(problems_)};
    return {std::move(model_), {}};
  }

 private:
  // A condition is bound on every entity that may use it; its problem is told once, where it is declared.
  void bind_augmenters(const catalog::Entity& entity) {
    for (const catalog::Augmenter* augmenter : entity.augmenters) {
      query::Options options;
      if (augmenter->of_states) continue;  // by its argument
      if (augmenter->kind == catalog::AugmenterKind::Condition) options.filter = "@" + augmenter->name;
      else if (augmenter->kind == catalog::AugmenterKind::Extension) options.select = "@" + augmenter->name;
      else continue;
      auto plan = query::bind_search(model_->program->catalog, entity, options, model_->limits, folder_);
      if (plan) continue;
      catalog::Origin origin = augmenter->origin;
      if (augmenter->filter_line > 0) origin.line = augmenter->filter_line;
      std::vector<catalog::FilterPart> parts = augmenter->parts;
      if (parts.empty()) parts = {{augmenter->filter, origin.file, origin.line}};
      tell(entity, parts, "@" + augmenter->name + " on " + entity.name, plan.error());
    }
  }

  // Each part once more by itself, for the file that is at fault and the place in its filter. `error`: of all together.
  void tell(const catalog::Entity& entity, const std::vector<catalog::FilterPart>& parts, const std::string& what,
            const Error& error) {
    for (const catalog::FilterPart& part : parts) {
      const bool is_last = &part == &parts.back();
      const auto alone =
          part.filter.empty() ? Result<std::shared_ptr<const query::Plan>>(error) : bind_filter(entity, part.filter);
      if (alone && !is_last) continue;
      const catalog::Origin origin{part.file, part.line};
      if (!told(origin)) problems_.push_back(problem_of(origin, what, part.filter, alone ? error : alone.error()));
      return;
    }
  }

  // `parts`: filters that it is made of, each of which meets the limits.
  Result<std::shared_ptr<const query::Plan>> bind_filter(const catalog::Entity& entity, const std::string& filter,
                                                         std::size_t parts = 1) {
    query::Limits limits = model_->limits;
    if (parts > 1) limits.filter_bytes += filter.size(), limits.nodes *= parts + 1, limits.nesting += 2;
    return query::bind_predicate(model_->program->catalog, entity, filter, limits, folder_);
  }

  // What may be done with a file depends on what it hangs on.
  static void watch_place(const catalog::SubResource& list, std::set<std::string>& columns) {
    if (!file_properties(*list.entity)) return;
    columns.insert(list.link->column.text());
    if (list.type_link) columns.insert(list.type_link->column.text());
  }

  void note_rule_columns() {
    std::map<const catalog::Entity*, std::set<std::string>> columns;  // by root
    for (const auto& entity : model_->catalog().entities())
      if (entity->states) columns[&entity->root()].insert(entity->states->property->column.text());
    for (const auto& [entity, rules] : model_->rules)
      for (const Rule& rule : rules) {
        if (rule.offered) collect(*rule.offered->filter, columns[&entity->root()]);
        for (const auto& [type, plan] : rule.allowed)
          if (plan) collect(*plan->filter, columns[&entity->root()]);
      }
    for (const auto& [property, rule] : model_->field_rules)
      for (const auto* filters : {&rule.read, &rule.write})
        for (const auto& [grantee, plan] : *filters)
          if (plan) collect(*plan->filter, columns[&property->owner->root()]);
    for (const auto& entity : model_->catalog().entities())
      for (const catalog::SubResource& list : entity->sub_resources) watch_place(list, columns[&list.entity->root()]);
    for (const auto& [root, names] : columns) model_->store.watch(*root, names);
  }

  void bind_rules(const catalog::Entity& entity) {
    if (entity.read) bind_action(entity, *entity.read);
    for (const catalog::Action* action : entity.actions) bind_action(entity, *action);
    const auto& actions = entity.actions;
    if (entity.restore && std::find(actions.begin(), actions.end(), entity.restore) == actions.end())
      bind_action(entity, *entity.restore);
  }

  void bind_action(const catalog::Entity& entity, const catalog::Action& action) {
    Rule rule{&action, nullptr, nullptr, {}};
    if (!action.offered.empty()) rule.offered = bind_rule(entity, action, "offered", action.offered);
    for (const auto& [grantee, grant] : action.allowed) {
      if (grant.kind != catalog::Grant::Kind::Where) continue;
      auto plan = bind_rule(entity, action, "allowed/" + grantee, grant.filter);
      if (plan && action.is_read() && compares_beyond(*plan->filter))
        problems_.push_back({origin_of(action, "allowed/" + grantee),
                             "read of " + entity.name + ": allowed." + grantee +
                                 " compares two properties, one of them of another record",
                             "compare with a value, such as @UserId"});
      rule.allowed.emplace(grantee, std::move(plan));
    }
    if (!action.due.empty()) {
      rule.due = bind_rule(entity, action, "due", action.due);
      bind_due(entity, action);
    }
    if (rule.offered || rule.due || !rule.allowed.empty()) model_->rules[&entity].push_back(std::move(rule));
  }

  // Who may read and write a property: filters of the records of the entity that declares it.
  void bind_field(const catalog::Property& property) {
    if (!property.read && !property.write) return;
    FieldRule& rule = model_->field_rules[&property];
    if (property.read) bind_grants(property, "read", *property.read, rule.read);
    if (property.write) bind_grants(property, "write", *property.write, rule.write);
  }

  void bind_grants(const catalog::Property& property, const std::string& option, const catalog::Grants& grants,
                   std::map<std::string, std::shared_ptr<const query::Plan>, std::less<>>& filters) {
    const catalog::Entity& entity = *property.owner;
    for (const auto& [grantee, grant] : grants) {
      if (grant.kind != catalog::Grant::Kind::Where) continue;
      const catalog::Origin origin = catalog::place(property.rights_origin, property.lines, option + "/" + grantee);
      const std::string what = "'" + option + "." + grantee + "' of " + property.name + " of " + entity.name;
      auto plan = bind_filter(entity, grant.filter);
      if (!plan && !told(origin)) problems_.push_back(problem_of(origin, what, grant.filter, plan.error()));
      else if (plan && compares_beyond(*(*plan)->filter))
        problems_.push_back({origin, what + " compares two properties, one of them of another record",
                             "compare with a value, such as @UserId"});
      filters.emplace(grantee, plan ? *plan : nullptr);
    }
  }

  // Of the entity that the action stands with; what inherits it is found there as well.
  void bind_due(const catalog::Entity& entity, const catalog::Action& action) {
    const catalog::Action* above = entity.parent ? entity.parent->find_action(action.name) : nullptr;
    if (above && above->file == action.file) return;
    query::Options options;
    options.filter = "(" + action.due + ")" + in_states(entity, action);
    options.select = entity.key.front()->name;
    if (entity.find_property(catalog::system::version)) *options.select += "," + std::string(catalog::system::version);
    options.top = std::numeric_limits<std::int32_t>::max();  // keys are small
    query::Limits limits = model_->limits;                   // `due` has met them by itself
    limits.filter_bytes += options.filter->size();
    limits.nesting += 2;
    limits.nodes *= 2;
    auto plan = query::bind_search(model_->program->catalog, entity, options, limits, folder_);
    if (!plan) return;
    // In any order: in that of the keys the database would walk all rows until it has a page of those few that are due.
    auto unordered = std::make_shared<query::Plan>(**plan);
    unordered->order.clear();
    model_->due.push_back({&entity, &action, {unordered, emit_all(*unordered), {}}});
  }

  // Those from which any type takes the action: what has left them long ago need not be looked at again and again.
  static std::string in_states(const catalog::Entity& entity, const catalog::Action& action) {
    std::set<std::int64_t> values;
    for (const catalog::Entity* type : entity.final_types()) {
      const catalog::Action* own = type->find_action(action.name);
      if (!own) continue;
      const bool is_comparable = entity.states && type->states && type->states->property == entity.states->property;
      if (own->from.empty() || !is_comparable) return {};
      values.insert(own->from.begin(), own->from.end());
    }
    std::string text;
    for (const std::int64_t value : values)
      text += (text.empty() ? " && (" : " || ") + entity.states->property->name + " == " + std::to_string(value);
    return text.empty() ? text : text + ")";
  }

  query::Statement emit_all(const query::Plan& plan) const { return query::emit_rows(plan, {}, model_->dialect); }

  std::shared_ptr<const query::Plan> bind_rule(const catalog::Entity& entity, const catalog::Action& action,
                                               const std::string& option, const std::string& filter) {
    const auto known = action.parts.find(option);
    const catalog::Origin origin = origin_of(action, option);
    const std::vector<catalog::FilterPart> parts =
        known == action.parts.end() ? std::vector<catalog::FilterPart>{{filter, origin.file, origin.line}}
                                    : known->second;
    auto plan = bind_filter(entity, filter, parts.size());
    if (plan) return *plan;
    std::string label = option;
    std::replace(label.begin(), label.end(), '/', '.');
    tell(entity, parts, "'" + label + "' of " + action.name + " of " + entity.name, plan.error());
    return nullptr;
  }

  bool told(const catalog::Origin& origin) const {
    for (const Problem& problem : problems_)
      if (problem.origin.file == origin.file && problem.origin.line == origin.line) return true;
    return false;
  }

  void bind_person() {
    const catalog::Entity* person = model_->catalog().find(catalog::system::person_entity);
    if (!person) return;
    auto plan = query::bind_record(model_->program->catalog, *person, {}, model_->limits, folder_);
    if (!plan) {
      problems_.push_back(problem_of(person->origin, "the person's record", {}, plan.error()));
      return;
    }
    model_->person.plan = *plan;
    model_->person.rows = query::emit_record(**plan, {}, model_->dialect);
  }

  void bind_list(const script::SessionList& list) {
    const catalog::Entity* entity = model_->catalog().find(list.entity);
    if (!entity) {
      problems_.push_back({list.origin, "session list '" + list.name + "': no entity '" + list.entity + "'", {}});
      return;
    }
    query::Options options;
    options.filter = list.where;
    options.select = "Value:" + list.select;
    options.top = 10000;
    auto plan = query::bind_search(model_->program->catalog, *entity, options, model_->limits, folder_);
    if (!plan) {
      problems_.push_back(problem_of(list.origin, "session list '" + list.name + "'", list.where, plan.error()));
      return;
    }
    model_->lists.push_back({*plan, emit_all(**plan), {}});
  }

  // A search that code asks for in literals, before the code runs; what its '?' stand for is not known yet.
  void check(const script::WrittenQuery& written) {
    const catalog::Entity* entity = model_->catalog().find(written.entity);
    const std::string what = "the filter of " + (entity ? entity->name : written.entity);
    if (!entity) {
      problems_.push_back({written.origin, "there is no entity '" + written.entity + "'",
                           catalog::did_you_mean(written.entity, model_->catalog().entity_names())});
      return;
    }
    query::Options options;
    options.filter = written.filter;
    options.select = entity->key.front()->name;
    options.given.emplace(query::placeholders(written.filter), query::Given{{}, false, false});
    const auto plan = query::bind_search(model_->program->catalog, *entity, options, model_->limits, folder_);
    if (!plan && plan.error().status == 400)
      problems_.push_back(problem_of(written.origin, what, written.filter, plan.error()));
  }

  void note_facts_tables() {
    Tables tables;
    if (model_->person.plan) add_tables(*model_->person.plan, tables);
    for (const Prepared& list : model_->lists) add_tables(*list.plan, tables);
    model_->facts.read_from({tables.begin(), tables.end()});
  }

  std::shared_ptr<Model> model_;
  StateFolder folder_;
  std::vector<Problem> problems_;
};

}  // namespace

const Rule* Model::rule(const catalog::Entity& entity, const catalog::Action& action) const {
  const auto of_entity = rules.find(&entity);
  if (of_entity == rules.end()) return nullptr;
  for (const Rule& rule : of_entity->second)
    if (rule.action == &action) return &rule;
  return nullptr;
}

Result<Value> StateFolder::call(const catalog::Augmenter& function, const std::vector<Value>& arguments) {
  static const script::SessionFacts nobody;
  return state_.call(function, arguments, nobody);
}

ModelResult bind_model(std::shared_ptr<const script::Program> program, const query::Limits& limits,
                       query::Dialect dialect, script::State& state) {
  return Binder(std::move(program), limits, dialect, state).run();
}

}  // namespace callisto::records
