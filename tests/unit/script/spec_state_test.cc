// Files of specs, without a desk: what they may say, how failures are told, and that none takes the others with it.
#include "engine/script/spec_state.h"

#include <catch2/catch.hpp>

namespace callisto::script {
namespace {

struct File {
  explicit File(std::string text, int time_ms = 2000)
      : state(SpecState::load({"scripts/x/spec/x_spec.lua", std::move(text)}, libraries, natives, {time_ms, 16}, clock,
                              failure)) {}

  // The failure of a spec as one text; empty: it passed.
  std::string run(std::size_t number) {
    const auto told = state->run(number);
    if (!told) return "";
    CHECK(told->place.file == "scripts/x/spec/x_spec.lua");
    const std::string line = std::to_string(told->place.line) + " ";
    return line + told->message + (told->expected.empty() ? "" : told->expected + " / " + told->actual);
  }

  SystemClock clock;
  Libraries libraries{{"scripts/lib/sums.lua", "return library 'sums' { add = function(a, b) return a + b end }"}};
  Natives natives{{"events", [](const std::vector<Data>&) -> Result<Data> { return Data::list({}); }},
                  {"as",
                   [](const std::vector<Data>& given) -> Result<Data> {
                     if (given[0].text() != "user") return bad_format("nobody has the login");
                     return Data(Value(std::int64_t{1}));
                   }},
                  {"insert", [](const std::vector<Data>&) -> Result<Data> { return Data(); }},
                  {"now", [](const std::vector<Data>& given) -> Result<Data> {
                     CHECK(given.empty());
                     return Data(Value(DateTime{0}));
                   }}};
  std::optional<SpecFailure> failure;
  std::unique_ptr<SpecState> state;
};

std::string run_one(const std::string& body) {
  File file("it('x', function(desk)\n" + body + "\nend)");
  REQUIRE(!file.failure);
  REQUIRE(file.state->specs().size() == 1);
  return file.run(0);
}

TEST_CASE("a spec has the words of the libraries") {
  File file("it('adds', function() expect(sums.add(1, 2)):equals(3) end) it('errs', function() sums.ad(1) end)");
  CHECK(file.run(0) == "");
  CHECK(file.run(1) == "1 library 'sums' has no 'ad'");
}

TEST_CASE("a failure is found in a file whatever its path looks like") {
  const std::string text =
      "describe('x', function()\n  it('fails', function()\n    local a = nil\n    a.b = 1\n  end)\nend)";
  for (const std::string& folder :
       {std::string("a b"), std::string("x:12: y"), std::string("(a)[b]%d+"), std::string("größe"),
        std::string(200, 'l'), std::string("d.lua:7"), std::string(60, 'm') + "/" + std::string(50, 'n')}) {
    const std::string path = folder + "/spec/x_spec.lua";
    INFO(path);
    const SystemClock clock;
    const Libraries libraries;
    const Natives natives;
    std::optional<SpecFailure> failure;
    const auto state = SpecState::load({path, text}, libraries, natives, {2000, 16}, clock, failure);
    CHECK_FALSE(failure);
    REQUIRE(state->specs().size() == 1);
    CHECK(state->specs()[0].place.file == path);
    CHECK(state->specs()[0].place.line == 2);
    const auto told = state->run(0);
    REQUIRE(told);
    CHECK(told->place.line == 4);
    CHECK(told->message.starts_with("attempt to index"));
    const auto broken = SpecState::load({path, "x = = 1"}, libraries, natives, {2000, 16}, clock, failure);
    REQUIRE(failure);
    CHECK(failure->place.line == 1);
    CHECK(failure->message.starts_with("unexpected symbol"));
  }
}

TEST_CASE("a spec's sentence is what stands around it, its place is its line") {
  File file(
      "describe('a', function()\n describe('b', function()\n  it('c', function() end)\n end)\nend)\nit('d', print)\n");
  CHECK(file.failure);  // there is no print
  CHECK(file.failure->place.line == 6);
  REQUIRE(file.state->specs().size() == 1);
  CHECK(file.state->specs()[0].sentence == "a > b > c");
  CHECK(file.state->specs()[0].place.line == 3);
}

TEST_CASE("files that are wrong are told with their line") {
  const std::pair<const char*, const char*> files[] = {
      {"it('x', function() end\n", "2 ')' expected (to close '(' at line 1) near '<eof>'"},
      {"\nit('x')", "2 it takes a sentence and a function: it(\"...\", function(desk) ... end)"},
      {"describe(function() end)", "1 describe takes a sentence and a function"},
      {"\n\nnothing()", "3 unknown word 'nothing'"},
      {"expect(1):equals(1)", "1 'expect' belongs into the function of an it"},
      {"scenario { request = 'GET x' }", "1 a scenario begins with its sentence"},
      {"scenario { 'x', status = 200 }", "1 a scenario needs request"},
      {"scenario { 'x', request = 'GET call', status = 200, exepct = {} }", "1 a scenario has no 'exepct'; it has as"},
      {"while true do end", "1 ran longer than 50 ms"},
  };
  for (const auto& [text, expected] : files) {
    INFO(text);
    File file(text, 50);
    REQUIRE(file.failure);
    const std::string told = std::to_string(file.failure->place.line) + " " + file.failure->message;
    CHECK(told.substr(0, std::string(expected).size()) == expected);
  }
}

TEST_CASE("expectations hold or tell what was expected and what is") {
  const std::pair<const char*, const char*> bodies[] = {
      {"expect(1):equals(1)", ""},
      {"expect(1):equals(2)", "2 2 / 1"},
      {"expect('1'):equals(1)", "2 1 / \"1\""},
      {"expect({ 1, { a = true } }):equals { 1, { a = true } }", ""},
      {"expect({ 1, { a = true } }):equals { 1, { a = false } }", "2 { 1, { a = false } } / { 1, { a = true } }"},
      {"expect({ 1 }):equals { 1, 2 }", "2 { 1, 2 } / { 1 }"},
      {"expect({ 1, 2 }):equals { 1 }", "2 { 1 } / { 1, 2 }"},
      {"expect({ a = null }):equals {}", ""},
      {"expect(1).never:equals(1)", "2 never: 1 / 1"},
      {"expect(1).never:equals(2)", ""},
      {"expect(1).never.never:equals(1)", ""},
      {"expect(true):is_true()", ""},
      {"expect(1):is_true()", "2 true / 1"},
      {"expect(nil):is_false()", "2 false / nil"},
      {"expect(null):is_nil()", ""},
      {"expect(false):is_nil()", "2 nil / false"},
      {"expect('CAL-7'):matches '^CAL%-%d$'", ""},
      {"expect('CAL'):matches '%d'", "2 a text like \"%d\" / \"CAL\""},
      {"expect({ 'a', 'b' }):contains 'b'", ""},
      {"expect('a.b'):contains '.'", ""},
      {"expect('ab'):contains '.'", "2 something with \".\" / \"ab\""},
      {"expect({ a = 1, b = 2 }):has { a = 1 }", ""},
      {"expect({ a = 1, b = 2 }):has { a = 2, c = 1 }", "2 { a = 2, c = 1 } / { a = 1, c = null }"},
      {"expect({ list = { 1, 2 } }):has { list = { 1 } }", "2 { list = { 1 } } / { list = { 1, 2 } }"},
      {"expect(datetime.parse '1970-01-01T00:00Z'):equals(desk:now())", ""},
      {"expect(desk:now()):equals '1970-01-01 00:00'", ""},
      {"expect(desk:now()):equals '1970-01-01 00:01'", "2 \"1970-01-01 00:01\" / 1970-01-01T00:00:00.000Z"},
      {"expect(function() error 'x' end):fails 'x'", ""},
      {"expect(function() end):fails()", "2 a failure / nothing failed"},
      {"expect(function() error 'y' end):fails 'no'", "2 a failure with \"no\" / scripts/x/spec/x_spec.lua:2: y"},
      {"\npcall(function()\n expect(1):equals(2) end)", "4 2 / 1"},
      {"local x", "1 it expects nothing: say what must hold"},
      {"expect(1)", "1 it expects nothing: say what must hold"},
      {"expect(1):equal(1)",
       "2 'expect' has no word 'equal'; it has never, contains, equals, fails, has, is_false, "
       "is_nil, is_true, matches, never_reaches, offers, raised, refuses, satisfies, withholds"},
      {"expect(1).equals(1)", "2 write expect(...):equals(...), with a colon"},
      {"expect(1):offers 'x'", "2 only records offer actions, not 1"},
      {"expect(1):raised 'X'", "2 only records and desks raise events, not 1"},
      {"\nlocal x\nx.y = 1", "4 attempt to index local 'x' (a nil value)"},
      {"error {}", "1 an error that is no text, but a table"},
      {"reject 'no'", "0 no"},
      {"it('y', function() end)", "2 'it' stands in the file or in describe, not in an it"},
      {"x = 1", "2 a script cannot write the global 'x'; write 'local x = ...'"},
      {"io.open 'x'", "2 'io' is not available to scripts"},
      {"desk:call {}", "2 signing in as analyst: 400: nobody has the login"},
      {"desk:advance '2 weeks'", "2 '2 weeks' is no span of time: desk:advance \"2d 4h 30m\""},
      {"desk:at 'noon'", "2 'noon' is no moment: desk:at \"2026-03-15 09:00\""},
      {"desk.call = 1", "2 a desk has no 'call' to be set"},
      {"desk.call {}", "2 write desk:call { ... }, with a colon"},
      {"getmetatable(desk).__index = nil", "2 attempt to index a string value"},
  };
  for (const auto& [body, expected] : bodies) {
    INFO(body);
    CHECK(run_one(body).substr(0, *expected ? std::string(expected).size() : 1000) == expected);
  }
}

TEST_CASE("what comes before each spec comes from the outside in") {
  File file(
      "local said = {}\n"
      "before_each(function() said = { 'outer' } end)\n"
      "describe('a', function()\n"
      "  before_each(function() said[2] = 'inner' end)\n"
      "  it('b', function() expect(said):equals { 'outer', 'inner' } end)\n"
      "end)\n"
      "it('c', function() expect(said):equals { 'outer' } end)\n");
  REQUIRE(!file.failure);
  CHECK(file.run(0).empty());
  CHECK(file.run(1).empty());
}

TEST_CASE("a spec that never ends is stopped, and the next one runs") {
  for (const char* hostile : {"while true do end", "while true do pcall(function() while true do end end) end",
                              "while true do pcall(expect, 1) end"}) {
    INFO(hostile);
    File file(
        "it('hangs', function()\n" + std::string(hostile) + "\nend)\nit('fine', function() expect(1):equals(1) end)",
        100);
    CHECK(file.run(0) == "2 ran longer than 100 ms");
    CHECK(file.run(1).empty());
  }
}

TEST_CASE("a spec that eats memory is stopped, and the next one runs") {
  File file(
      "it('eats', function()\n local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end\nend)\n"
      "it('fine', function() expect(1):equals(1) end)");
  CHECK(file.run(0).find("not enough memory") != std::string::npos);
  CHECK(file.run(1) == "");
}

TEST_CASE("a function of the host gets plain data only") {
  const std::pair<const char*, const char*> bodies[] = {
      {"local t = {} t.t = t desk:as('user'):call(t)", "stack overflow"},
      {"desk:as('user'):call { x = function() end }", "a function cannot stand here"},
      {"desk:as('user'):call { x = { [true] = 1 } }", "names are texts, not boolean"},
  };
  for (const auto& [body, expected] : bodies) {
    INFO(body);
    CHECK(run_one(body).find(expected) != std::string::npos);
  }
}

}  // namespace
}  // namespace callisto::script
