// A library of books for the tests of scripts that write: its program, and a Host that keeps records in memory and runs
// the actions' scripts and hooks again, as the real one does.
#pragma once

#include "engine/base/datetime.h"
#include "engine/script/load/define.h"
#include "engine/script/state.h"

#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace callisto::script {

class CountingRandom final : public Random {
 public:
  std::string bytes(std::size_t count) override { return std::string(count, static_cast<char>(++calls)); }
  int calls = 0;
};

// A State over what a test writes down.
class Library {
 public:
  Library() {
    add(FileKind::Common, "common", "return common { properties = { key \"Ref\", boolean \"IsDeleted\" } }");
    add(FileKind::Entity, "book", R"(return entity "book" { properties = {
      text "Title" { length = 40 }, integer "Pages", long "Number", decimal "Price" { scale = 2 }, boolean "Lent",
      datetime "Due", lookup "Reader" { entity = "reader" }, integer "ReaderId" { mirror = "Reader" }, short "State" } })");
    add(FileKind::Entity, "reader", "return entity \"reader\" { properties = { text \"Name\" } }");
    add(FileKind::Entity, "item", "return entity \"item\" { abstract = true }");
    add(FileKind::Entity, "film", "return entity \"film\" { extends = \"item\" }");
    action("create", "", "common");
  }

  // Below scripts/<scope>/.
  Library& add(FileKind kind, const std::string& name, const std::string& text, const std::string& scope = "book") {
    const bool adds = kind == FileKind::ActionAddition;
    Source source{name + (adds ? "+more.lua" : ".lua"), text};
    DefinedFile file = define(source, kind, name);
    for (const catalog::Problem& problem : file.problems) FAIL(to_string(problem));
    int script = file.functions.empty() ? -1 : program_->add(source, file.functions);
    if (auto* common = std::get_if<Common>(&file.definition)) definitions_.common = common->properties;
    if (auto* entity = std::get_if<catalog::EntityDefinition>(&file.definition))
      definitions_.entities.push_back(*entity);
    if (auto* action = std::get_if<catalog::ActionDefinition>(&file.definition)) {
      action->entity = scope;
      if (adds) add_addition(*action, file, script);
      else action->action.script = script, definitions_.actions.push_back(*action);
    }
    if (auto* hooks = std::get_if<catalog::HooksDefinition>(&file.definition)) {
      hooks->entity = scope;
      for (const auto& [option, member] : catalog::hook_names)
        for (std::size_t i = 0; i < file.functions.size(); ++i)
          if (file.functions[i] == option) (hooks->hooks.*member).push_back(script + static_cast<int>(i));
      definitions_.hooks.push_back(*hooks);
    }
    if (auto* augmenter = std::get_if<catalog::AugmenterDefinition>(&file.definition)) {
      augmenter->entity = scope;
      augmenter->augmenter.script = script;
      definitions_.augmenters.push_back(*augmenter);
    }
    return *this;
  }

  void add_addition(catalog::ActionDefinition& addition, const DefinedFile& file, int script) {
    addition.addition = addition.action.name + "+more";
    for (std::size_t i = 0; i < file.functions.size(); ++i)
      (file.functions[i] == "before" ? addition.before : addition.after) = script + static_cast<int>(i);
    definitions_.action_additions.push_back(addition);
  }
  Library& action(const std::string& name, const std::string& options, const std::string& scope = "book") {
    return add(FileKind::Action, name, "return action \"" + name + "\" { " + options + " }", scope);
  }
  // An action of nothing but code: run = function(record, input, session) <body> end.
  Library& run(const std::string& name, const std::string& body, const std::string& options = "") {
    return action(name, options + " run = function(record, input, session)\n" + body + "\nend");
  }
  Library& hooks(const std::string& options) {
    return add(FileKind::Hooks, "hooks", "return hooks { " + options + " }");
  }

  const catalog::Catalog& catalog() {
    if (!program_->catalog) {
      auto built = catalog::build(definitions_);
      for (const catalog::Problem& problem : built.problems) FAIL(to_string(problem));
      program_->catalog = built.catalog;
    }
    return *program_->catalog;
  }
  const catalog::Entity& entity(const std::string& name) { return *catalog().find(name); }

  State& state() {
    catalog();
    if (!state_) {
      auto made = State::create(program_, {.time_ms = 50, .memory_mib = 32}, clock_, random);
      REQUIRE(made);
      state_ = *std::move(made);
    }
    return *state_;
  }

  CountingRandom random;

 private:
  SystemClock clock_;
  catalog::Definitions definitions_;
  std::shared_ptr<Program> program_ = std::make_shared<Program>();
  std::unique_ptr<State> state_;
};

class FakeHost final : public Host {
 public:
  explicit FakeHost(Library& library) : library_(library) {}

  Handle add(const std::string& entity, std::map<std::string, Value> values = {}) {
    Record record{&library_.entity(entity), {}, {}};
    record.now[record.entity->find_property("Ref")] = static_cast<std::int64_t>(records_.size()) + 1;
    for (const auto& [name, value] : values) record.now[record.entity->find_property(name)] = value;
    record.before = record.now;
    records_.push_back(std::move(record));
    return records_.size() - 1;
  }
  Value value(Handle record, const std::string& name) const { return get(record, *entity(record).find_property(name)); }
  std::size_t count() const { return records_.size(); }

  Result<bool> run(Handle record, const std::string& action, const NamedValues& input = {}) {
    return library_.state().run(*entity(record).find_action(action), *this, record, input, session);
  }

  const catalog::Entity& entity(Handle record) const override { return *records_.at(record).entity; }
  Value get(Handle record, const catalog::Property& property) const override {
    return read(records_.at(record).now, property);
  }
  Value get_before(Handle record, const catalog::Property& property) const override {
    return read(records_.at(record).before, property);
  }
  Result<void> set(Handle record, const catalog::Property& property, Value value) override {
    if (refusal) return *refusal;
    records_.at(record).now[&property] = std::move(value);
    return {};
  }
  Result<void> act(Handle record, std::string_view action, const NamedValues& input) override {
    inputs.push_back(input);
    auto done = run(record, std::string(action), input);
    if (!done && !swallows) return std::move(done).error();
    return {};
  }
  Result<std::optional<Handle>> find(const catalog::Entity& wanted, const Key& key) override {
    for (Handle i = 0; i < records_.size(); ++i)
      if (records_[i].entity == &wanted && value(i, "Ref") == Value(key.front())) return std::optional<Handle>(i);
    return std::optional<Handle>();
  }
  Result<std::vector<Handle>> search(const catalog::Entity& wanted, const Match& match) override {
    std::vector<Handle> found;
    for (Handle i = 0; i < records_.size(); ++i)
      if (records_[i].entity == &wanted && matches(i, match)) found.push_back(i);
    return found;
  }
  Result<std::vector<Handle>> search(const catalog::Entity& wanted, const Query& query) override {
    queries.push_back(query);
    return search(wanted, Match());
  }
  Result<std::int64_t> count(const catalog::Entity& wanted, const Query& query) override {
    CALLISTO_TRY(const auto found, search(wanted, query));
    return static_cast<std::int64_t>(found.size());
  }
  std::size_t placeholders(std::string_view filter) const override {
    return static_cast<std::size_t>(std::count(filter.begin(), filter.end(), '?'));
  }
  Result<Handle> create(const catalog::Entity& wanted, const NamedValues& values) override {
    Handle made = add(wanted.name, {values.begin(), values.end()});
    for (const int script : wanted.hooks.before_create)
      if (auto hook = library_.state().run_hook(script, *this, made, session); !hook) return hook.error();
    return made;
  }
  void answer(Handle record) override { answered = record; }
  void answer(NamedValues values) override { answered_values = std::move(values); }
  void raise(Handle, std::string_view event) override { events.emplace_back(event); }
  Result<void> make_secret(Handle record, const catalog::Property& property) override {
    return set(record, property, std::string("made"));
  }
  Result<void> keep_secret(Handle, std::string_view hash) override {
    secrets.emplace_back(hash);
    return {};
  }
  std::vector<std::string> secrets;

  SessionFacts session;
  std::optional<Error> refusal;  // what `set` answers
  std::optional<Handle> answered;
  std::optional<NamedValues> answered_values;
  bool swallows = false;  // `act` says that all went well, whatever happened
  std::vector<NamedValues> inputs;
  std::vector<Query> queries;
  std::vector<std::string> events;

 private:
  using Values = std::map<const catalog::Property*, Value>;
  struct Record {
    const catalog::Entity* entity;
    Values now, before;
  };

  static Value read(const Values& values, const catalog::Property& property) {
    auto found = values.find(&property);
    return found == values.end() ? Value(Null{}) : found->second;
  }
  bool matches(Handle record, const Match& match) const {
    for (const auto& [property, values] : match)
      if (std::find(values.begin(), values.end(), get(record, *property)) == values.end()) return false;
    return true;
  }

  Library& library_;
  std::vector<Record> records_;
};

}  // namespace callisto::script
