#include "fake_host.h"
#include "tests/support/paths.h"

#include <rapidjson/document.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace callisto;
using namespace callisto::script;
using Catch::Contains;

namespace {

Value whole(std::int64_t value) { return Value(value); }
Value text(std::string value) { return Value(std::move(value)); }

// Tells that the state goes on, whatever a call before has done.
const char* const counting = "return action \"count\" { run = function(record) record.Pages = 1 end }";

struct Desk {
  Desk() { library.add(FileKind::Action, "count", counting); }
  Library& run(const std::string& name, const std::string& body, const std::string& options = "") {
    return library.run(name, body, options);
  }
  Host::Handle book() {
    if (host.count() == 0) host.add("book", {{"Title", text("Emma")}});
    return 0;
  }
  Error error_of(const std::string& action) {
    auto result = host.run(book(), action);
    REQUIRE_FALSE(result);
    return result.error();
  }
  std::int64_t count() {
    REQUIRE(host.run(book(), "count"));
    return std::get<std::int64_t>(host.value(book(), "Pages"));
  }

  Library library;
  FakeHost host{library};
};

}  // namespace

TEST_CASE("an action runs another on the same record and goes on with its own call") {
  Desk desk;
  desk.run("inner", "record.Title = record.Title .. input.Words  record.Number = 3", "optional = { text \"Words\" },");
  desk.run("outer", R"(
    local words = input.Words
    record:act("inner", { Words = words, Pages = 9, ReaderId = null })
    record.Title = record.Title .. input.Words .. session.type)",
           "optional = { text \"Words\" },");
  desk.host.session.type = "User";
  auto result = desk.host.run(desk.book(), "outer", {{"Words", text("-")}});
  INFO((result ? std::string() : result.error().log_detail));
  REQUIRE(result);
  CHECK(desk.host.value(0, "Title") == text("Emma--User"));
  REQUIRE(desk.host.inputs.size() == 1);
  CHECK((desk.host.inputs[0] == NamedValues{{"Words", text("-")}, {"Pages", whole(9)}, {"ReaderId", Value(Null{})}}));
}

TEST_CASE("an action that is not there, or does not take what it is given, fails at its line") {
  Desk desk;
  desk.run("lend", "", "optional = { text \"Words\" },");
  desk.run("a", "record:act 'land'")
      .run("b", "record:act('lend', { Wrods = 'x' })")
      .run("c", "record:act('lend', { Words = 5 })");
  desk.run("d", "record:act('lend', 5)").run("e", "record.act('lend')");
  CHECK_THAT(desk.error_of("a").log_detail, Contains("a.lua:2: 'book' has no action 'land'; did you mean 'lend'?"));
  CHECK_THAT(desk.error_of("b").log_detail,
             Contains("action 'lend' of 'book' takes no 'Wrods'; did you mean 'Words'?"));
  CHECK_THAT(desk.error_of("c").log_detail, Contains("'Words' takes a Text, not 5"));
  CHECK_THAT(desk.error_of("d").log_detail, Contains("values by name are expected here"));
  CHECK_THAT(desk.error_of("e").log_detail, Contains("write record:act"));
}

TEST_CASE("reject and forbid are the client's errors, whatever a script does about them") {
  for (const char* form :
       {"%", "pcall(function() % end)", "local ok = pcall(pcall, function() % end) record.Title = 'caught'"}) {
    std::string body = form;
    Desk desk;
    desk.run("no", std::string(body).replace(body.find('%'), 1, "reject 'not today'"));
    desk.run("never", std::string(body).replace(body.find('%'), 1, "forbid 'not you'"));
    CHECK(desk.count() == 1);
    Error error = desk.error_of("no");
    CHECK(error.status == 400);
    CHECK(error.type == validation_failed("", {}).type);
    CHECK(error.message == "not today");
    error = desk.error_of("never");
    CHECK(error.status == 403);
    CHECK(error.message == "not you");
    CHECK(desk.host.value(0, "Title") == text("Emma"));
    CHECK(desk.count() == 1);
  }
}

TEST_CASE("an error of the host ends the script and comes out as it is") {
  Desk desk;
  desk.run("lend", "pcall(function() record.Title = 'x' end)  record:raise 'Lent'");
  desk.host.refusal = invalid_state("locked");
  Error error = desk.error_of("lend");
  CHECK(error.status == 400);
  CHECK(error.type == invalid_state("").type);
  CHECK(error.message == "locked");
  CHECK(desk.host.events.empty());
  desk.host.refusal.reset();
  CHECK(desk.count() == 1);
  CHECK(desk.library.random.calls == 0);
}

TEST_CASE("what a script inside refuses or breaks ends the outermost, once") {
  Desk desk;
  desk.run("refuse", "reject 'not inside'").run("break", "local x  return x.y").run("loop", "while true do end");
  desk.run("outer", "pcall(record.act, record, input.Title)  record:raise 'Lent'", "optional = { \"Title\" },");
  desk.run("through", "pcall(record.act, record, 'outer', { Title = input.Title })  record:raise 'Lent'",
           "optional = { \"Title\" },");
  for (bool swallows : {false, true}) {
    desk.host.swallows = swallows;
    for (const char* outer : {"outer", "through"}) {
      auto error_of = [&](const char* inner) {
        auto result = desk.host.run(desk.book(), outer, {{"Title", text(inner)}});
        REQUIRE_FALSE(result);
        return result.error();
      };
      CHECK(error_of("refuse").message == "not inside");
      int references = desk.library.random.calls;
      Error error = error_of("break");
      CHECK(error.type == "ScriptException");
      CHECK_THAT(error.log_detail, Contains("action 'break'") && Contains("attempt to index local 'x'"));
      CHECK(desk.library.random.calls == references + 1);
      CHECK(desk.count() == 1);  // a fresh state
      CHECK_THAT(error_of("loop").log_detail, Contains("action 'loop'") && Contains("ran longer than 50 ms"));
      CHECK(desk.library.random.calls == references + 2);
      CHECK(desk.count() == 1);
    }
  }
  CHECK(desk.host.events.empty());
}

TEST_CASE("all that runs inside of a call has its time and its memory") {
  Desk desk;
  desk.run("short", "for i = 1, 1000 do end").run("often", "while true do record:act 'short' end");
  desk.run("grow",
           "local t = {} for i = 1, 60000 do t[i] = { i } end  if input.Pages < 12 then record:act('grow', { Pages = "
           "input.Pages + 1 }) end",
           "optional = { \"Pages\" },");
  CHECK_THAT(desk.error_of("often").log_detail, Contains("ran longer than 50 ms"));
  auto result = desk.host.run(desk.book(), "grow", {{"Pages", whole(0)}});
  REQUIRE_FALSE(result);
  CHECK_THAT(result.error().log_detail, Contains("not enough memory") || Contains("ran longer"));
  CHECK(desk.count() == 1);
}

TEST_CASE("actions that run each other without end are told so") {
  Desk desk;
  desk.run("ping", "record:act 'pong'").run("pong", "record:act 'ping'");
  CHECK_THAT(desk.error_of("ping").log_detail, Contains("scripts call each other more than 16 deep"));
  CHECK(desk.count() == 1);
}

TEST_CASE("what a script would keep of a call for another is an error, also within a nested one") {
  Desk desk;
  desk.library.add(FileKind::Action, "keep", R"(
    local kept
    return action "keep" { optional = { "Lent" }, run = function(record, input)
      if not input.Lent then kept = record end
      if input.Lent then record:act "keep" end
    end })");
  CHECK_THAT(desk.error_of("keep").log_detail, Contains("'kept' stands outside of the function and was changed"));
  auto nested = desk.host.run(desk.book(), "keep", {{"Lent", Value(true)}});
  REQUIRE_FALSE(nested);
  CHECK_THAT(nested.error().log_detail, Contains("'kept' stands outside of the function and was changed"));
  CHECK(desk.count() == 1);
}

TEST_CASE("desk.create runs hooks inside, and their refusal is the answer") {
  Desk desk;
  desk.library.hooks("before_create = function(book) if book.Title == nil then reject 'a book needs a title' end end");
  desk.run("copy", "pcall(desk.create, 'book', {})");
  CHECK(desk.error_of("copy").message == "a book needs a title");
}

namespace {

bool needs_lua_54(const std::string& name) { return name == "integer 2^53+1" || name == "big integer"; }

// The chunk as the script of an action; what it answers goes into Title.
void check_case(const rapidjson::Value& entry) {
  std::string name = entry["name"].GetString(), chunk = entry["chunk"].GetString(),
              expected = entry["expect"].GetString();
  INFO(name << ": " << chunk);
  std::string body = "local function chunk(...)\n" + chunk +
                     "\nend\nlocal result = chunk()\nif result ~= nil then record.Title = tostring(result) end";
  DefinedFile file =
      define({"x.lua", "return action \"x\" { run = function(record)\n" + body + "\nend }"}, FileKind::Action, "x");
  if (!file.problems.empty()) {  // no Lua at all
    CHECK((expected != "value" || needs_lua_54(name)));
    return;
  }
  Desk desk;
  desk.run("chunk", body).run("after", R"(
    local function is_known(name) return (pcall(function() return _G[name] end)) end
    record.Lent = not (is_known "leak" or is_known "leak2" or is_known "nosuch"))");
  auto book = desk.host.add("book");
  auto result = desk.host.run(book, "chunk");
  Value title = desk.host.value(book, "Title");
  if (expected == "value" && !needs_lua_54(name)) {
    INFO((result ? std::string() : result.error().log_detail));
    REQUIRE(result);
    const rapidjson::Value& value = entry["value"];
    CHECK(title == text(value.IsString() ? value.GetString() : std::to_string(value.GetInt64())));
  }
  if (expected == "blocked") CHECK((!result || is_null(title)));
  if (!result) CHECK(result.error().type == "ScriptException");
  REQUIRE(desk.host.run(book, "after"));
  CHECK(desk.host.value(book, "Lent") == Value(true));
}

}  // namespace

TEST_CASE("every sandbox case of the shared data behaves as stated in an action") {
  std::filesystem::path path = std::filesystem::path(test::source_folder()) / "../shared/data/lua/lua_sandbox_dev.json";
  if (!std::filesystem::exists(path)) {
    WARN("the shared data is not here: nothing to check");
    return;
  }
  std::ifstream in(path);
  std::string json((std::istreambuf_iterator<char>(in)), {});
  rapidjson::Document document;
  document.Parse(json.c_str());
  REQUIRE(document.IsObject());
  for (const auto& entry : document["cases"].GetArray()) check_case(entry);
}
