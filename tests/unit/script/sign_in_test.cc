// scripts/sign-in.lua: how it is read, called and told what is wrong with it.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "engine/script/state.h"
#include "tests/support/seeded_random.h"
#include "tests/support/temporary_folder.h"

using namespace callisto;
using namespace callisto::script;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

class Desk : public test::TemporaryFolder {
 public:
  explicit Desk(const std::string& rule, bool has_persons = true) {
    write("entities/common.lua", "return common { properties = { key \"Ref\", boolean \"IsDeleted\" } }");
    write("entities/book.lua", "return entity \"book\" {}");
    if (has_persons)
      write("entities/person.lua",
            "return entity \"person\" { properties = { text \"LastName\", boolean \"IsVip\", "
            "text \"Name\" { class = \"Computed\", readonly = true } } }");
    write("scripts/sign-in.lua", rule);
  }
  LoadResult load() const { return script::load({*this / "entities"}, {*this / "scripts"}); }
  std::string problem() const {
    const LoadResult loaded = load();
    return loaded.problems.empty() ? "none" : to_string(loaded.problems.front());
  }

  Result<SignInAnswer> answer(const std::string& claims) {
    const LoadResult loaded = load();
    if (!loaded.program) FAIL(to_string(loaded.problems.front()));
    auto state = State::create(loaded.program, {.time_ms = 50}, clock_, random_);
    REQUIRE(state);
    return (*state)->sign_in(*json::parse(claims));
  }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories(fs::path(*this / file).parent_path());
    std::ofstream(*this / file) << text;
  }

 private:
  SystemClock clock_;
  testing::SeededRandom random_;
};

std::string rule(const std::string& body, const std::string& options = {}) {
  return "return sign_in {\n  claims = { \"name\", \"groups\" }, gives = { \"Desk\", \"Leads\" }, " + options +
         "\n  run = function(claims)\n    " + body + "\n  end,\n}";
}

}  // namespace

TEST_CASE("sign-in.lua is a function of claims") {
  Desk desk(rule("return { LastName = claims.name, IsVip = claims.groups ~= nil }, { \"Leads\" }"));
  const auto loaded = desk.load();
  REQUIRE(loaded.program);
  CHECK(loaded.program->sign_in->claims == std::vector<std::string>{"name", "groups"});
  CHECK(loaded.program->sign_in->gives == std::vector<std::string>{"Desk", "Leads"});
  CHECK(loaded.program->sign_in->origin.line == 3);
  const auto answer = desk.answer(R"({"iss":"i","sub":"s","name":"Ada","other":1})");
  REQUIRE(answer);
  CHECK(answer->person == NamedValues{{"LastName", Value(std::string("Ada"))}, {"IsVip", Value(false)}});
  CHECK(answer->roles == std::vector<std::string>{"Leads"});
}

TEST_CASE("claims come as JSON has them, and what is null or missing is nil") {
  Desk desk(
      rule("return { LastName = type(claims.name) .. type(claims.groups) .. claims.sub .. #(claims.groups or {}) }"));
  const auto name_of = [&](const std::string& claims) {
    return std::get<std::string>(desk.answer(claims)->person.at("LastName"));
  };
  CHECK(name_of(R"({"sub":"s"})") == "nilnils0");
  CHECK(name_of(R"({"sub":"s","name":null,"groups":["a",null,{"b":[]}]})") == "niltables3");
  CHECK(name_of(R"({"sub":"s","name":12,"groups":"one"})") == "numberstrings3");
}

TEST_CASE("a refusal has the rule's own words") {
  Desk desk(rule("if not claims.groups then forbid \"Ask the desk.\" end reject \"Not today.\""));
  const auto forbidden = desk.answer("{}");
  CHECK((forbidden.error().status == 403 && forbidden.error().message == "Ask the desk."));
  const auto rejected = desk.answer(R"({"groups":[]})");
  CHECK((rejected.error().status == 400 && rejected.error().message == "Not today."));
}

TEST_CASE("what a rule does wrong is told with its file and line") {
  struct Row {
    const char* body;
    const char* told;
  };
  for (const Row& row :
       {Row{"return", "returned nil; it returns the person's properties"}, Row{"return \"Ada\"", "returned string"},
        Row{"return { LastName = claims.nmae }", "'claims' of sign_in does not name 'nmae'; did you mean 'name'?"},
        Row{"return { LastNaem = 1 }", "'person' takes no 'LastNaem'; did you mean 'LastName'?"},
        Row{"return { LastName = {} }", "'LastName' takes a Text"},
        Row{"return { Name = \"x\" }", "'Name' of 'person' is read-only"},
        Row{"return {}, \"Desk\"", "a list of roles, not the text 'Desk'"},
        Row{"return {}, { Desk = true }", "a list of their names"},
        Row{"return {}, { \"Dsk\" }", "'gives' of sign_in has no role 'Dsk'; did you mean 'Desk'?"},
        Row{"return { LastName = claims.name.first.last }", "attempt to index"},
        Row{"return { LastName = desk.first(\"person\").LastName }", "desk"},
        Row{"claims.name = 1; while true do end", "ran longer than 50 ms"}}) {
    INFO(row.body);
    Desk desk(rule(row.body));
    const auto answer = desk.answer(R"({"sub":"s","name":"Ada"})");
    REQUIRE_FALSE(answer);
    CHECK(answer.error().status == 500);
    CHECK_THAT(answer.error().log_detail, Contains(row.told) && Contains("scripts/sign-in.lua:"));
  }
}

TEST_CASE("a sign-in keeps nothing for the next one") {
  Desk desk("local last\n" + rule("last = claims.name return { LastName = last }"));
  const auto answer = desk.answer(R"({"name":"Ada"})");
  REQUIRE_FALSE(answer);
  CHECK_THAT(answer.error().log_detail, Contains("'last' stands outside of the function and was changed"));
}

TEST_CASE("a file that is no sign-in is told when it is loaded") {
  struct Row {
    std::string text, told;
  };
  const Row rows[] = {
      {rule("return {}", "role = { \"x\" },"), "sign-in.lua:2: unknown option 'role' of sign_in"},
      {"return sign_in { claims = { \"a\" } }", "sign_in needs 'run'"},
      {"return sign_in { claims = \"a\", run = function() end }", "'claims' of sign_in must be a list of texts"},
      {"return hooks { after_create = function() end }", "a file in this folder defines sign_in, not hooks"},
      {"return sign_in \"x\" {}", "sign_in takes its options in braces"},
      {"return {}", "return sign_in { ... }"},
      {rule("return { LastName = claims.name:upperr() } , lits.x"), "unknown word 'lits'"},
      {rule("return { LastName = session.id }"), "session"},
      {"return sign_in {", "sign-in.lua:1"}};
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK_THAT(Desk(row.text).problem(), Contains(row.told));
  }
  CHECK_THAT(Desk(rule("return {}"), false).problem(), Contains("there is no entity 'person'"));
  Desk misspelt(rule("return {}"));
  fs::rename(misspelt / "scripts/sign-in.lua", misspelt / "scripts/sign_in.lua");
  CHECK_THAT(misspelt.problem(), Contains("did you mean 'sign-in.lua'?"));
}
