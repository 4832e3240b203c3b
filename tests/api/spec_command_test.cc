// callisto test, the program: what it prints and how it exits, with specs of the test's own against the desk's scripts.
#include "server_process.h"
#include "tests/support/paths.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace callisto::tests {
namespace {

class SpecFolder {
 public:
  SpecFolder& write(const std::string& name, std::string_view text) {
    std::ofstream(path(name), std::ios::binary) << text;
    return *this;
  }
  std::string path(const std::string& name) const { return folder_ / name; }

  // The folder's name is left out of the output, and the time that it took.
  Finished run(std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"test", folder_.path()});
    Finished finished = run_program(arguments);
    const std::string folder = folder_.path() + "/";
    for (std::size_t at; (at = finished.output.find(folder)) != std::string::npos;)
      finished.output.erase(at, folder.size());
    if (const std::size_t time = finished.output.rfind(" failed ("); time != std::string::npos)
      finished.output.erase(time + 7, finished.output.find('\n', time) - time - 6);
    return finished;
  }

 private:
  test::TemporaryFolder folder_;
};

constexpr std::string_view counting = R"lua(
local function expect_nothing_yet(desk)
  local call = desk:create("call", { ShortDescription = "Only here" })
  expect(call.Ref):equals(209)
  expect(#desk:search("call", 'ShortDescription == "Only here"')):equals(1)
  expect(desk:events()):equals { "Created", "ActionAddedtoHistory" }
  expect(desk:now()):equals "2026-12-01 09:00"
  desk:at "2030-01-01"
  desk:call { ShortDescription = "Only here" }
end
it("finds the desk as it was, once", expect_nothing_yet)
it("finds the desk as it was, twice", expect_nothing_yet)
it("finds the desk as it was after a failure", expect_nothing_yet)
)lua";

TEST_CASE("callisto test: words for the contrary do not hold for names that are nowhere") {
  SpecFolder folder;
  folder.write("names_spec.lua", R"lua(
it("a", function(desk) expect(desk:call { State = 2 }):withholds "reopne" end)
it("b", function(desk) expect(desk:call { State = 1 }):refuses "reopne" end)
it("c", function(desk) expect(desk:call { State = 1 }):refuses("reopen", { Descripton = "x" }) end)
it("d", function(desk) desk:as "usr" end)
it("e", function(desk) desk:call { State = 77 } end)
it("f", function(desk) expect(desk:call { State = 1 }):refuses("reopen", { Description = "x" }) end)
)lua");
  const Finished finished = folder.run();
  CHECK(finished.exit_status == 1);
  for (const char* told :
       {"names_spec.lua:2\n  asking for reopne: 400: call has no action 'reopne'; did you mean 'reopen'?",
        "names_spec.lua:3\n  asking for reopne: 400: call has no action 'reopne'",
        "names_spec.lua:4\n  asking for reopen: 400: reopen of call takes no 'Descripton'; did you mean 'Description'?",
        "names_spec.lua:5\n  signing in as usr: 400: nobody has the login 'usr'",
        "names_spec.lua:6\n  call as given: 400: call has no state 77; its states are New (0), Open (1)",
        "1 passed, 5 failed"}) {
    CAPTURE(told);
    CHECK(finished.output.find(told) != std::string::npos);
  }
}

TEST_CASE("callisto test: a walk tells the shortest way, and nothing that it did stays") {
  SpecFolder folder;
  folder.write("walk_spec.lua", R"lua(
local function given(desk, state)
  return desk:request { State = state, Title = "x", Template = 1, User = desk:as("user").me }:as "user"
end
it("a", function(desk) expect(desk:call { State = 1 }):never_reaches "Closed/Unresolved" end)
it("b", function(desk) expect(given(desk, 1)):never_reaches "Closed*" end)
it("c", function(desk) expect(given(desk, 1)).never:never_reaches("Open", { without = "authorize" }) end)
it("d", function(desk) expect(given(desk, 1)):never_reaches("Open", { as = { "user", "analyst" } }) end)
it("e", function(desk) expect(given(desk, 1)):never_reaches "Opne" end)
it("f", function(desk) expect(given(desk, 1)):never_reaches("Open", { without = "authorise" }) end)
it("g", function(desk) expect(given(desk, 1)):never_reaches("Open", { witout = "authorize" }) end)
it("h", function(desk) expect(given(desk, 1)):never_reaches("AwaitingAuthorization") end)
it("i", function(desk) expect(given(desk, 0)):never_reaches("Open", { where = "Template == null" }) end)
it("j", function(desk)
  local request = given(desk, 1)
  expect(request):never_reaches("Open", { without = "authorize" })
  expect(request):has { State = 1, LastHistoryOrder = 0, RecordVersion = 1 }
  expect(desk:events()):equals {}
  expect(request:history()):equals {}
end)
it("k", function(desk) expect(given(desk, 0)):never_reaches("Closed", { depth = 2 }) end)
)lua");
  const Finished finished = folder.run();
  CHECK(finished.exit_status == 1);
  for (const char* told :
       {"it does by close {\"Description\":\"A text of a walk\",\"Resolved\":false}",
        "walk_spec.lua:6\n  expected: request 25 never reaches Closed*\n  actual:   it does by cancel "
        "{\"Description\":\"A text of a walk\"}",
        "walk_spec.lua:7\n  expected: never: request 25 never reaches Open without authorize\n  actual:   it does not",
        "walk_spec.lua:8\n  expected: request 25 never reaches Open\n  actual:   it does by authorize",
        "request has no state 'Opne'; did you mean 'Open'?",
        "request has no action 'authorise'; did you mean 'authorize'?",
        "never_reaches has no 'witout'; it has without, as, depth, where", "it is already in that state",
        "it does by submit {\"Template\":null}", "2 passed, 9 failed"}) {
    CAPTURE(told);
    CHECK_THAT(finished.output, Catch::Contains(told));
  }
}

TEST_CASE("callisto test: words that ask for nothing, or for an event that nothing raises, cannot hold") {
  SpecFolder folder;
  folder.write("empty_spec.lua", R"lua(
it("a", function(desk) expect(desk:call {}).never:raised "Clsoed" end)
it("b", function(desk) expect(desk):raised("Created", "Clsoed") end)
it("c", function(desk) expect(desk:call {}).never:raised() end)
it("d", function(desk) expect(desk:call {}):offers() end)
it("e", function(desk) expect(desk:call {}):withholds(nil, 5) end)
it("f", function(desk) expect(desk:call {}):has {} end)
it("g", function(desk) expect(desk:call {}).never:has() end)
it("h", function(desk) expect(desk:call {}).never:raised("Closed", "ActionAddedtoHistory") end)
)lua");
  const Finished finished = folder.run();
  CHECK(finished.exit_status == 1);
  for (const char* told :
       {"empty_spec.lua:2\n  asking for Clsoed: 400: nothing in the scripts raises 'Clsoed'; did you mean 'Closed'?",
        "empty_spec.lua:3\n  asking for Clsoed: 400: nothing in the scripts raises 'Clsoed'",
        "empty_spec.lua:4\n  raised asks for nothing: write :raised \"Closed\"",
        "empty_spec.lua:5\n  offers asks for nothing: write :offers \"close\"",
        "empty_spec.lua:6\n  withholds takes names, not 5: write :withholds \"close\"",
        "empty_spec.lua:7\n  has asks for nothing: write :has { State = 2 }",
        "empty_spec.lua:8\n  has asks for nothing: write :has { State = 2 }", "1 passed, 7 failed"}) {
    CAPTURE(told);
    CHECK_THAT(finished.output, Catch::Contains(told));
  }
}

TEST_CASE("callisto test: a failure exits with 1 and says what, where, what was expected and what is") {
  SpecFolder folder;
  folder.write("call_spec.lua", R"lua(
describe("reopening a call", function()
  it("is offered only while the call is closed", function(desk)
    expect(desk:call { State = 2 }):offers "reopen"
    expect(desk:call { State = 1 }):offers("reopen", "close")
  end)
  it("works", function(desk)
    local call = desk:call { State = 2 }
    call:reopen()
    expect(call.State):equals(1)
  end)
end)
)lua");
  const Finished finished = folder.run();
  CHECK(finished.exit_status == 1);
  CHECK(finished.output ==
        "FAILED reopening a call > is offered only while the call is closed\n"
        "  call_spec.lua:5\n"
        "  expected: call 210 offers reopen, close\n"
        "  actual:   it offers update, add-note, close, defer, forward, lock, resolve, stop-clock, submit, "
        "take-ownership\n\n"
        "1 passed, 1 failed");
}

TEST_CASE("callisto test: no spec sees what another one did, in any order") {
  SpecFolder folder;
  folder.write("a_spec.lua", counting).write("b_spec.lua", counting);
  folder.write("c_spec.lua", "it('fails amid its changes', function(desk) desk:call {} desk:create('call', {}) end)");
  for (const char* seed : {"1", "2", "3"}) {
    const Finished finished = folder.run({"--seed", seed});
    CHECK(finished.output ==
          "FAILED fails amid its changes\n  c_spec.lua:1\n"
          "  creating a call was refused: 400: ShortDescription: create needs at least one of ShortDescription, "
          "Description\n\n"
          "random order, --seed " +
              std::string(seed) + "\n6 passed, 1 failed");
  }
}

std::vector<std::string> order_of(const Finished& finished) {
  std::vector<std::string> order;
  std::istringstream lines(finished.output);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("FAILED ")) order.push_back(line.substr(7));
  return order;
}

TEST_CASE("callisto test: a random order is the same for the same seed, and has every spec once") {
  SpecFolder folder;
  folder.write("a_spec.lua", "for i = 1, 20 do it('spec ' .. i, function() expect(i):equals(0) end) end");
  const auto in_file = order_of(folder.run());
  const auto first = order_of(folder.run({"--seed", "7"}));
  CHECK(first == order_of(folder.run({"--seed", "7"})));
  CHECK(first != order_of(folder.run({"--seed", "8"})));
  CHECK(first != in_file);
  CHECK(in_file.size() == 20);
  CHECK(std::is_permutation(first.begin(), first.end(), in_file.begin(), in_file.end()));
  CHECK(folder.run({"--random"}).output.find("random order, --seed ") != std::string::npos);
}

TEST_CASE("callisto test: --filter runs the specs whose sentences have all words") {
  SpecFolder folder;
  folder.write("a_spec.lua", R"lua(
describe("closing a call", function()
  it("needs a description", function() expect(1):equals(1) end)
  it("is for analysts", function() expect(1):equals(1) end)
end)
)lua");
  const std::tuple<const char*, const char*, int> rows[] = {
      {"closing", "2 passed, 0 failed", 0},
      {"NEEDS call", "1 passed, 0 failed", 0},
      {" analysts  for ", "1 passed, 0 failed", 0},
      {"needs analysts", "the filter leaves none of 2 specs\n0 passed, 0 failed", 1},
  };
  for (const auto& [words, output, status] : rows) {
    const Finished finished = folder.run({"--filter", words});
    CHECK(finished.output == output);
    CHECK(finished.exit_status == status);
  }
}

TEST_CASE("callisto test: files that are wrong, and files that say nothing, are told") {
  SpecFolder folder;
  folder.write("a_spec.lua", "it('x', function()\n  expect(1:equals(1)\nend)\n");
  folder.write("b_spec.lua", "local nothing = 1\n");
  folder.write("c_spec.lua", "it('passes', function() expect(1):equals(1) end)\nerror 'later'\n");
  const Finished finished = folder.run();
  CHECK(finished.exit_status == 1);
  CHECK(finished.output ==
        "FAILED a_spec.lua\n  a_spec.lua:2\n  ')' expected near ':'\n\n"
        "FAILED c_spec.lua\n  c_spec.lua:2\n  later\n\n"
        "b_spec.lua: there is no 'it' in this file\n1 passed, 2 failed");
}

TEST_CASE("callisto test: a spec that never ends is stopped, and the others run") {
  SpecFolder folder;
  folder.write("a_spec.lua",
               "it('hangs', function()\n  while true do pcall(function() end) end\nend)\n" + std::string(counting));
  const Finished finished = folder.run();
  CHECK(finished.output == "FAILED hangs\n  a_spec.lua:2\n  ran longer than 3000 ms\n\n3 passed, 1 failed");
}

TEST_CASE("callisto test: what a script of the desk does wrong is told with the script's file and line") {
  SpecFolder folder;
  std::filesystem::create_directories(folder.path("own/call/actions"));
  folder.write("own/call/actions/break.lua",
               "return action \"break\" {\n  run = function(call)\n    local none\n    none.x = 1\n  end,\n}\n");
  folder.write("a_spec.lua", "it('breaks', function(desk) expect(desk:call { State = 1 }):refuses 'break' end)");
  const Finished finished = folder.run({"--set", "scripts=scripts," + folder.path("own")});
  CHECK(finished.exit_status == 1);
  CHECK(finished.output.find("break.lua:4: attempt to index local 'none'") != std::string::npos);
  CHECK(finished.output.find("a_spec.lua:1") != std::string::npos);
}

TEST_CASE("callisto test: records are given with values of every type, and wrong ones are told") {
  SpecFolder folder;
  folder.write("a_spec.lua", R"lua(
it("takes them", function(desk)
  local item = desk:configuration_item { AssetRef = "a-1", Name = "Printer", PurchaseCost = 12.5, IsFrozen = true,
    PurchaseDate = "2026-03-15T10:00+01:00", User = desk:as("user").me, Owner = null }
  expect(tostring(item.PurchaseCost)):equals "12.50"
  expect(item):has { AssetRef = "A-1", IsFrozen = true, PurchaseDate = "2026-03-15 09:00", User = 4, Owner = null }
end)
it("has no record for what has no key of its own", function(desk)
  expect(desk:call_history { TicketId = 1, Order = 99, Action = "x" }):is_nil()
end)
it("knows its properties", function(desk) desk:call { Stat = 1 } end)
it("knows its entities", function(desk) desk:cal { State = 1 } end)
it("has no abstract ones", function(desk) desk:asset { Name = "x" } end)
it("wants values", function(desk) desk:call { State = "open" } end)
)lua");
  CHECK(folder.run().output ==
        "FAILED knows its properties\n  a_spec.lua:11\n"
        "  call as given: 400: call has no property 'Stat'; did you mean 'State'?\n\n"
        "FAILED knows its entities\n  a_spec.lua:12\n"
        "  cal as given: 404 ResourceNotFound: there is no entity 'cal'; did you mean 'call'?\n\n"
        "FAILED has no abstract ones\n  a_spec.lua:13\n"
        "  asset as given: 400: asset is abstract: give one of its children\n\n"
        "FAILED wants values\n  a_spec.lua:14\n"
        "  call as given: 400: State: Lookup of call-state: a whole number is expected\n\n2 passed, 4 failed");
}

TEST_CASE("callisto test: API scenarios hold or tell what differs") {
  SpecFolder folder;
  folder.write("a_spec.lua", R"lua(
local function change(name, value)
  local scenario_of = {
    name,
    as      = "user",
    given   = { mine = { "call", State = 1, User = "{user}", ShortDescription = "For {user}" }, link = { "call", Description = "See {mine}." } },
    request = "PUT call/{mine}/close",
    body    = { Description = "Done." },
    status  = 200,
    expect  = { Ref = "{mine}", State = 2, ShortDescription = "For 4", ClosedDate = "2026-12-01T09:00:00.000Z" },
    absent  = { "_actions.Close", "Nothing" },
    events  = { "Closed" },
  }
  scenario_of[name] = value
  scenario(scenario_of)
end
change("as", "user")
change("status", 400)
change("expect", { State = 5, Nope = 1 })
change("absent", { "_actions.Reopen" })
change("events", {})
change("events", { "Reopened" })
change("as", "user2")
change("as", "anonymous")
)lua");
  const std::pair<const char*, const char*> failures[] = {
      {"status", "  expected: status 400\n  actual:   status 200\n"},
      {"expect", "  expected: { Nope = 1, State = 5 }\n  actual:   { Nope = null, State = 2 }\n"},
      {"absent", "  expected: no _actions.Reopen in the answer\n  actual:   _actions.Reopen = "},
      {"events", "  expected: no event\n  actual:   raised: Closed, ActionAddedtoHistory\n"},
      {"events", "  expected: the event Reopened\n  actual:   raised: Closed, ActionAddedtoHistory\n"},
      {"as", "  expected: status 200\n  actual:   status 404: "},
      {"as", "  expected: status 200\n  actual:   status 403: "},
  };
  const Finished finished = folder.run();
  std::size_t at = 0;
  for (const auto& [name, text] : failures) {
    INFO(finished.output.substr(at));
    const std::string begin = std::string("FAILED ") + name + "\n  a_spec.lua:15\n" + text;
    CHECK(finished.output.substr(at, begin.size()) == begin);
    at = finished.output.find("\n\n", at) + 2;
  }
  CHECK(finished.output.substr(at) == "1 passed, 7 failed");
}

TEST_CASE("callisto test: --junit writes what an XML parser reads") {
  SpecFolder folder;
  folder.write("a_spec.lua",
               "it('<a> & \"b\" \\1 \\255', function() expect('<x>'):equals ']]>' end)\n"
               "it('passes', function() expect(1):equals(1) end)\n");
  CHECK(folder.run({"--junit", folder.path("out.xml")}).exit_status == 1);
  folder.write("read.py",
               "import sys, xml.etree.ElementTree as tree\n"
               "root = tree.parse(sys.argv[1]).getroot()\n"
               "cases = root.findall('testsuite/testcase')\n"
               "failure = cases[0].find('failure')\n"
               "ok = (root.get('tests'), root.get('failures')) == ('2', '1') and len(cases) == 2\n"
               "ok = ok and cases[0].get('name') == '<a> & \"b\" ? ?' and cases[0].get('line') == '1'\n"
               "ok = ok and 'actual:   \"<x>\"' in failure.text and cases[1].find('failure') is None\n"
               "sys.exit(0 if ok else 1)\n");
  const std::string read = "python3 " + folder.path("read.py") + " " + folder.path("out.xml");
  CHECK(std::system(read.c_str()) == 0);
  const Finished unwritable = folder.run({"--junit", folder.path("none/out.xml")});
  CHECK(unwritable.exit_status == 1);
  CHECK(unwritable.output.find("out.xml cannot be written") != std::string::npos);
}

TEST_CASE("callisto test: wrong usage exits with 2") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"test", "nowhere"}, {"test", "--seed", "x"}, {"test", "--fliter", "x"}}) {
    INFO(arguments.back());
    CHECK(run_program(arguments).exit_status == 2);
  }
  const Finished help = run_program({"test", "--help"});
  CHECK(help.exit_status == 0);
  CHECK(help.output.find("callisto test --random --junit results.xml") != std::string::npos);
}

// The program with its standard output at the other end of a pipe.
class Watching {
 public:
  explicit Watching(const std::string& path) {
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    process_ = fork();
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      dup2(ends[1], 1);
      if (chdir(test::source_folder().c_str()) == 0)
        execl(program(), program(), "test", path.c_str(), "--watch", nullptr);
      _exit(127);
    }
    close(ends[1]);
    output_ = ends[0];
  }
  ~Watching() {
    if (process_ > 0) kill(process_, SIGKILL), waitpid(process_, nullptr, 0);
    close(output_);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

  // What it prints up to the next time that it waits.
  std::string next_run() {
    std::string printed;
    char byte = 0;
    while (printed.find("waiting for a change") == printed.npos && read(output_, &byte, 1) == 1) printed += byte;
    return printed;
  }
  int interrupt() {
    kill(process_, SIGINT);
    int status = 0;
    waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_ = -1;
  int output_ = -1;
};

TEST_CASE("callisto test: --watch runs again when a file changes, tells the time, and ends with Ctrl-C") {
  SpecFolder folder;
  folder.write("a_spec.lua", "it('x', function() expect(1):equals(1) end)");
  Watching watching(folder.path("a_spec.lua"));
  CHECK(watching.next_run().find("1 passed, 0 failed") != std::string::npos);
  folder.write("a_spec.lua", "it('x', function() expect(1):equals(2) end)");
  const std::string second = watching.next_run();
  CHECK(second.find("0 passed, 1 failed") != std::string::npos);
  const std::size_t changed = second.find(folder.path("a_spec.lua"));
  REQUIRE(changed != std::string::npos);
  CHECK(second.substr(changed - 4, 1) == ":");  // 09:30:05 /.../a_spec.lua
  folder.write("a_spec.lua", "it('x', function()");
  CHECK(watching.next_run().find("0 passed, 1 failed") != std::string::npos);
  CHECK(watching.interrupt() == 0);
}

TEST_CASE("callisto test: the desk's own specs pass, without a path") {
  const Finished finished = run_program({"test"});
  CHECK(finished.exit_status == 0);
  CHECK(finished.output.find(", 0 failed (") != std::string::npos);
}

}  // namespace
}  // namespace callisto::tests
