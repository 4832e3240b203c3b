// require "lib.hours": which file it finds, and that nobody changes what it gives.
#include "engine/base/random.h"
#include "engine/script/program.h"
#include "engine/script/state.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace callisto;
using namespace callisto::script;
using Catch::Contains;

namespace {

class Desk {
 public:
  Desk() {
    std::filesystem::create_directories(folder_ / "own");
    write("entities/common.lua", "return common { properties = { key \"Ref\", boolean \"IsDeleted\" } }");
    write("entities/item.lua", "return entity \"item\" {}");
    write("entities/book.lua", "return entity \"book\" { extends = \"item\" }");
  }
  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path(folder_ / file);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void token(const std::string& folder, const std::string& text) const {
    write(folder + "/augmenters/Asked.lua", text);
  }

  LoadResult load() const { return script::load({folder_ / "entities"}, {folder_ / "scripts", folder_ / "own"}); }

  // What @Asked of the entity answers; or why it does not.
  std::string asked(const std::string& entity) const {
    const LoadResult loaded = load();
    for (const catalog::Problem& problem : loaded.problems) FAIL(to_string(problem));
    const SystemClock clock;
    SystemRandom random;
    auto state = State::create(loaded.program, {}, clock, random);
    if (!state) return state.error().log_detail;
    const auto answer = (*state)->call(*loaded.program->catalog->find(entity)->find_augmenter("Asked"), {}, {});
    if (!answer) return answer.error().log_detail;
    const auto* text = std::get_if<std::string>(&*answer);
    return text ? *text : "(no text)";
  }

 private:
  test::TemporaryFolder folder_;
};

constexpr const char* asking =
    "local it = require \"lib.it\"\nreturn token \"Asked\" { returns = \"Text\", value = function() return it.name() "
    "end }";

std::string named(const std::string& name) { return "return { name = function() return \"" + name + "\" end }"; }

}  // namespace

TEST_CASE("a module is found with the entity, then with its parents, then in common") {
  const Desk desk;
  desk.token("scripts/book", asking);
  desk.write("scripts/common/lib/it.lua", named("common"));
  CHECK(desk.asked("book") == "common");
  desk.write("scripts/item/lib/it.lua", named("item"));
  CHECK(desk.asked("book") == "item");
  desk.write("scripts/book/lib/it.lua", named("book"));
  CHECK(desk.asked("book") == "book");
}

TEST_CASE("a module of a later folder goes before that of an earlier one") {
  const Desk desk;
  desk.token("scripts/book", asking);
  desk.write("scripts/book/lib/it.lua", named("product"));
  desk.write("own/book/lib/it.lua", named("site"));
  CHECK(desk.asked("book") == "site");
}

TEST_CASE("what stands in the parent's folder requires by the parent's family") {
  const Desk desk;
  desk.token("scripts/item", asking);
  desk.write("scripts/item/lib/it.lua", named("item"));
  desk.write("scripts/book/lib/it.lua", named("book"));
  CHECK(desk.asked("book") == "item");
}

TEST_CASE("modules require each other, libraries of scripts/lib and these them by name") {
  const Desk desk;
  desk.token("scripts/book", asking);
  desk.write("scripts/lib/marks.lua", "return library \"marks\" { mark = \"!\" }");
  desk.write("scripts/book/lib/other.lua",
             "local marks = require \"lib.marks\"\nreturn { text = \"other\" .. marks.mark .. #marks.mark }");
  desk.write("scripts/book/lib/it.lua",
             "local other = require \"lib.other\"\nreturn { name = function() return other.text end }");
  CHECK(desk.asked("book") == "other!1");
}

TEST_CASE("a module is frozen, and what it keeps is told") {
  const Desk desk;
  desk.write("scripts/book/lib/it.lua",
             "local count = 0\nreturn { list = {}, name = function() count = count + 1 return \"x\" end }");
  desk.token("scripts/book", asking);
  CHECK_THAT(desk.asked("book"), Contains("'count' of a library was changed"));
  for (const auto& [body, told] : {std::pair("it.list = {}", "'lib/it.lua' cannot be changed by a script"),
                                   std::pair("it.list[1] = 1", "of a library was changed"),
                                   std::pair("return it.lst", "'lib/it.lua' has no 'lst'"),
                                   std::pair("return require \"lib\" .. \".it\"", "there is no 'lib'")}) {
    CAPTURE(body);
    desk.token("scripts/book",
               std::string("local it = require \"lib.it\"\nreturn token \"Asked\" { returns = \"Text\", value = "
                           "function() ") +
                   body + " end }");
    if (std::string(body).find("..") == std::string::npos) CHECK_THAT(desk.asked("book"), Contains(told));
    else CHECK(desk.load().problems.size() == 1);
  }
}

TEST_CASE("a function may require where it runs") {
  const Desk desk;
  desk.write("scripts/book/lib/it.lua", named("late"));
  desk.token("scripts/book",
             "return token \"Asked\" { returns = \"Text\", value = function() return require(\"lib.it\").name() end }");
  CHECK(desk.asked("book") == "late");
}

TEST_CASE("a module that cannot be read hides no other problem and no other file") {
  const Desk desk;
  desk.write("scripts/book/lib/it.lua", "return { name = = 1 }");
  desk.token("scripts/book", asking);
  desk.write("scripts/book/augmenters/Old.lua", "return condition \"Old\" { filtr = \"Ref > 1\" }");
  const auto problems = desk.load().problems;
  REQUIRE(problems.size() >= 2);
  CHECK_THAT(to_string(problems[0]), Contains("Old.lua"));
  CHECK_THAT(to_string(problems.back()), Contains("lib/it.lua:1"));
}
