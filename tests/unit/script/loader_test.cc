#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/script/library.h"
#include "engine/script/load/left_behind.h"
#include "engine/script/program.h"
#include "engine/script/state.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

using namespace callisto;
using namespace callisto::script;
using Catch::Contains;
using Catch::StartsWith;
namespace fs = std::filesystem;

namespace {

class Folder : public test::TemporaryFolder {
 public:
  void write(const std::string& relative, const std::string& text) const {
    fs::create_directories(fs::path(at(relative)).parent_path());
    std::ofstream(at(relative)) << text;
  }
  std::string at(const std::string& relative) const { return *this / relative; }
};

// Problems as text, without the folder that the test made.
std::vector<std::string> problems_of(const LoadResult& result, const Folder& folder) {
  std::vector<std::string> lines;
  for (const catalog::Problem& problem : result.problems) {
    std::string line = to_string(problem);
    if (auto at = line.find(folder.at("")); at != std::string::npos) line.erase(at, folder.at("").size());
    lines.push_back(line);
  }
  return lines;
}

void write_library(const Folder& folder) {
  folder.write("entities/common.lua",
               "return common { properties = { key \"Ref\", text \"Id\", boolean \"IsDeleted\" } }");
  folder.write("entities/book.lua", "return entity \"book\" { properties = { text \"Title\" } }");
  folder.write("entities/README.md", "not Lua");
  folder.write("scripts/common/augmenters/Me.lua",
               "return token \"Me\" { returns = \"Integer\", value = function(session) return session.user_id end }");
  folder.write("scripts/book/augmenters/IsOld.lua", "return condition \"IsOld\" { filter = \"Ref < 10\" }");
  folder.write("scripts/session-lists/shelves.lua",
               "return session_list \"shelves\" { entity = \"book\", where = \"Ref == @Me\", select = \"Ref\" }");
}

LoadResult load_from(const Folder& folder) { return load({folder.at("entities")}, {folder.at("scripts")}); }

}  // namespace

TEST_CASE("folders become a program") {
  Folder folder;
  write_library(folder);
  LoadResult result = load_from(folder);
  CHECK(problems_of(result, folder) == std::vector<std::string>{});
  REQUIRE(result.program);
  const catalog::Entity* book = result.program->catalog->find("book");
  REQUIRE(book);
  CHECK(book->find_property("Title"));
  CHECK(book->find_augmenter("Me")->script == 0);
  CHECK(book->find_augmenter("IsOld")->script == -1);
  REQUIRE(result.program->sources.size() == 1);
  CHECK(result.program->sources[0].file == folder.at("scripts/common/augmenters/Me.lua"));
  REQUIRE(result.program->session_lists.size() == 1);
  CHECK(result.program->session_lists[0].name == "shelves");
}

TEST_CASE("files with a plus add properties to an entity of another file") {
  Folder folder;
  write_library(folder);
  folder.write("own/book+shelf.lua", "return add_to \"book\" { properties = { text \"Shelf\" { length = 4 } } }");
  folder.write("own/book+loan.lua", "return add_to \"book\" { properties = { datetime \"LentSince\" } }");
  folder.write("entities/novel.lua", "return entity \"novel\" { extends = \"book\" }");
  const LoadResult result = load({folder.at("entities"), folder.at("own")}, {folder.at("scripts")});
  CHECK(problems_of(result, folder) == std::vector<std::string>{});
  REQUIRE(result.program);
  for (const char* name : {"book", "novel"}) {
    const catalog::Entity* entity = result.program->catalog->find(name);
    REQUIRE(entity->find_property("Shelf"));
    CHECK(entity->find_property("Shelf")->length == 4U);
    CHECK(entity->find_property("Shelf")->owner->name == "book");
    CHECK(entity->find_property("LentSince"));
    CHECK(entity->find_property("Title"));
  }
}

TEST_CASE("what cannot be added is said with its place") {
  Folder folder;
  write_library(folder);
  folder.write("entities/book+a.lua", "return add_to \"book\" {\n  properties = {\n    text \"title\" } }");
  folder.write("entities/bok+b.lua", "return add_to \"bok\" { properties = { text \"Shelf\" } }");
  folder.write("entities/book+c.lua", "return add_to \"boook\" { properties = { text \"Place\" } }");
  folder.write("entities/book+d.lua", "return add_to \"book\" { status = \"GA\", properties = { key \"Isbn\" } }");
  folder.write("entities/book+e.lua", "return entity \"book\" { properties = { text \"Room\" } }");
  const LoadResult result = load_from(folder);
  CHECK_FALSE(result.program);
  const std::vector<std::string> problems = problems_of(result, folder);
  REQUIRE(problems.size() == 7);
  CHECK(problems[0] == "entities/bok+b.lua:1: unknown entity 'bok' in 'add_to'; did you mean 'book'?");
  CHECK_THAT(problems[1], StartsWith("entities/book+a.lua:3: property 'title' of 'book' is already defined at "));
  CHECK_THAT(problems[2], StartsWith("entities/book+c.lua:1: the file is called 'book' but defines 'boook'"));
  CHECK(problems[3] == "entities/book+c.lua:1: unknown entity 'boook' in 'add_to'; did you mean 'book'?");
  CHECK(problems[4] == "entities/book+d.lua:1: key 'Isbn' does not belong in 'properties' of add_to 'book'");
  CHECK(problems[5] == "entities/book+d.lua:1: unknown option 'status' of add_to 'book'");
  CHECK(problems[6] == "entities/book+e.lua:1: a file in this folder defines add_to, not entity 'book'");
}

TEST_CASE("later folders override earlier ones file by file") {
  Folder folder;
  write_library(folder);
  folder.write("own/entities/book.lua", "return entity \"book\" { properties = { text \"Titel\" } }");
  folder.write("own/scripts/book/augmenters/IsOld.lua", "return condition \"IsOld\" { filter = \"Ref < 99\" }");
  LoadResult result =
      load({folder.at("entities"), folder.at("own/entities")}, {folder.at("scripts"), folder.at("own/scripts/")});
  REQUIRE(result.program);
  const catalog::Entity* book = result.program->catalog->find("book");
  CHECK(book->find_property("Titel"));
  CHECK_FALSE(book->find_property("Title"));
  CHECK(book->find_augmenter("IsOld")->filter == "Ref < 99");
}

TEST_CASE("every problem of every file comes in one run, by file and line") {
  Folder folder;
  write_library(folder);
  folder.write("entities/film.lua", "return entity \"film\" {\n  extends = \"boook\",\n  statsu = \"GA\" }");
  folder.write("entities/note.lua",
               "return entity \"note\" {\n  properties = {\n    lookup \"Film\" { entity = \"broken\" } } }");
  folder.write("entities/broken.lua", "return entity \"broken\" {");
  folder.write("scripts/bok/augmenters/X.lua", "return condition \"X\" { filter = \"true\" }");
  folder.write("scripts/book/augmenter/Y.lua", "return condition \"Y\" { filter = \"true\" }");
  folder.write("scripts/book/hooks.lua", "return 1");
  folder.write("scripts/book/hook.lua", "return 1");
  folder.write("scripts/book/spec/any_spec.lua", "describe(");
  folder.write("scripts/book/spec/titles.lua", "describe(");
  folder.write("scripts/session-lists/user_id.lua",
               "return session_list \"user_id\" { entity = \"book\", where = \"true\", select = \"Ref\" }");
  folder.write("scripts/book/augmenters/notes.txt", "?");
  folder.write("scripts/loose.lua", "return 1");
  LoadResult result = load_from(folder);
  CHECK(result.program == nullptr);
  auto lines = problems_of(result, folder);
  CAPTURE(lines);
  REQUIRE(lines.size() == 11);
  CHECK_THAT(lines[0], Catch::StartsWith("entities/broken.lua:1:"));
  CHECK(lines[1] == "entities/film.lua:2: unknown entity 'boook' in 'extends'; did you mean 'book'?");
  CHECK(lines[2] == "entities/film.lua:3: unknown option 'statsu' of entity 'film'; did you mean 'status'?");
  CHECK_THAT(lines[3], Contains("the folder 'bok' is not named after an entity; did you mean 'book'?"));
  const char* known =
      "only 'augmenters/Name.lua', 'actions/name.lua', 'states.lua', 'hooks.lua', 'lib' and 'spec' are known below";
  CHECK_THAT(lines[4], Contains(known) && Catch::EndsWith("did you mean 'augmenters'?"));
  CHECK_THAT(lines[5], Contains("scripts/book/augmenters/notes.txt: is no '.lua' file"));
  CHECK_THAT(lines[6], Contains(known) && Catch::EndsWith("did you mean 'hooks.lua'?"));
  CHECK_THAT(lines[7], Contains("scripts/book/hooks.lua:1: the file must return a definition: return hooks { ... }"));
  CHECK_THAT(lines[8], Contains("scripts/book/spec/titles.lua: a spec's name ends in _spec.lua"));
  CHECK_THAT(lines[9], Contains("scripts/loose.lua: scripts belong in the folder of their entity"));
  CHECK_THAT(lines[10], Contains("scripts/session-lists/user_id.lua: session.user_id is something else"));
}

TEST_CASE("states, actions and hooks become part of the catalog, their code of the program") {
  Folder folder;
  write_library(folder);
  folder.write("entities/book.lua",
               "return entity \"book\" { properties = { text \"Title\", short \"State\" { readonly = true } } }");
  folder.write("entities/comic.lua", "return entity \"comic\" { extends = \"book\" }");
  folder.write("scripts/book/states.lua", R"(return states "State" {
    state "In" { value = 0, initial = true }, state "Out" { value = 1 } })");
  folder.write("scripts/common/actions/create.lua", "return action \"create\" {}");
  folder.write("scripts/book/actions/lend.lua", R"(return action "lend" {
    from = "In", moves_to = "Out", run = function(book, input, session) end })");
  folder.write("scripts/common/hooks.lua",
               "return hooks { after_delete = function() end, before_create = function() end }");
  folder.write("scripts/comic/hooks.lua", "return hooks { before_create = function() end }");
  LoadResult result = load_from(folder);
  CHECK(problems_of(result, folder) == std::vector<std::string>{});
  REQUIRE(result.program);
  const Program& program = *result.program;
  auto function_at = [&](int script) {
    const Function& function = program.functions.at(static_cast<std::size_t>(script));
    return program.sources.at(function.source).file.substr(folder.at("scripts/").size()) + ' ' + function.option;
  };
  const catalog::Entity& book = *program.catalog->find("book");
  const catalog::Entity& comic = *program.catalog->find("comic");
  CHECK(comic.states == book.states);
  REQUIRE(comic.find_action("lend"));
  CHECK(comic.find_action("lend")->moves_to == 1);
  CHECK(function_at(comic.find_action("lend")->script) == "book/actions/lend.lua run");
  CHECK(book.find_action("create")->script == -1);
  CHECK(function_at(book.hooks.before_create.back()) == "common/hooks.lua before_create");
  REQUIRE(comic.hooks.before_create.size() == 2);
  CHECK(function_at(comic.hooks.before_create.front()) == "common/hooks.lua before_create");
  CHECK(function_at(comic.hooks.before_create.back()) == "comic/hooks.lua before_create");
  CHECK(function_at(comic.hooks.after_delete.front()) == "common/hooks.lua after_delete");
  CHECK(comic.hooks.history.empty());
  CHECK(function_at(book.find_augmenter("Me")->script) == "common/augmenters/Me.lua value");
}

TEST_CASE("hooks of every folder count, in the order of the folders; a folder that is named twice counts once") {
  Folder folder;
  write_library(folder);
  for (const char* place : {"scripts", "own", "third"})
    folder.write(std::string(place) + "/book/hooks.lua", "return hooks { before_create = function() end }");
  folder.write("own/common/hooks.lua", "return hooks { before_create = function() end }");
  fs::create_directory_symlink(folder.at("own"), folder.at("link"));
  const LoadResult result = load({folder.at("entities")}, {folder.at("scripts"), folder.at("own"), folder.at("link"),
                                                           folder.at("third"), folder.at("scripts")});
  CHECK(problems_of(result, folder) == std::vector<std::string>{});
  REQUIRE(result.program);
  std::vector<std::string> files;
  for (const int script : result.program->catalog->find("book")->hooks.before_create) {
    const Function& function = result.program->functions.at(static_cast<std::size_t>(script));
    files.push_back(result.program->sources.at(function.source).file.substr(folder.at("").size()));
  }
  CHECK(files == std::vector<std::string>{"own/common/hooks.lua", "scripts/book/hooks.lua", "own/book/hooks.lua",
                                          "third/book/hooks.lua"});
}

TEST_CASE("a library and a session list may be called hooks") {
  Folder folder;
  write_library(folder);
  folder.write("scripts/lib/hooks.lua", "return library \"hooks\" { one = 1 }");
  folder.write("own/session-lists/hooks.lua",
               "return session_list \"hooks\" { entity = \"book\", where = \"Ref == @Me\", select = \"Ref\" }");
  folder.write("scripts/session-lists/hooks.lua",
               "return session_list \"hooks\" { entity = \"book\", where = \"Ref == 1\", select = \"Ref\" }");
  const LoadResult result = load({folder.at("entities")}, {folder.at("scripts"), folder.at("own")});
  CHECK(problems_of(result, folder) ==
        std::vector<std::string>{
            "scripts/lib/hooks.lua: 'hooks' means something else already; give the library another name"});
}

TEST_CASE("files with a plus add, in the order of their names, from whichever folder; the last of a name counts") {
  Folder folder;
  write_library(folder);
  folder.write("scripts/common/actions/create.lua", "return action \"create\" {}");
  folder.write("own/book/actions/create+b.lua", "return add_to \"create\" { raises = \"B\" }");
  folder.write("scripts/book/actions/create+c.lua",
               "return add_to \"create\" { raises = \"C\", before = function() end }");
  folder.write("own/common/actions/create+z.lua", "return add_to \"create\" { raises = \"Z\" }");
  folder.write("scripts/book/actions/create+a.lua", "return add_to \"create\" { raises = \"Lost\" }");
  folder.write("own/book/actions/create+a.lua", "return add_to \"create\" { raises = \"A\", after = function() end }");
  folder.write("own/book/augmenters/IsOld+more.lua",
               "return add_to \"IsOld\" { also = \"Ref == 11\", only = \"Ref != 1\" }");
  const LoadResult result = load({folder.at("entities")}, {folder.at("scripts"), folder.at("own")});
  CHECK(problems_of(result, folder) == std::vector<std::string>{});
  REQUIRE(result.program);
  const catalog::Entity& book = *result.program->catalog->find("book");
  const catalog::Action& create = *book.find_action("create");
  CHECK(create.raises == std::vector<std::string>{"Z", "A", "B", "C"});
  REQUIRE(create.additions.size() == 4);
  CHECK(create.additions[1].after >= 0);
  CHECK(create.additions[1].before == -1);
  CHECK(create.additions[3].before >= 0);
  CHECK(create.additions[3].name == "create+c");
  CHECK(book.find_augmenter("IsOld")->filter == "((Ref < 10) || (Ref == 11)) && (Ref != 1)");
}

TEST_CASE("states that cannot be read do not make every name of one a problem") {
  Folder folder;
  write_library(folder);
  folder.write("scripts/book/states.lua", "return states \"State\" {");
  folder.write("scripts/book/actions/lend.lua", "return action \"lend\" { from = \"In\" }");
  LoadResult result = load_from(folder);
  REQUIRE(result.problems.size() == 1);
  CHECK_THAT(result.problems[0].origin.file, Catch::EndsWith("states.lua"));
}

TEST_CASE("a pipe among the files is a problem, and nobody waits for it") {
  Folder folder;
  write_library(folder);
  REQUIRE(mkfifo(folder.at("entities/pipe.lua").c_str(), 0600) == 0);
  const auto problems = problems_of(load_from(folder), folder);
  REQUIRE(problems.size() == 1);
  CHECK_THAT(problems[0], Contains("pipe.lua") && Contains("is a pipe or a socket, not a file"));
}

TEST_CASE("a link that leads back to a folder it stands in is a problem, and is not followed") {
  Folder folder;
  write_library(folder);
  fs::create_directory_symlink(folder.at("scripts"), folder.at("scripts/again"));
  fs::create_directory_symlink("..", folder.at("scripts/book/up"));
  fs::create_directories(folder.at("elsewhere"));
  fs::create_directory_symlink(folder.at("scripts/book"), folder.at("elsewhere/back"));
  fs::create_directory_symlink(folder.at("elsewhere"), folder.at("scripts/book/elsewhere"));
  const auto problems = problems_of(load_from(folder), folder);
  REQUIRE(problems.size() == 3);
  const std::string why = ": is a link back to a folder that contains it; take it out";
  CHECK(problems[0] == "scripts/again" + why);
  CHECK(problems[1] == "scripts/book/elsewhere/back" + why);
  CHECK(problems[2] == "scripts/book/up" + why);
}

TEST_CASE("files that stand elsewhere are read through a link to their folder") {
  Folder folder;
  write_library(folder);
  fs::rename(folder.at("scripts/book"), folder.at("books"));
  fs::create_directory_symlink(folder.at("books"), folder.at("scripts/book"));
  CHECK(problems_of(load_from(folder), folder) == std::vector<std::string>{});
}

TEST_CASE("what editors and file systems leave behind is passed over, and told") {
  Folder folder;
  write_library(folder);
  const std::string left[] = {"entities/book.lua~",        "scripts/#read.lua#",         "entities/book.lua.orig",
                              "scripts/book/a.lua.rej",    "scripts/book/actions/x.bak", "scripts/Thumbs.db",
                              "entities/lost+found/x.lua", "scripts/book.old/hooks.lua", "scripts/book/hooks.lua.off",
                              "entities/desktop.ini"};
  for (const std::string& each : left) folder.write(each, "no Lua at all");
  folder.write("entities/.DS_Store", "");  // and what has always been
  folder.write("scripts/book/.hooks.lua.swp", "");
  const LoadResult result = load_from(folder);
  CHECK(problems_of(result, folder) == std::vector<std::string>{});
  REQUIRE(result.program);
  CHECK(left_behind_in({folder.at("entities"), folder.at("scripts")}).size() == std::size(left) + 1);  // and .swp
  folder.write("scripts/book/notes.txt", "");  // nobody's leftover
  CHECK(problems_of(load_from(folder), folder).size() == 1);
}

TEST_CASE("libraries are words of all scripts and of each other") {
  Folder folder;
  write_library(folder);
  folder.write("scripts/lib/a_first.lua", "return library \"a_first\" { twice = function(x) return zz.of(x) end }");
  folder.write("scripts/lib/zz.lua", "return library \"zz\" { of = function(x) return 2 * x end, days = { 'Mon' } }");
  folder.write(
      "scripts/book/augmenters/Twice.lua",
      "return token \"Twice\" { returns = \"Integer\", value = function() return a_first.twice(#zz.days) end }");
  LoadResult result = load_from(folder);
  CHECK(problems_of(result, folder) == std::vector<std::string>{});
  REQUIRE(result.program);
  const Libraries libraries = libraries_of(*result.program);
  REQUIRE(libraries.size() == 2);
  CHECK(library_name(libraries[0]) == "zz");  // the other one uses it
  const SystemClock clock;
  SystemRandom random;
  const auto state = State::create(result.program, Budget{}, clock, random);
  REQUIRE(state);
  const auto value =
      (*state)->call(*result.program->catalog->find("book")->find_augmenter("Twice"), {}, SessionFacts());
  REQUIRE(value);
  CHECK(*value == Value(std::int64_t{2}));
  folder.write("own/lib/zz.lua", "return library \"zz\" { of = function(x) return 3 * x end }");
  result = load({folder.at("entities")}, {folder.at("scripts"), folder.at("own")});
  REQUIRE(result.program == nullptr);  // the later one has it, and it has no days
  CHECK_THAT(problems_of(result, folder)[0], Contains("'zz' has no 'days'"));
}

TEST_CASE("a library's mistakes are told once, in its file") {
  const std::pair<const char*, const char*> mistakes[] = {
      {"return library \"good\" {}", "lib/good.lua:1: library 'good' is empty"},
      {"return library \"other\" { x = 1 }", "lib/good.lua:1: the file is called 'good' but defines 'other'"},
      {"return { x = 1 }", "the file must return a definition: return library"},
      {"return library \"good\" { x = { y = function() end } }", "'x' of library 'good' must be a function, a text"},
      {"return library \"good\" { x = null }", "'x' of library 'good' must be"},
      {"return library \"good\" { f = function() return datetime.nwo() end }", "'datetime' has no 'nwo'"},
      {"return library \"good\" { f = function( }", "lib/good.lua:1:"},
      {"local f = os.time return library \"good\" { f = f }", "'os' is not available to scripts"},
  };
  for (const auto& [text, problem] : mistakes) {
    Folder folder;
    write_library(folder);
    folder.write("scripts/lib/good.lua", text);
    folder.write("scripts/book/augmenters/T.lua",
                 "return token \"T\" { returns = \"Integer\", value = function() return good.x end }");
    const auto problems = problems_of(load_from(folder), folder);
    INFO(text << "\n" << (problems.empty() ? "" : problems[0]));
    REQUIRE(problems.size() >= 1);
    CHECK_THAT(problems[0], Contains(problem));
  }
}

TEST_CASE("a library's name is a word that means nothing else") {
  for (const std::string name :
       {"text", "desk", "datetime", "string", "end", "os", "expect", "a-b", "Upper", "1st", "tostring"}) {
    Folder folder;
    write_library(folder);
    folder.write("scripts/lib/" + name + ".lua", "return library \"" + name + "\" { x = 1 }");
    const auto problems = problems_of(load_from(folder), folder);
    INFO(name);
    REQUIRE(problems.size() == 1);
    CHECK((problems[0].find("means something else already") != std::string::npos ||
           problems[0].find("cannot be a word of scripts") != std::string::npos));
  }
  Folder folder;
  write_library(folder);
  folder.write("scripts/lib/deep/x.lua", "return library \"x\" { x = 1 }");
  CHECK_THAT(problems_of(load_from(folder), folder).at(0), Contains("'lib' itself, not deeper"));
}

TEST_CASE("libraries that use each other are told") {
  Folder folder;
  write_library(folder);
  for (const auto& [name, other] : {std::pair("aa", "bb"), {"bb", "cc"}, {"cc", "aa"}})
    folder.write("scripts/lib/" + std::string(name) + ".lua",
                 "return library \"" + std::string(name) + "\" { f = function() return " + other + ".f() end }");
  const auto problems = problems_of(load_from(folder), folder);
  REQUIRE(problems.size() == 3);
  CHECK_THAT(problems[0], Contains("library 'aa' uses itself, by way of what it uses"));
}

TEST_CASE("a folder that is not there is a problem") {
  Folder folder;
  write_library(folder);
  LoadResult result = load({folder.at("entities"), folder.at("nothing")}, {});
  REQUIRE(result.problems.size() == 1);
  CHECK_THAT(result.problems[0].message, Contains("the folder cannot be read"));
}

TEST_CASE("the files that come with the program have no problem") {
  const std::string source = test::source_folder();
  LoadResult result = load({source + "/entities"}, {source + "/scripts"});
  std::vector<std::string> lines;
  for (const catalog::Problem& problem : result.problems) lines.push_back(to_string(problem));
  CHECK(lines == std::vector<std::string>{});
  CHECK(result.program);
}
