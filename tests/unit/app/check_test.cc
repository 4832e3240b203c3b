// What `callisto check` says of rules that are right word by word and doubtful as a whole, its table, and what editors
// get.
#include "engine/app/describing/findings.h"
#include "engine/app/describing/matrix.h"
#include "engine/diagram/states.h"
#include "rule_desk.h"
#include "tests/support/paths.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::app;
using test::RuleDesk;

namespace {

// The titles of the findings alone.
std::vector<std::string> titles(const RuleDesk& desk) {
  std::vector<std::string> all;
  for (const Finding& finding : desk.checked().findings) {
    CHECK(finding.severity == Severity::Warning);
    CHECK_FALSE(finding.problem.suggestion.empty());
    all.push_back(std::to_string(finding.problem.origin.line) + ": " + finding.problem.message);
  }
  return all;
}

using Titles = std::vector<std::string>;

std::string states(const std::string& lost, const std::string& more = {}) {
  return "return states \"State\" {\n  state \"Ordered\" { value = 0, initial = true },\n"
         "  state \"Shelved\" { value = 1 },\n  state \"Lost\" { value = 2" +
         lost + " },\n" + more + "}\n";
}

std::string lose(const std::string& options) { return "return action \"lose\" {\n  " + options + "\n}\n"; }

}  // namespace

TEST_CASE("the rules as a whole are examined") {
  struct Row {
    const char* what;
    std::string file, text;
    Titles found;
  };
  const std::string lose_file = "scripts/book/actions/lose.lua", states_file = "scripts/book/states.lua";
  const std::string shelve_file = "scripts/book/actions/shelve.lua";
  const Row rows[] = {
      {"a state that nothing leads to",
       lose_file,
       lose("from = \"Shelved\""),
       {"3: no action leaves state 'Shelved'", "4: no action says that it moves to state 'Lost'"}},
      {"code says where it may move to", lose_file, lose("from = \"Shelved\", may_move_to = \"Lost\""), {}},
      {"a state that nothing leads to may be imported",
       states_file,
       states("", "  state \"Old\" { value = 3, imported = true, final = true },\n"),
       {}},
      {"imported contradicts an action",
       states_file,
       states(", imported = true"),
       {"4: state 'Lost' is 'imported', but action 'lose' leads to it"}},
      {"a state that nothing leaves",
       shelve_file,
       "return action \"shelve\" { from = \"Ordered\", moves_to = \"Shelved\" }",
       {"4: no action leaves state 'Lost'"}},
      {"final contradicts an action",
       states_file,
       states(", final = true"),
       {"4: state 'Lost' is 'final', but action 'shelve' leaves it"}},
      {"from and offered contradict each other",
       lose_file,
       lose("from = \"Shelved\", moves_to = \"Lost\",\n  offered = \"State == 2\","),
       {"3: action 'lose' of book is offered in no state: 'from' and 'offered' never hold together",
        "3: no action leaves state 'Shelved'", "4: no action says that it moves to state 'Lost'"}},
      {"offered contradicts itself through a condition",
       lose_file,
       lose("moves_to = \"Lost\", offered = \"@IsOnShelf && State >= 2\""),
       {"2: action 'lose' of book is offered in no state: 'from' and 'offered' never hold together",
        "3: no action leaves state 'Shelved'", "4: no action says that it moves to state 'Lost'"}},
      {"what else offered asks may hold",
       lose_file,
       lose("from = \"Shelved\", moves_to = \"Lost\", offered = \"!@IsOnShelf || Title != null\""),
       {}},
      {"nobody may",
       lose_file,
       lose("from = \"Shelved\", moves_to = \"Lost\",\n  allowed = { Analyst = false },"),
       {"3: action 'lose' of book is allowed to nobody, and no script does it"}},
      {"nobody may in the states that offer it",
       lose_file,
       lose("from = \"Shelved\", moves_to = \"Lost\", allowed = { User = \"State == 2\" }"),
       {"2: action 'lose' of book is allowed to nobody, and no script does it"}},
      {"nobody may, but a script does it",
       "scripts/book/actions/shelve.lua",
       "return action \"shelve\" { from = { \"Ordered\", \"Lost\" }, moves_to = \"Shelved\", allowed = {},\n"
       "  run = function(book) if book.Title == nil then book:act \"shelve\" end end }",
       {}},
      {"nobody may, but it is due",
       lose_file,
       lose("from = \"Shelved\", moves_to = \"Lost\", allowed = {}, due = \"Title == null\""),
       {}},
      {"moves to where it is",
       "scripts/book/actions/find.lua",
       "return action \"find\" { from = \"Shelved\", moves_to = \"Shelved\" }",
       {"1: action 'find' of book moves to the only state that it is offered in"}},
      {"what is taken away says nothing",
       "scripts/book/actions/update.lua",
       "return action \"update\" { allowed = {}, supported = false }",
       {}},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const RuleDesk desk;
    desk.write(row.file, row.text);
    CHECK(titles(desk) == row.found);
  }
}

TEST_CASE("an action that is due has something in it that ends that") {
  struct Row {
    const char* what;
    std::string options;
    bool ends;
  };
  const std::string run = "run = function(book, input) ";
  const Row rows[] = {
      {"nothing at all", "due = \"Title == null\"", false},
      {"an event is none", "due = \"Title == null\", raises = \"Lost\"", false},
      {"code that only reads", "due = \"Title == null\", " + run + "if book.Title == nil then reject \"No.\" end end",
       false},
      {"code that compares", "due = \"Title == null\", " + run + "local is = book.Title == \"x\" end", false},
      {"code that writes something else", "due = \"Title == null\", " + run + "book.State = 1 end", false},
      {"of a name that begins so", "due = \"Title == null\", " + run + "book.TitleOfOld = 1 end", false},
      {"code that writes it", "due = \"Title == null\", " + run + "book.Title = \"x\" end", true},
      {"among others", "due = \"Title == null\", " + run + "book.Title, book.State = \"x\", 1 end", true},
      {"what it looks up", "due = \"Author.Name == null\", " + run + "book.Author = 1 end", true},
      {"in the record looked up", "due = \"Author.Name == null\", " + run + "desk.find(\"author\", 1).Name = \"x\" end",
       true},
      {"another record is of no use", "due = \"Title == null\", " + run + "desk.find(\"author\", 1).Name = \"x\" end",
       false},
      {"by name", "due = \"Title == null\", " + run + "local name = \"Title\" end", true},
      {"by another action", "due = \"Title == null\", " + run + "book:act \"shelve\" end", true},
      {"by a computed name", "due = \"Title == null\", " + run + "for n in pairs({ 1 }) do book[n] = 1 end end", true},
      {"into a state from which it is not offered", "from = \"Shelved\", moves_to = \"Lost\", due = \"Title == null\"",
       true},
      {"into one in which it is not due", "moves_to = \"Lost\", due = \"Title == null && State == 1\"", true},
      {"into one in which it is", "moves_to = \"Lost\", due = \"Title == null && State > 1\"", false},
      {"perhaps into one", "may_move_to = \"Lost\", due = \"@IsOnShelf\"", true},
      {"what offered asks for counts",
       "due = \"Title == null\", offered = \"Author == null\", " + run + "book.Author = 1 end", true},
  };
  const std::string found = "action 'tidy' of book does nothing that ends 'due', and would be undone each time";
  for (const Row& row : rows) {
    INFO(row.what);
    const RuleDesk desk;
    desk.write("scripts/book/actions/tidy.lua", "return action \"tidy\" {\n  " + row.options + "\n}\n");
    const Titles all = titles(desk);
    const auto is_it = [&](const std::string& title) { return title == "2: " + found; };
    CHECK((std::find_if(all.begin(), all.end(), is_it) == all.end()) == row.ends);
  }
  const RuleDesk desk;
  desk.write("scripts/book/actions/tidy.lua", "return action \"tidy\" {\n  due = \"Title == null\",\n}\n");
  CHECK(desk.text() == "scripts/book/actions/tidy.lua:2: warning: " + found +
                           "\n"
                           "      due = \"Title == null\",\n"
                           "      ^~~\n"
                           "    let 'run' set Title, move to a state that is not in 'from', or ask for a mark of your "
                           "own that 'run' sets\n");
}

TEST_CASE("the states of create are in may_move_to alone") {
  const RuleDesk desk;
  desk.write("scripts/book/states.lua", states("", "  state \"Lent\" { value = 3, final = true },\n"));
  CHECK(titles(desk) == Titles{"5: no action says that it moves to state 'Lent'"});
  desk.write("scripts/book/actions/create.lua", "return action \"create\" { may_move_to = { \"Lent\" } }");
  CHECK(titles(desk).empty());
  desk.write("scripts/book/actions/create.lua", "return action \"create\" { may_move_to = { \"Let\" } }");
  CHECK(desk.text() ==
        "scripts/book/actions/create.lua:1: unknown state 'Let' in 'may_move_to' of action 'create'\n"
        "    return action \"create\" { may_move_to = { \"Let\" } }\n"
        "                                              ^~~\n"
        "    did you mean 'Lent'?\n");
}

TEST_CASE("the table says which state offers which action to whom") {
  const RuleDesk desk;
  desk.write("entities/novel.lua", "return entity \"novel\" { extends = \"book\" }");
  desk.write("scripts/book/actions/lose.lua",
             "return action \"lose\" { from = \"Shelved\", moves_to = \"Lost\", due = \"Title == null\",\n"
             "  allowed = { Analyst = true, User = \"Author == 1\", Integration = true } }");
  const Checked checked = desk.checked();
  REQUIRE(checked.model);
  std::vector<const catalog::Entity*> all;
  for (const auto& entity : checked.model->catalog().entities()) all.push_back(entity.get());
  CHECK(matrix_of(*checked.model, all) ==
        "book, novel\n"
        "        (none)  Ordered  Shelved  Lost  moves to\n"
        "lose    .       .        A U? I   .     Lost\n"
        "shelve  .       A        .        A     Shelved\n"
        "A Analyst, U User, I Integration, ? if a filter holds as well\n"
        "lose happens by itself if Title == null\n");
}

TEST_CASE("the diagram has each action on the line from where it is offered to where it leads") {
  const RuleDesk desk;
  desk.write(
      "scripts/book/states.lua",
      "return states \"State\" {\n  state \"Ordered\" { value = 0, initial = true },\n"
      "  state \"On <the> \\\"shelf\\\"\" { value = 1 },\n  state \"Lost; gone\" { value = 2, final = true },\n}\n");
  desk.write("scripts/book/augmenters/IsOnShelf.lua", "return condition \"IsOnShelf\" { filter = \"State == 1\" }\n");
  desk.write("scripts/book/actions/shelve.lua",
             "return action \"shelve\" { offered = \"State == 0\", moves_to = 'On <the> \"shelf\"' }\n");
  desk.write("scripts/book/actions/lose.lua",
             "return action \"lose\" { from = 'On <the> \"shelf\"',\n  may_move_to = { \"Lost; gone\", 'On <the> "
             "\"shelf\"' } }\n");
  desk.write("scripts/book/actions/find.lua",
             "return action \"find\" { from = \"Lost; gone\", moves_to = \"Ordered\", allowed = {} }\n");
  desk.write("scripts/book/actions/read.lua", "return action \"read\" { allowed = { Analyst = true } }\n");
  const Checked checked = desk.checked();
  INFO(desk.text());
  REQUIRE(checked.model);
  const catalog::Entity& book = *checked.model->catalog().find("book");
  CHECK(diagram::to_mermaid(*checked.model, book) ==
        "stateDiagram-v2\n"
        "  state \"Ordered\" as s0\n"
        "  state \"On #60;the#62; #34;shelf#34;\" as s1\n"
        "  state \"Lost#59; gone\" as s2\n"
        "  s0 --> s1 : Shelve\n"
        "  s1 --> s1 : Lose\n"
        "  s1 --> s2 : Lose\n"
        "  s2 --> [*]\n");
  const std::string svg = diagram::to_svg(*checked.model, book);
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "));
  CHECK(svg.find("On &lt;the&gt; &quot;shelf&quot;</text>") != std::string::npos);
  CHECK(svg.find("<the>") == std::string::npos);
  CHECK(svg.find("class=\"state final\"") != std::string::npos);
}

TEST_CASE("editors get the findings as JSON") {
  const RuleDesk desk;
  CHECK(desk.json() == "[]\n");
  desk.write("scripts/book/actions/lose.lua", lose("ofered = \"Title != null\", moves_to = \"Lost\""));
  desk.write("scripts/boook/states.lua", "return states \"State\" {}");
  CHECK(desk.json() ==
        "[{\"file\":\"scripts/book/actions/lose.lua\",\"line\":2,\"column\":3,\"severity\":\"error\","
        "\"message\":\"unknown option 'ofered' of action 'lose'\",\"suggestion\":\"did you mean 'offered'?\"},"
        "{\"file\":\"scripts/boook/states.lua\",\"line\":0,\"severity\":\"error\","
        "\"message\":\"the folder 'boook' is not named after an entity\",\"suggestion\":\"did you mean 'book'?\"}]\n");
  CHECK_FALSE(desk.checked().model);
}

TEST_CASE("columns count characters, and carets stand below tabs") {
  const RuleDesk desk;
  desk.write("entities/author.lua",
             "return entity \"author\" {\n\tdescription = \"Ärzte\", sumary = { \"Name\" },\n}\n");
  CHECK(desk.text() ==
        "entities/author.lua:2: unknown option 'sumary' of entity 'author'\n"
        "    \tdescription = \"Ärzte\", sumary = { \"Name\" },\n"
        "    \t                       ^~~~~~\n"
        "    did you mean 'summary'?\n");
  CHECK(desk.checked().findings.at(0).column == 25);
}

TEST_CASE("colours are asked for") {
  const RuleDesk desk;
  desk.write("scripts/book/actions/lose.lua", lose("from = \"Shelved\", moves_to = \"Lots\""));
  const auto findings = desk.checked().findings;
  CHECK(to_text(findings, false).find('\033') == std::string::npos);
  CHECK(to_text(findings, true).find("\033[1m") == 0);
}

TEST_CASE("the desk itself is free of warnings") {
  Settings settings;
  settings.entities = {test::source_folder() + "/entities"};
  settings.scripts = {test::source_folder() + "/scripts"};
  SystemRandom random;
  const auto checked = check_desk(settings, SystemClock(), random);
  REQUIRE(checked);
  CHECK(to_text(checked->findings, false) == "");
  CHECK(checked->model);
}
