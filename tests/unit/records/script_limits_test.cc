// What a script may not do to records, told by the real Change: a desk with an entity of its own, "note".
#include "engine/events/sinks.h"
#include "engine/records/schema.h"
#include "engine/records/write.h"
#include "engine/storage/migrate.h"
#include "tests/support/own_model.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace callisto;
using namespace callisto::records;
using Catch::Contains;

namespace {

const char* const note = R"(return entity "note" {
  properties = { text "Title" { length = 40 }, integer "Count" { default = 0 }, short "State",
    lookup "Kind" { entity = "kind" }, lookup "Other" { entity = "kind" }, integer "KindRef" { mirror = "Kind" },
    lookup "Author" { entity = "person" } } })";
const char* const kind = R"(return entity "kind" { properties = { text "Name" { length = 40 } } })";
const char* const states = R"(return states "State" {
  state "New" { value = 0, initial = true }, state "Done" { value = 1 } })";

class Notes {
 public:
  // Files below scripts/note, by name.
  explicit Notes(std::map<std::string, std::string> files) {
    files.emplace("states", states);
    write("entities/note", note);
    write("entities/kind", kind);
    for (const auto& [name, text] : files) write("scripts/note/" + name, text);
    test::OwnModel own(clock_, random_, {folder_ / "entities"}, {folder_ / "scripts"});
    model_ = own.model;
    auto database = storage::Database::open({.url = "sqlite::memory:"});
    REQUIRE(database);
    database_ = *std::move(database);
    REQUIRE(storage::apply(*database_, storage::engine_migrations(), tables_of(model_->catalog()), clock_.now()));
    writer_.emplace(*model_, *database_, std::move(own.state), clock_, random_, [](const Context&) {
      return std::make_unique<events::Sinks>(std::vector<std::unique_ptr<events::Sink>>());
    });
    session_.type = auth::SessionType::Analyst;
    session_.person = 1;
    session_.rights = {"*:Read", "*:Create", "*:Update", "*:Action", "*:Delete"};
  }

  Result<Written> create(const std::string& body = "{}", const std::string& entity = "note") {
    return writer_->create(*model_->catalog().find(entity), {session_, json::parse(body)});
  }
  Result<Written> act(const std::string& action, const std::string& body = "{}") {
    return writer_->act(*model_->catalog().find("note"), 1, action, {session_, json::parse(body)});
  }
  // The script failure that creating a note, or then acting on it, ends with.
  std::string failure_of(const std::string& action) {
    auto done = create();
    if (done) done = act(action, action == "update" ? R"({"Title":"x"})" : "{}");
    REQUIRE_FALSE(done);
    CHECK(done.error().type == "ScriptException");
    return done.error().log_detail;
  }
  // How many statements it costs to do this to the first note, with its writing.
  std::size_t statements_of(const std::string& action, const script::NamedValues& input = {}) {
    std::size_t statements = 0;
    REQUIRE(writer_->write(session_, [&](const Context&, Change& change) -> Result<void> {
      CALLISTO_TRY(const auto handle, change.open(*model_->catalog().find("note"), 1));
      CALLISTO_CHECK(change.perform(handle, *change.entity(handle).find_action(action), {{}, input}));
      statements = change.statements();
      return {};
    }));
    return statements;
  }
  Value value(std::string_view property) {
    Value found;
    REQUIRE(writer_->write(session_, [&](const Context&, Change& change) -> Result<void> {
      CALLISTO_TRY(const auto handle, change.open(*model_->catalog().find("note"), 1));
      found = change.get(handle, *change.entity(handle).find_property(property));
      return {};
    }));
    return found;
  }

 private:
  void write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_ / (name + ".lua");
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  test::TemporaryFolder folder_;
  SystemClock clock_;
  SystemRandom random_;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<storage::Database> database_;
  std::optional<Writer> writer_;
  auth::Session session_;
};

std::string action(const std::string& name, const std::string& body) {
  return "return action \"" + name + "\" { run = function(note, input)\n" + body + "\nend }";
}

std::string hook(const std::string& name, const std::string& body) {
  return "return hooks { " + name + " = function(note, before)\n" + body + "\nend }";
}

}  // namespace

TEST_CASE("actions of one record that run each other without end are a script's failure") {
  Notes alone({{"actions/again", action("again", "note:act 'again'")}});
  CHECK_THAT(alone.failure_of("again"),
             Contains("again.lua:2: actions of note 1 run each other more than 16 deep (again)"));
  Notes both(
      {{"actions/ping", action("ping", "note:act 'pong'")}, {"actions/pong", action("pong", "note:act 'ping'")}});
  CHECK_THAT(both.failure_of("ping"), Contains("more than 16 deep (ping)"));
  REQUIRE(both.create());  // and the desk goes on
}

TEST_CASE("hooks that run actions of their record without end are a script's failure") {
  const std::string more = action("again", "note.Count = note.Count + 1");
  for (const char* name : {"before_update", "after_update"}) {
    CAPTURE(name);
    Notes notes({{"actions/again", more}, {"hooks", hook(name, "note:act 'again'")}});
    CHECK_THAT(notes.failure_of("update"), Contains("more than 16 deep (again)"));
  }
  for (const char* name : {"before_create", "after_create"}) {
    CAPTURE(name);
    Notes notes({{"actions/again", more},
                 {"hooks", "local function again(note) note:act 'again' end\nreturn hooks { after_update = again, " +
                               std::string(name) + " = again }"}});
    CHECK_THAT(notes.failure_of("update"), Contains("more than 16 deep (again)"));
  }
}

TEST_CASE("an action that a record's own actions run over two records has an end as well") {
  Notes notes({{"actions/other", action("other", R"(
    local other = desk.search("note", { Title = "other" })[1] or desk.create("note", { Title = "other" })
    local first = desk.find("note", 1)
    if first == note then other:act "other" else first:act "other" end)")}});
  CHECK_THAT(notes.failure_of("other"), Contains("more than 16 deep (other)"));
}

TEST_CASE("what one script asks for in turn is no chain, but has a limit of its own") {
  Notes notes({{"actions/more", action("more", "note.Count = note.Count + 1")},
               {"actions/forty", action("forty", "for i = 1, 40 do note:act 'more' end")},
               {"actions/split", action("split", "note:act 'split' note:act 'split'")},
               {"actions/down", R"(return action "down" { optional = { integer "Steps" }, run = function(note, input)
                  note.Count = input.Steps
                  if input.Steps > 1 then note:act("down", { Steps = input.Steps - 1 }) end end })"}});
  REQUIRE(notes.create());
  REQUIRE(notes.act("forty"));
  CHECK(notes.value("Count") == Value(std::int64_t{40}));
  REQUIRE(notes.act("down", R"({"Steps":16})"));
  CHECK(notes.value("Count") == Value(std::int64_t{1}));
  CHECK_FALSE(notes.act("down", R"({"Steps":17})"));
  const auto split = notes.act("split");
  REQUIRE_FALSE(split);
  CHECK_THAT(split.error().log_detail, Contains("scripts ask for more than 1000 actions of note 1 (split)"));
}

TEST_CASE("a script cannot give a record another key, another Id, or a number of changes") {
  Notes notes({{"actions/renumber", action("renumber", "note.Ref = 99999")},
               {"actions/rename", action("rename", "note.Id = 'foo'")},
               {"actions/recount", action("recount", "note.RecordVersion = 1")}});
  CHECK_THAT(notes.failure_of("renumber"), Contains("renumber.lua:2: Ref is the record's key and cannot be changed"));
  const auto renamed = notes.act("rename");
  REQUIRE_FALSE(renamed);
  CHECK_THAT(renamed.error().log_detail, Contains("Id identifies the record for others and cannot be changed"));
  const auto recounted = notes.act("recount");
  REQUIRE_FALSE(recounted);
  CHECK_THAT(recounted.error().log_detail, Contains("RecordVersion counts the record's changes and cannot be set"));
  CHECK(notes.value("Ref") == Value(std::int64_t{1}));
}

TEST_CASE("a script cannot put a record into a state that its entity has not") {
  const std::string known = "note has no state 77; its states are New (0), Done (1)";
  Notes notes({{"actions/lose", action("lose", "note.State = 77")},
               {"actions/forget", action("forget", "note.State = null")},
               {"actions/change", action("change", "note:act('update', { State = 77 })")},
               {"actions/make", action("make", "desk.create('note', { State = 77 })")},
               {"actions/finish",
                "return action \"finish\" { may_move_to = { \"Done\" }, run = function(note)\nnote.State = 1\nend }"}});
  CHECK_THAT(notes.failure_of("lose"), Contains("lose.lua:2: " + known));
  for (const char* name : {"change", "make"}) {
    CAPTURE(name);
    const auto done = notes.act(name);
    REQUIRE_FALSE(done);
    CHECK_THAT(done.error().log_detail, Contains(known));
  }
  CHECK_FALSE(notes.act("forget"));
  REQUIRE(notes.act("finish"));
  CHECK(notes.value("State") == Value(std::int64_t{1}));
}

TEST_CASE("code moves a record only to states that its action says, whichever way it goes") {
  struct Way {
    const char *title, *code, *refused;  // refused: empty, it may
  };
  const Way ways[] = {
      {"its own", "note.State = 1",
       "go of note does not say that it may move to Done: write may_move_to = \"Done\" in"},
      {"to where it is", "note.State = 0", ""},
      {"by an action that says nothing of it", "note:act('update', { State = 1 })",
       "update of note does not say that it may move to Done"},
      {"by an action that says so", "note:act('finish')", ""},
      {"another's", "local other = desk.create('note', {}) other.State = 1",
       "no action of this note runs, so that it cannot move to Done: ask for one that moves there, with record:act"},
      {"another's that was found", "desk.first('note', 'Ref == 1').State = 1", "go of note does not say"},
      {"another's, by an action that says so", "desk.create('note', {}):act('finish')", ""},
      {"a new one", "desk.create('note', { State = 1 })", "create of note does not say that it may move to Done"},
      {"a new one as it begins", "desk.create('note', { State = 0 })", ""},
  };
  for (const Way& way : ways) {
    INFO(way.title);
    Notes notes({{"actions/go", action("go", way.code)},
                 {"actions/finish", "return action \"finish\" { moves_to = \"Done\" }"}});
    REQUIRE(notes.create());
    const auto done = notes.act("go");
    CHECK(bool(done) == (*way.refused == '\0'));
    if (!done) CHECK_THAT(done.error().log_detail, Contains("go.lua:2: ") && Contains(way.refused));
  }
}

TEST_CASE("desk.search finds by values what the same question finds as a filter") {
  const std::pair<const char*, const char*> questions[] = {
      {"{ Title = 'faust' }", R"('Title == "faust"')"},
      {"{ Title = { 'FAUST', 'none' } }", R"('Title in ("FAUST", "none")')"},
      {"{ Title = null }", "'Title == null'"},
      {"{ Title = { null, 'ÄRGER' } }", R"('Title == null || Title == "ärger"')"},
      {"{ Count = 0 }", "'Count == 0'"},
      {"{ Count = { 0, null } }", "'Count == 0 || Count == null'"},
      {"{ Kind = null, Title = 'ärger' }", R"('Kind == null && Title == "ÄRGER"')"},
      {"{ Kind = { null } }", "'Kind == null'"},
      {"{ Title = {} }", R"('Title == "none"')"},
  };
  for (const auto& [values, filter] : questions) {
    INFO(values);
    const std::string code = std::string("local by_values, by_filter = #desk.search('note', ") + values +
                             "), desk.count('note', " + filter +
                             ") if by_values ~= by_filter then error(by_values .. ' and ' .. by_filter) end";
    Notes notes({{"actions/ask", action("ask", code)}});
    for (const char* body : {R"({"Title":"Faust"})", R"({"Title":"FAUST","Count":1})", R"({"Title":"Ärger"})", "{}"})
      REQUIRE(notes.create(body));
    const auto asked = notes.act("ask");
    CHECK((asked ? "" : asked.error().log_detail) == std::string());
  }
}

TEST_CASE("a script cannot write a lookup to a record that is nowhere") {
  Notes notes({{"actions/set", action("set", "note.Kind = 99999")},
               {"actions/mirror", action("mirror", "note.KindRef = 99999")},
               {"actions/part", action("part", "note.Partition = 99999")},
               {"actions/give", action("give", "note:act('take', { Given = 99999 })")},
               {"actions/take", "return action \"take\" { optional = { lookup \"Given\" { entity = \"kind\" } } }"},
               {"actions/update-it", action("update-it", "note:act('update', { Kind = 99999 })")},
               {"actions/make", action("make", "desk.create('note', { Kind = 99999 })")}});
  CHECK_THAT(notes.failure_of("set"), Contains("set.lua:2: Kind: there is no kind 99999"));
  for (const char* name : {"mirror", "give", "update-it", "make", "part"}) {
    CAPTURE(name);
    const auto done = notes.act(name);
    REQUIRE_FALSE(done);
    CHECK(done.error().type == "ScriptException");
    CHECK_THAT(done.error().log_detail, Contains(std::string(name) + ".lua:2: "));
    CHECK_THAT(done.error().log_detail, Contains(": there is no ") && Contains(" 99999"));
  }
  CHECK(notes.value("Kind") == Value(Null{}));
}

TEST_CASE("a before hook cannot write a lookup to a record that is nowhere") {
  Notes notes({{"hooks", hook("before_create", "note.Kind = 7")}});
  const auto made = notes.create();
  REQUIRE_FALSE(made);
  CHECK_THAT(made.error().log_detail, Contains("hooks.lua:2: Kind: there is no kind 7"));
}

TEST_CASE(
    "a lookup that a script writes costs a statement where the record, its request and the session do not know it") {
  Notes notes({{"actions/nothing", action("nothing", "note.Count = note.Count + 1")},
               {"actions/first", action("first", "note.Kind = 1")},
               {"actions/copy", action("copy", "note.Other, note.Count = note.Kind, note.Count + 1")},
               {"actions/clear", action("clear", "note.Kind = null note.Kind = 1 note.Author = 1")},
               {"actions/take",
                R"(return action "take" { optional = { lookup "Given" { entity = "kind" } }, run = function(note, input)
                  note.Kind = input.Given end })"},
               {"actions/many", action("many", "for i = 1, 20 do note.Kind, note.Count = i % 2 + 2, i end")}});
  REQUIRE(notes.create(R"({"Name":"one"})", "kind"));
  REQUIRE(notes.create(R"({"Name":"two"})", "kind"));
  REQUIRE(notes.create(R"({"Name":"three"})", "kind"));
  REQUIRE(notes.create());
  const std::size_t least = notes.statements_of("nothing");
  CHECK(notes.statements_of("first") == least + 1);
  CHECK(notes.statements_of("copy") == least);
  CHECK(notes.statements_of("clear") == least);
  CHECK(notes.statements_of("take", {{"Given", std::int64_t{2}}}) == least);
  CHECK(notes.statements_of("many") == least + 1);
  CHECK(notes.value("Kind") == Value(std::int64_t{2}));
}
