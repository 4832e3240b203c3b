#include "engine/catalog/builder.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::catalog;
using Catch::Contains;
using Catch::EndsWith;

namespace {

using Names = std::vector<std::string>;

PropertyDefinition property(std::string name, DataType type, std::string target = {}) {
  PropertyDefinition definition;
  definition.property.name = std::move(name);
  definition.property.type = type;
  definition.target_entity = std::move(target);
  return definition;
}

EntityDefinition entity(std::string name, std::vector<PropertyDefinition> properties, std::string extends = {}) {
  EntityDefinition definition;
  definition.origin = {"entities/" + name + ".lua", 1};
  definition.name = std::move(name);
  definition.extends = std::move(extends);
  definition.properties = std::move(properties);
  return definition;
}

StateSetDefinition states(std::string scope, std::vector<State> list) {
  StateSetDefinition definition{scope, "State", {}, {"scripts/" + scope + "/states.lua", 1}};
  int line = 1;
  for (State& each : list)
    definition.states.push_back({std::move(each), true, {"scripts/" + scope + "/states.lua", ++line}, {}});
  return definition;
}

ActionDefinition action(std::string scope, std::string name) {
  ActionDefinition definition;
  definition.origin = {"scripts/" + scope + "/actions/" + name + ".lua", 1};
  definition.entity = std::move(scope);
  definition.action.name = std::move(name);
  definition.action.allowed["Analyst"] = {Grant::Kind::Always, {}};
  return definition;
}

ActionDefinition::ParameterDefinition named(std::string name, int line = 5) {
  ActionDefinition::ParameterDefinition parameter;
  parameter.property.property.name = std::move(name);
  parameter.property.property.origin = {"action", line};
  parameter.is_own = false;
  return parameter;
}

ActionDefinition::ParameterDefinition own(PropertyDefinition wanted) {
  wanted.property.origin = {"action", 6};
  return {std::move(wanted), true, true, "Receiver"};
}

// Loans go from New to Out and Back; a gift extends them with states of its own. Items are abstract; a box is one.
Definitions library() {
  Definitions definitions;
  PropertyDefinition key = property("Ref", DataType::Integer);
  key.property.is_key = key.property.readonly = true;
  definitions.common = {key, property("IsDeleted", DataType::Boolean)};
  PropertyDefinition state = property("State", DataType::Short);
  state.property.readonly = true;
  EntityDefinition item = entity("item", {property("Label", DataType::Text)});
  item.abstract = true;
  definitions.entities = {entity("loan", {state, property("Title", DataType::Text)}),
                          entity("gift", {property("Thanks", DataType::Text)}, "loan"), item, entity("box", {}, "item"),
                          entity("reader", {property("Name", DataType::Text)})};
  definitions.states = {states("loan", {{"New", "", 0, {}, true},
                                        {"Out", "", 1, {"Open*"}, false},
                                        {"Late", "", 3, {"Open*"}, false},
                                        {"Back", "", 2, {"Closed*"}, false}})};
  for (const char* name : {"delete", "update", "create"}) definitions.actions.push_back(action("common", name));
  return definitions;
}

std::shared_ptr<const Catalog> built(Definitions definitions) {
  BuildResult result = build(std::move(definitions));
  for (const Problem& problem : result.problems) FAIL(to_string(problem));
  return result.catalog;
}

Names problems_of(Definitions definitions) {
  Names lines;
  for (const Problem& problem : build(std::move(definitions)).problems) lines.push_back(to_string(problem));
  return lines;
}

std::string problem_with(ActionDefinition definition) {
  Definitions definitions = library();
  definitions.actions.push_back(std::move(definition));
  Names lines = problems_of(std::move(definitions));
  CAPTURE(lines);
  REQUIRE(lines.size() == 1);
  return lines[0];
}

Names names(const Entity& entity) {
  Names result;
  for (const Action* each : entity.actions) result.push_back(each->name);
  return result;
}

}  // namespace

TEST_CASE("create, update and delete come to every entity, and only what rows can be supports them") {
  auto catalog = built(library());
  for (const char* name : {"loan", "gift", "item", "box", "reader"})
    CHECK(names(*catalog->find(name)) == Names{"create", "update", "delete"});
  CHECK(catalog->find("box")->find_action("create")->supported);
  CHECK_FALSE(catalog->find("item")->find_action("create")->supported);
  CHECK(catalog->find("loan")->find_action("delete")->kind == Action::Kind::Delete);
  CHECK(catalog->find("loan")->find_action("update")->title == "Update");
}

TEST_CASE("an action's states are values, its groups all of theirs") {
  Definitions definitions = library();
  auto give_back = action("loan", "give-back");
  give_back.from = {"Open*", "Late", "New"};
  give_back.moves_to = "Back";
  definitions.actions.push_back(give_back);
  auto catalog = built(std::move(definitions));
  const Action* found = catalog->find("gift")->find_action("GIVEBACK");
  REQUIRE(found);
  CHECK(found == catalog->find("gift")->find_action("give-back"));
  CHECK(found->from == std::vector<std::int64_t>{1, 3, 0});
  CHECK(found->moves_to == 2);
  CHECK(found->title == "Give back");
  CHECK(found->pascal_name == "GiveBack");
  CHECK(found->kind == Action::Kind::Own);
  CHECK(names(*catalog->find("loan")) == Names{"create", "update", "delete", "give-back"});
  CHECK(catalog->find("reader")->find_action("give-back") == nullptr);
}

TEST_CASE("states are inherited until a child has its own") {
  Definitions definitions = library();
  auto catalog = built(definitions);
  const StateSet* states_of_loan = catalog->find("loan")->states;
  CHECK(catalog->find("gift")->states == states_of_loan);
  CHECK(catalog->find("reader")->states == nullptr);
  CHECK(states_of_loan->property == catalog->find("loan")->find_property("State"));
  CHECK(states_of_loan->initial()->name == "New");
  CHECK(states_of_loan->find(3)->name == "Late");
  CHECK(states_of_loan->find(9) == nullptr);

  definitions.states.push_back(states("gift", {{"Wrapped", "", 7, {}, true}}));
  auto leave = action("gift", "leave");
  leave.from = {"Wrapped"};
  definitions.actions.push_back(leave);
  catalog = built(definitions);
  CHECK(catalog->find("gift")->find_action("leave")->from == std::vector<std::int64_t>{7});

  auto lend = action("loan", "lend");
  lend.moves_to = "Out";
  definitions.actions.push_back(lend);
  Names lines = problems_of(definitions);
  // One problem of the states that are to blame, however many actions and words there are.
  auto keep = action("loan", "keep");
  keep.from = {"Open*", "Out"};
  keep.may_move_to = {"Back"};
  definitions.actions.push_back(keep);
  lines = problems_of(definitions);
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0],
             Contains("'gift' has states of its own, without 'Back', 'Open*', 'Out', which 2 inherited actions "
                      "name: keep, lend; add states to those of 'loan' in gift/states+gift.lua instead, or write "
                      "these actions for 'gift', or remove them with 'supported = false'"));
  // What is wrong in the states themselves comes first, and alone.
  definitions.states.back().states.push_back(definitions.states.back().states.front());
  lines = problems_of(definitions);
  CHECK(lines.size() == 2);
  for (const std::string& line : lines) CHECK_THAT(line, Contains("state 'Wrapped'") || Contains("initial already"));
}

TEST_CASE("the nearest action of a name wins, and a child may take one away") {
  Definitions definitions = library();
  auto lend = action("loan", "lend");
  definitions.actions.push_back(lend);
  lend = action("gift", "lend");
  lend.action.title = "Hand over";
  definitions.actions.push_back(lend);
  auto create = action("gift", "create");
  create.action.supported = false;
  definitions.actions.push_back(create);
  auto catalog = built(definitions);
  CHECK(catalog->find("loan")->find_action("lend")->title == "Lend");
  CHECK(catalog->find("gift")->find_action("lend")->title == "Hand over");
  CHECK_FALSE(catalog->find("gift")->find_action("create")->supported);

  definitions.actions[4].action.supported = false;
  catalog = built(definitions);
  CHECK(catalog->find("gift")->find_action("lend") == nullptr);
  CHECK(catalog->find("loan")->find_action("lend"));

  auto burn = action("reader", "burn");
  burn.action.supported = false;
  CHECK_THAT(problem_with(burn), Contains("takes away nothing: 'reader' inherits no such action"));
}

TEST_CASE("parameters are an action's own or properties of the entity") {
  Definitions definitions = library();
  auto lend = action("loan", "lend");
  lend.parameters = {own(property("Receiver", DataType::Lookup, "reader")), named("Title")};
  definitions.actions.push_back(lend);
  auto catalog = built(std::move(definitions));
  const Entity& gift = *catalog->find("gift");
  const auto& parameters = gift.find_action("lend")->parameters;
  REQUIRE(parameters.size() == 2);
  CHECK(parameters[0].property->target == catalog->find("reader"));
  CHECK(parameters[0].property->display_types == Names{"Lookup"});
  CHECK((parameters[0].is_own && parameters[0].required && parameters[0].group == "Receiver"));
  CHECK(parameters[1].property == gift.find_property("Title"));
  CHECK_FALSE(parameters[1].is_own);
}

TEST_CASE("what an action says wrongly is told at its place") {
  auto lend = action("loan", "lend");
  lend.lines = {{"from", 3}, {"from/Opne*", 4}, {"allowed/Analist", 5}};
  lend.from = {"Opne*"};
  CHECK(problem_with(lend) ==
        "scripts/loan/actions/lend.lua:4: unknown state 'Opne*' in 'from' of action 'lend'; did you mean 'Open*'?");
  lend.from.clear();
  lend.moves_to = "Open*";
  CHECK_THAT(problem_with(lend), Contains("unknown state 'Open*' in 'moves_to' of action 'lend'"));
  lend = action("reader", "leave");
  lend.from = {"New"};
  CHECK_THAT(problem_with(lend), Contains("'from' of action 'leave' needs states, and 'reader' has none"));
  lend = action("loan", "lend");
  lend.action.allowed["Analist"] = {};
  CHECK_THAT(problem_with(lend), EndsWith("did you mean 'Analyst'?"));
  lend = action("loan", "lend");
  lend.action.allowed["User"] = {Grant::Kind::Where, " "};
  CHECK_THAT(problem_with(lend), Contains("the filter of 'User' in 'allowed' of action 'lend' is empty"));
  lend = action("loan", "lend");
  lend.action.raises = {"lent"};
  CHECK_THAT(problem_with(lend), Contains("an event's name begins with a capital"));
  CHECK_THAT(problem_with(action("loan", "Lend")), Contains("an action's name has small letters"));
  CHECK_THAT(problem_with(action("laon", "lend")), EndsWith("did you mean 'loan'?"));
  CHECK_THAT(problem_with(action("common", "create")), Contains("action 'create' is already defined for 'common'"));
}

TEST_CASE("what create cannot have is told") {
  auto create = action("loan", "create");
  create.from = {"New"};
  CHECK_THAT(problem_with(create), Contains("'from' is not for create"));
  create.from.clear();
  create.moves_to = "New";
  CHECK_THAT(problem_with(create), Contains("'moves_to' is not for create"));
  create.moves_to.clear();
  create.action.offered = "Title != null";
  CHECK_THAT(problem_with(create), Contains("'offered' is not for create"));
}

TEST_CASE("what is due can be done without anybody") {
  auto create = action("loan", "create");
  create.action.due = "Title != null";
  CHECK_THAT(problem_with(create), Contains("'due' is not for create"));
  auto lend = action("loan", "lend");
  lend.action.due = "Title != null";
  lend.parameters.emplace_back();
  lend.parameters.back().property = property("Reader", DataType::Text);
  lend.parameters.back().required = true;
  CHECK_THAT(problem_with(lend), Contains("cannot be 'due': nobody can give what is mandatory"));
}

TEST_CASE("read says who sees what, and nothing else") {
  auto read = action("loan", "read");
  for (const char* word : {"from", "offered", "moves_to", "raises", "mandatory", "run", "supported"}) {
    read.lines = {{word, 3}};
    CHECK_THAT(problem_with(read), Contains(std::string("'") + word + "' is not for read"));
  }
}

TEST_CASE("wrong parameters are told at their place") {
  auto lend = action("loan", "lend");
  lend.parameters = {named("Titel")};
  CHECK(problem_with(lend) == "action:5: unknown property 'Titel' in action 'lend'; did you mean 'Title'?");
  lend.parameters = {named("State")};
  CHECK(problem_with(lend) ==
        "action:5: 'State' is read-only, so that action 'lend' cannot take it; give the action a parameter of its own");
  lend.parameters = {named("Title"), own(property("TITLE", DataType::Text))};
  CHECK_THAT(problem_with(lend), Contains("parameter 'TITLE' of action 'lend' is there already"));
  lend.parameters = {own(property("Receiver", DataType::Lookup, "raeder"))};
  CHECK_THAT(problem_with(lend), EndsWith("unknown entity 'raeder' in lookup 'Receiver'; did you mean 'reader'?"));
  lend.parameters = {own(property("receiver", DataType::Text))};
  CHECK_THAT(problem_with(lend), Contains("begins with a capital"));
}

TEST_CASE("what an inherited action does not fit is told once") {
  Definitions definitions = library();
  auto rename = action("common", "rename");
  rename.parameters = {named("Name")};
  definitions.actions.push_back(rename);
  Names lines = problems_of(definitions);
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], Contains("unknown property 'Name' in action 'rename' of 'item'"));
}

TEST_CASE("states are one property's values, each with one name, one of them initial") {
  auto problem_of = [](StateSetDefinition wrong) {
    Definitions definitions = library();
    definitions.states = {std::move(wrong)};
    Names lines = problems_of(std::move(definitions));
    CAPTURE(lines);
    REQUIRE(lines.size() == 1);
    return lines[0];
  };
  const State fresh{"New", "", 0, {}, true};
  CHECK_THAT(problem_of(states("loan", {fresh, {"New", "", 1, {}, false}})),
             EndsWith("states.lua:3: state 'New' is already defined at scripts/loan/states.lua:2"));
  CHECK_THAT(problem_of(states("loan", {fresh, {"Out", "", 0, {}, false}})),
             Contains("state 'Out' has the value 0 of 'New'"));
  CHECK_THAT(problem_of(states("loan", {fresh, {"Out", "", 1, {}, true}})), Contains("'New' is initial already"));
  CHECK_THAT(problem_of(states("loan", {{"Out", "", 1, {}, false}})), Contains("no state is the one of a new record"));
  CHECK_THAT(problem_of(states("loan", {fresh, {"Out", "", 1, {"New"}, false}})),
             Contains("group 'New' has the name of a state"));
  CHECK_THAT(problem_of(states("loan", {fresh, {"Out", "", 40000, {}, false}})),
             Contains("the value of state 'Out' is no Short in range"));
  CHECK_THAT(problem_of(states("common", {fresh})), Contains("states belong to an entity"));
  CHECK_THAT(problem_of(states("laon", {fresh})), EndsWith("did you mean 'loan'?"));
  auto wrong = states("loan", {fresh});
  wrong.property = "Stat";
  CHECK_THAT(problem_of(wrong), EndsWith("unknown property 'Stat' in the states of 'loan'; did you mean 'State'?"));
  wrong.property = "Title";
  CHECK_THAT(problem_of(wrong), Contains("a state is held by a lookup or a whole number, and 'Title' is Text"));
}

TEST_CASE("states that could not be read explain every unknown state") {
  Definitions definitions = library();
  definitions.states.clear();
  definitions.unreadable = {"loan/states"};
  auto lend = action("loan", "lend");
  lend.from = {"New"};
  definitions.actions.push_back(lend);
  CHECK(problems_of(definitions).empty());
}

TEST_CASE("hooks run one behind the other, function by function: common, parent, child, and of each all its files") {
  Definitions definitions = library();
  Hooks common, of_loan, of_gift, of_loan_too;
  common.before_create = {1};
  common.after_delete = {2};
  of_loan.before_create = {3};
  of_loan.history = {4};
  of_gift.history = {5};
  of_loan_too.before_create = {6};
  const auto in = [](const char* entity, const Hooks& hooks) { return HooksDefinition{entity, hooks, false, {}, {}}; };
  definitions.hooks = {in("gift", of_gift), in("common", common), in("loan", of_loan), in("loan", of_loan_too)};
  auto catalog = built(std::move(definitions));
  const Hooks& gift = catalog->find("gift")->hooks;
  CHECK(gift.before_create == Hooks::Chain{1, 3, 6});
  CHECK(gift.after_delete == Hooks::Chain{2});
  CHECK(gift.history == Hooks::Chain{4, 5});
  CHECK(gift.before_update.empty());
  CHECK(catalog->find("loan")->hooks.history == Hooks::Chain{4});
  CHECK(catalog->find("reader")->hooks.before_create == Hooks::Chain{1});
}

TEST_CASE("hooks that replace others say which ones, and run alone, where they stand and below") {
  Definitions definitions = library();
  const auto hooks_of = [](const std::string& entity, const std::string& file, int number, bool replaces) {
    HooksDefinition hooks{entity, {}, replaces, {file, 1}, {{"before_create", 3}}};
    hooks.hooks.before_create = {number};
    hooks.hooks.after_delete = {number + 1};
    return hooks;
  };
  definitions.hooks = {hooks_of("common", "a/common/hooks.lua", 0, false),
                       hooks_of("loan", "a/loan/hooks.lua", 2, false), hooks_of("loan", "b/loan/hooks.lua", 4, true),
                       hooks_of("gift", "b/gift/hooks.lua", 6, false)};
  definitions.hooks[2].hooks.after_delete.clear();
  definitions.hooks[2].lines["replaces"] = 2;
  BuildResult result = build(std::move(definitions));
  REQUIRE(result.catalog);
  const Hooks& gift = result.catalog->find("gift")->hooks;
  CHECK(gift.before_create == Hooks::Chain{4, 6});
  CHECK(gift.after_delete == Hooks::Chain{1, 3, 7});
  CHECK(result.catalog->find("reader")->hooks.before_create == Hooks::Chain{0});
  std::vector<std::string> warnings;
  for (const Problem& each : result.warnings) warnings.push_back(to_string(each));
  CHECK(warnings == std::vector<std::string>{
                        "b/loan/hooks.lua:2: 'replaces' takes away 'before_create' of a/common/hooks.lua:3; without "
                        "'replaces' both run, that one first",
                        "b/loan/hooks.lua:2: 'replaces' takes away 'before_create' of a/loan/hooks.lua:3; without "
                        "'replaces' both run, that one first"});
}

TEST_CASE("rows that would hang on themselves by their lists are refused") {
  Definitions definitions = library();
  PropertyDefinition loan = property("Loan", DataType::Lookup, "loan"),
                     note = property("Note", DataType::Lookup, "note");
  loan.property.required = note.property.required = true;
  definitions.entities.push_back(entity("note", {loan}));
  definitions.entities.push_back(entity("clip", {note}));
  definitions.entities[0].sub_resources = {{"note", "note", "Loan", "", {"entities/loan.lua", 5}}};
  definitions.entities[5].sub_resources = {{"clip", "clip", "Note", "", {"entities/note.lua", 6}}};
  CHECK(problems_of(definitions).empty());
  definitions.entities[0].properties.push_back(note);
  definitions.entities[5].sub_resources.push_back({"loan", "loan", "Note", "", {"entities/note.lua", 7}});
  const Names found = problems_of(definitions);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0],
             Contains("lists lead in a circle: 'loan' hangs on 'note' hangs on 'loan'; leave the lookup") ||
                 Contains("lists lead in a circle: 'note' hangs on 'loan' hangs on 'note'; leave the lookup"));
  definitions.entities[0].properties.back().property.required = false;
  CHECK(problems_of(definitions).empty());
}

TEST_CASE("an entity that takes attachments has a list of them") {
  Definitions definitions = library();
  definitions.entities[0].attachments = true;
  definitions.entities[0].lines["attachments"] = 9;
  CHECK(problems_of(definitions) ==
        Names{"entities/loan.lua:9: 'loan' takes attachments, but has no list \"attachment\" "
              "among its 'sub_resources'"});
}

TEST_CASE("an entity that keeps history has a list of it, numbered below each record") {
  Definitions definitions = library();
  definitions.entities[0].history = true;
  definitions.entities[0].lines["history"] = 8;
  CHECK(problems_of(definitions) ==
        Names{"entities/loan.lua:8: 'loan' keeps history, but has no list \"history\" among "
              "its 'sub_resources'"});
  definitions.entities[0].sub_resources = {{"history", "loan-log", "Loan", "", {}}};
  PropertyDefinition loan = property("Loan", DataType::Lookup, "loan"), order = property("Order", DataType::Integer);
  EntityDefinition log = entity("loan-log", {loan, order});
  definitions.entities.push_back(log);
  CHECK(problems_of(definitions) ==
        Names{"entities/loan.lua:8: the key of 'loan-log', where 'loan' keeps history, must be "
              "'Loan' and a whole number that counts the rows"});
  for (auto& each : definitions.entities.back().properties) each.property.is_key = true;
  CHECK(problems_of(definitions).empty());
}

TEST_CASE("what an action answers is an entity that is there, or a list of its own") {
  auto to_reader = action("loan", "who");
  to_reader.answers_entity = "reader";
  auto counted = action("loan", "count-pages");
  counted.answers.push_back(property("Pages", DataType::Integer));
  Definitions definitions = library();
  definitions.actions.push_back(to_reader);
  definitions.actions.push_back(counted);
  const auto catalog = built(std::move(definitions));
  const Entity& gift = *catalog->find("gift");
  CHECK(gift.find_action("who")->answers.entity == catalog->find("reader"));
  CHECK(gift.find_action("count-pages")->answers.properties.front()->name == "Pages");
  CHECK(gift.find_action("update")->answers.entity == nullptr);

  to_reader.answers_entity = "reeder";
  CHECK_THAT(problem_with(to_reader),
             Contains("unknown entity 'reeder' in 'answers' of action 'who'") && EndsWith("did you mean 'reader'?"));
  counted.answers.push_back(property("Reader", DataType::Lookup, "reeder"));
  CHECK_THAT(problem_with(counted), Contains("unknown entity 'reeder' in lookup 'Reader'"));
  counted.answers.back() = property("PAGES", DataType::Text);
  CHECK_THAT(problem_with(counted), Contains("'PAGES' of 'answers' of action 'count-pages' is there already"));
  auto update = action("loan", "update");
  update.answers_entity = "reader";
  CHECK_THAT(problem_with(update), Contains("'answers' is not for update"));
}
