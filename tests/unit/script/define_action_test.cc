#include "engine/script/load/define.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::script;
using catalog::DataType;
using catalog::Grant;
using Catch::Contains;

namespace {

using Names = std::vector<std::string>;

DefinedFile define_file(FileKind kind, const std::string& text, const std::string& name) {
  return define({name + ".lua", text}, kind, name);
}

Names lines(const DefinedFile& file) {
  Names result;
  for (const catalog::Problem& problem : file.problems) result.push_back(to_string(problem));
  std::sort(result.begin(), result.end());
  return result;
}

catalog::ActionDefinition action_of(const std::string& text, const std::string& name = "lend") {
  DefinedFile file = define_file(FileKind::Action, text, name);
  CHECK(lines(file) == Names{});
  auto* action = std::get_if<catalog::ActionDefinition>(&file.definition);
  REQUIRE(action);
  return *action;
}

std::string only_problem(FileKind kind, const std::string& text, const std::string& name = "lend") {
  Names found = lines(define_file(kind, text, name));
  CAPTURE(found);
  REQUIRE(found.size() == 1);
  return found[0];
}

std::string action_problem(const std::string& text) { return only_problem(FileKind::Action, text); }

}  // namespace

TEST_CASE("an action file says everything that an action is") {
  auto definition = action_of(R"(
return action "lend" {
  title       = "Hand over",
  description = "Gives it to a reader.",
  from        = { "Open*", "New" },
  offered     = "Reader == null",
  allowed     = { Analyst = true, User = "Owner == @UserId", Anonymous = false },
  moves_to    = "Out",
  raises      = { "Lent", "Moved" },
  mandatory   = {
    richtext "Words" { length = 200 },
    "Title",
    any_of "Receiver" {
      lookup "ReceivingReader" { entity = "reader" },
      "Group",
    },
  },
  optional    = { boolean "Quietly" { default = true } },
  history     = false,
  run         = function(book, input, session) return true end,
}
)");
  const catalog::Action& action = definition.action;
  CHECK(definition.origin.line == 2);
  CHECK(action.title == "Hand over");
  CHECK(action.description == "Gives it to a reader.");
  CHECK(definition.from == Names{"Open*", "New"});
  CHECK(definition.lines.at("from/New") == 5);
  CHECK(action.offered == "Reader == null");
  CHECK(action.allowed.at("Analyst").kind == Grant::Kind::Always);
  CHECK(action.allowed.at("User").kind == Grant::Kind::Where);
  CHECK(action.allowed.at("User").filter == "Owner == @UserId");
  CHECK(action.allowed.at("Anonymous").kind == Grant::Kind::Never);
  CHECK(definition.moves_to == "Out");
  CHECK(action.raises == Names{"Lent", "Moved"});
  CHECK_FALSE(action.history);
  CHECK(action.supported);
  const auto& parameters = definition.parameters;
  REQUIRE(parameters.size() == 5);
  CHECK(parameters[0].property.property.type == DataType::RichText);
  CHECK(parameters[0].property.property.length == 200U);
  CHECK((parameters[0].required && parameters[0].is_own && parameters[0].group.empty()));
  CHECK(parameters[1].property.property.name == "Title");
  CHECK((parameters[1].required && !parameters[1].is_own));
  CHECK(parameters[1].property.property.origin.line == 12);
  CHECK(parameters[2].property.target_entity == "reader");
  CHECK((!parameters[2].required && parameters[2].group == "Receiver"));
  CHECK((!parameters[3].required && !parameters[3].is_own && parameters[3].group == "Receiver"));
  CHECK((!parameters[4].required && parameters[4].group.empty()));
  CHECK(parameters[4].property.property.default_value == Value(true));
}

TEST_CASE("what an action leaves out has a plain meaning") {
  auto definition = action_of("return action \"lend\" { from = \"New\", raises = \"Lent\" }");
  CHECK(definition.from == Names{"New"});
  CHECK(definition.action.raises == Names{"Lent"});
  CHECK(definition.action.allowed.size() == 1);
  CHECK(definition.action.allowed.at("Analyst").kind == Grant::Kind::Always);
  CHECK((definition.action.history && definition.action.supported));
  CHECK(action_of("return action \"lend\" { allowed = {} }").action.allowed.empty());
  CHECK_FALSE(action_of("return action \"delete\" { supported = false }", "delete").action.supported);
  CHECK(define_file(FileKind::Action, "return action \"lend\" {}", "lend").functions.empty());
  CHECK(define_file(FileKind::Action, "return action \"lend\" { run = function() end }", "lend").functions ==
        Names{"run"});
}

TEST_CASE("a wrong word of an action is told with its line and the nearest right one") {
  CHECK(action_problem("return action \"lend\" {\n  form = \"New\",\n}") ==
        "lend.lua:2: unknown option 'form' of action 'lend'; did you mean 'from'?");
  CHECK(action_problem("return action \"lend\" {\n  optional = {\n    text \"Words\" {\n      requird = true } } }") ==
        "lend.lua:4: unknown option 'requird' of text 'Words'");
  CHECK(action_problem("return action \"lend\" { optional = { text \"Words\" { required = true } } }") ==
        "lend.lua:1: unknown option 'required' of text 'Words'");
  CHECK_THAT(action_problem("return action \"lend\" { optional = { any_of \"A\" { \"B\" } } }"),
             Contains("any_of 'A' does not belong in 'optional' of action 'lend'"));
  CHECK_THAT(action_problem("return action \"lend\" { mandatory = { key \"A\" } }"),
             Contains("key 'A' does not belong in"));
  CHECK_THAT(action_problem("return action \"lend\" { mandatory = { any_of \"A\" {} } }"),
             Contains("any_of 'A' is empty"));
  CHECK_THAT(action_problem("return action \"lend\" { mandatory = { any_of \"A\" { Group = \"B\" } } }"),
             Contains("any_of 'A' is a list and has no names: 'Group'"));
  CHECK_THAT(action_problem("return action \"lend\" { mandatory = { 5 } }"),
             Contains("holds a number where a definition is due"));
  CHECK_THAT(action_problem("return action \"lend\" { allowed = { \"Analyst\" } }"),
             Contains("who may, by the type of the session"));
  for (const char* from : {"{ 1 }", "{}"})
    CHECK_THAT(action_problem(std::string("return action \"lend\" { from = ") + from + " }"),
               Contains("must be a text or a list of texts"));
  CHECK_THAT(action_problem("return action \"lend\" { offered = function() end }"),
             Contains("is code where only data may stand"));
  CHECK_THAT(action_problem("return action \"lend\" { run = \"x\" }"),
             Contains("'run' of action 'lend' must be a function"));
  CHECK(action_problem("return action \"land\" {}") ==
        "lend.lua:1: the file is called 'lend' but defines 'land'; a file has the name of what it defines");
}

TEST_CASE("a states file has the name of the property and lists its values") {
  DefinedFile file = define_file(FileKind::States, R"(return states "State" {
  state "New" { value = 0, initial = true, description = "Not lent yet." },
  state "Out" { value = 1, group = "Open*" },
  state "Late" { value = 3, group = { "Open*", "Bad*" } },
})",
                                 "states");
  CHECK(lines(file) == Names{});
  auto* definition = std::get_if<catalog::StateSetDefinition>(&file.definition);
  REQUIRE(definition);
  CHECK(definition->property == "State");
  REQUIRE(definition->states.size() == 3);
  CHECK(definition->states[0].state.initial);
  CHECK(definition->states[0].state.description == "Not lent yet.");
  CHECK(definition->states[1].origin.line == 3);
  CHECK(definition->states[1].state.groups == Names{"Open*"});
  CHECK(definition->states[2].state.value == 3);
  CHECK(definition->states[2].state.groups == Names{"Open*", "Bad*"});
}

TEST_CASE("a wrong states file is told") {
  auto problem = [](const std::string& text) { return only_problem(FileKind::States, text, "states"); };
  CHECK_THAT(problem("return states \"State\" { state \"New\" { initial = true } }"),
             Contains("state 'New' needs 'value'"));
  CHECK_THAT(problem("return states \"State\" { state \"New\" { value = \"0\" } }"),
             Contains("must be a whole number"));
  CHECK_THAT(problem("return states \"State\" {\n state \"New\" { valeu = 0, value = 0 } }"),
             Contains(":2: unknown option 'valeu' of state 'New'; did you mean 'value'?"));
  CHECK_THAT(problem("return states \"State\" { \"New\" }"),
             Contains("states 'State' holds a string where a definition is due"));
  CHECK_THAT(problem("return states \"State\""), Contains("states 'State' is empty"));
  CHECK_THAT(problem("return action \"x\" {}"), Contains("a file in this folder defines states, not action 'x'"));
}

TEST_CASE("hooks are functions by name, without a name of their own") {
  DefinedFile file = define_file(FileKind::Hooks, R"(return hooks {
  history = function() end,
  before_create = function(record, before, session) end,
})",
                                 "hooks");
  CHECK(lines(file) == Names{});
  CHECK(std::holds_alternative<catalog::HooksDefinition>(file.definition));
  CHECK(file.functions == Names{"before_create", "history"});
  CHECK(only_problem(FileKind::Hooks, "return hooks {\n  befor_create = function() end }", "hooks") ==
        "hooks.lua:2: unknown option 'befor_create' of hooks; did you mean 'before_create'?");
  CHECK_THAT(only_problem(FileKind::Hooks, "return hooks \"x\"", "hooks"),
             Contains("hooks takes its options in braces"));
  CHECK_THAT(only_problem(FileKind::Hooks, "return hooks { after_update = 5 }", "hooks"),
             Contains("'after_update' of hooks must be a function"));
}
