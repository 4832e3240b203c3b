#include "engine/app/describing/description.h"
#include "engine/app/describing/catalog_changes.h"
#include "tests/support/small_desk.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::app;
using Catch::Contains;

namespace {

json::Node parsed(const std::string& text) {
  auto node = read_description(text);
  REQUIRE(node);
  return *std::move(node);
}

// A part of the desk's description, as it is written.
std::string part(const json::Node& entity, const char* list, const char* name) {
  REQUIRE(entity.find(list));
  for (const json::Node& item : entity.find(list)->items()) {
    if (json::string_of(item, "name") != name) continue;
    std::string text;
    for (const json::Member& member : item.members())
      text += member.name + "=" + member.value.text() + (member.value.boolean() ? "true" : "") + " ";
    return text;
  }
  return "(none)";
}

std::vector<std::string> changes_by(const std::string& file, const std::string& text) {
  const test::SmallDesk desk;
  const json::Node before = parsed(description_json(*desk.load()));
  desk.write(file, text);
  auto changes = catalog_changes(before, parsed(description_json(*desk.load())));
  for (std::string& change : changes) change = desk.bare(change);
  return changes;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("each part of an entity is described with the file and line that it comes from") {
  const test::SmallDesk desk;
  const auto program = desk.load();
  const catalog::Entity& novel = *program->catalog->find("novel");
  const json::Node entity = parsed(desk.bare(description_json(*program, novel)));
  CHECK(json::string_of(entity, "extends") == "book");
  CHECK(json::string_of(entity, "file") == "entities/novel.lua");
  CHECK(part(entity, "properties", "Ref") ==
        "name=Ref display=Ref description=The record's number. type=Integer display_types= class=Field key=true "
        "readonly=true owner=book file=entities/common.lua line=2 ");
  CHECK(part(entity, "properties", "Title") ==
        "name=Title display=Title description=As on the cover. type=Text display_types= length=80 class=Field "
        "required=true searchable=true owner=book file=entities/book.lua line=8 ");
  CHECK(
      part(entity, "properties", "Blurb") ==
      "name=Blurb display=Blurb type=RichText display_types= class=Field owner=novel file=entities/novel.lua line=1 ");
  CHECK(part(entity, "augmenters", "IsOld") ==
        "name=IsOld kind=Condition description=Old. filter=Ref < 10 file=scripts/book/augmenters/IsOld.lua line=1 ");
  CHECK(part(entity, "augmenters", "Near") ==
        "name=Near kind=Function returns=DateTime parameters= constant=true "
        "file=scripts/common/augmenters/Near.lua line=1 ");
  CHECK(part(entity, "states", "Out") ==
        "name=Out value=1 description=With a reader. groups= file=scripts/book/states.lua line=3 ");
  CHECK(part(entity, "actions", "lend") ==
        "name=lend title=Lend description=Give it away. supported=true from= offered=!@IsOld allowed= moves_to=Out "
        "raises= parameters= code=true file=scripts/book/actions/lend.lua line=1 ");
  CHECK(part(entity, "actions", "read") ==
        "name=read title=Read supported=true allowed= file=scripts/common/actions/read.lua line=1 ");
  CHECK(part(entity, "actions", "delete") ==
        "name=delete title=Delete supported= allowed= file=scripts/common/actions/delete.lua line=1 ");
  CHECK(part(entity, "hooks", "before_create") == "name=before_create file=scripts/book/hooks.lua line=2 ");
  CHECK(part(entity, "sub_resources", "page") == "name=page entity=page link=Book file=entities/book.lua line=6 ");
}

TEST_CASE("a description is the same each time, and that of all entities holds each") {
  const test::SmallDesk desk;
  const auto program = desk.load();
  const std::string all = description_json(*program);
  CHECK(all == description_json(*desk.load()));
  REQUIRE(parsed(all).find("entities")->items().size() == program->catalog->entities().size());
  for (const auto& entity : program->catalog->entities())
    CHECK_THAT(all, Contains(description_json(*program, *entity)));
  CHECK_THAT(all,
             Contains(R"("session_lists":[{"name":"shelves","entity":"book","where":"Ref == @Me","select":"Ref")"));
}

TEST_CASE("who may read and write a property is told with the file that says so") {
  const test::SmallDesk desk;
  desk.write("entities/book+secret.lua", R"(return add_to "book" {
    fields = { field "Title" { write = { User = "Ref > 1" } } },
    properties = { text "Secret" { length = 9, read = { Administration = true }, write = {} } } })");
  const auto program = desk.load();
  const std::string text = desk.bare(description_text(*program, *program->catalog->find("book")));
  CHECK_THAT(text, Contains("      read: Administration, write: nobody  [entities/book+secret.lua:3]\n"));
  CHECK_THAT(text, Contains("      write: User where Ref > 1  [entities/book+secret.lua:2]\n"));
}

TEST_CASE("people read the same as text") {
  const test::SmallDesk desk;
  const auto program = desk.load();
  const std::string text = desk.bare(description_text(*program, *program->catalog->find("book")));
  for (const char* line : {
           "book (Book)  [entities/book.lua:1]\n  What is read.\n  Beta\n  extended by novel\n"
           "  key: Ref; a search returns Ref, Title\n",
           "\nProperties\n  Ref         Integer, key, read-only  [entities/common.lua:2]\n      The record's number.\n",
           "  Shelf       -> shelf  [entities/book.lua:9]\n",
           "  State       Integer, read-only, default 0  [entities/book.lua:10]\n",
           "\nConditions\n  @IsOld  Ref < 10  [scripts/book/augmenters/IsOld.lua:1]\n      Old.\n",
           "\nTokens\n  @Me  Integer  [scripts/common/augmenters/Me.lua:1]\n",
           "\nFunctions\n  @Near(days Integer)  DateTime  [scripts/common/augmenters/Near.lua:1]\n",
           "\nExtensions\n  @Age  Text  [scripts/book/augmenters/Age.lua:1]\n      needs Title\n",
           "\nStates, in State\n  In   0, initial  [scripts/book/states.lua:2]\n",
           "  Out  1, of Away*  [scripts/book/states.lua:3]\n      With a reader.\n",
           "      from: In\n      offered: !@IsOld\n      allowed: Analyst\n      moves to: Out\n      takes: Name "
           "Text(40) "
           "(one of Reader is mandatory), Number Integer (one of Reader is mandatory), Until DateTime (mandatory), "
           "Shelf, Pin Text\n      raises: Lent\n",
           "  delete  not supported  [scripts/common/actions/delete.lua:1]\n",
           "      allowed: Analyst, User where Ref > 1\n",
           "\nHooks\n  before_create  [scripts/book/hooks.lua:2]\n",
           "\nLists below a record\n  page  page, by Book  [entities/book.lua:6]\n",
       })
    CHECK_THAT(text, Contains(line));
  const std::string list = desk.bare(description_text(*program));
  CHECK_THAT(list, Contains("  novel  extends book  [entities/novel.lua:1]\n"));
}

TEST_CASE("what changed between two descriptions is told in one line each") {
  struct Row {
    const char *file, *text;
    Lines lines;
  };
  const Row rows[] = {
      {"entities/shelf.lua",
       "\n\nreturn entity \"shelf\" { properties = { text \"Name\" { length = 20, required = true } } }",
       {}},
      {"entities/shelf.lua",
       "return entity \"shelf\" { status = \"Alpha\", properties = { text \"Name\" { length = 30 } } }",
       {"shelf: status: \"GA\" -> \"Alpha\"", "shelf: property Name: length: 20 -> 30",
        "shelf: property Name: required: true -> (none)"}},
      {"entities/book+floor.lua",
       "return add_to \"book\" { properties = { integer \"Floor\" } }",
       {"book, novel: property Floor added"}},
      {"entities/reader.lua", "return entity \"reader\" { properties = { text \"Name\" } }", {"entity reader added"}},
      {"scripts/common/augmenters/You.lua",
       "return condition \"You\" { filter = \"Ref == 1\" }",
       {"book, novel, page, shelf: augmenter You added"}},
      {"scripts/book/augmenters/IsOld.lua",
       "return condition \"IsOld\" { description = \"Old.\", filter = \"Ref < 20\" }",
       {"book, novel: augmenter IsOld: filter: \"Ref < 10\" -> \"Ref < 20\""}},
      {"scripts/novel/augmenters/IsOld.lua",
       "return token \"IsOld\" { returns = \"Text\", value = function() end }",
       {"novel: augmenter IsOld: kind: \"Condition\" -> \"Token\"",
        "novel: augmenter IsOld: returns: (none) -> \"Text\"",
        "novel: augmenter IsOld: description: \"Old.\" -> (none)",
        "novel: augmenter IsOld: filter: \"Ref < 10\" -> (none)"}},
      {"scripts/book/actions/hide.lua",
       "return action \"hide\" { optional = { text \"Why\" } }",
       {"book, novel: action hide: allowed: {Analyst = false} -> {Analyst = true}",
        "book, novel: action hide: parameter Why added"}},
      {"scripts/page/actions/tear.lua", "return action \"tear\" {}", {"page: action tear added"}},
      {"scripts/book/hooks.lua",
       "return hooks { after_update = function() end }",
       {"book, novel: hook after_update added", "book, novel: hook before_create removed",
        "scripts/book/hooks.lua: its text has changed"}},
      {"scripts/common/augmenters/Me.lua",
       "return token \"Me\" { returns = \"Integer\", value = function() return 7 end }",
       {"scripts/common/augmenters/Me.lua: its text has changed"}},
      {"scripts/session-lists/shelves.lua",
       "return session_list \"shelves\" { entity = \"book\", where = \"Ref == 3\", select = \"Ref\" }",
       {"session list shelves: where: \"Ref == @Me\" -> \"Ref == 3\""}},
  };
  for (const Row& row : rows) {
    INFO(row.file << ": " << row.text);
    CHECK(changes_by(row.file, row.text) == row.lines);
  }
}

TEST_CASE("what was removed is told, and changes of many entities stand together") {
  const test::SmallDesk desk;
  for (int i = 0; i < 3; ++i)
    desk.write("entities/a" + std::to_string(i) + ".lua", "return entity \"a" + std::to_string(i) + "\" {}");
  const json::Node before = parsed(description_json(*desk.load()));
  std::filesystem::remove(desk / "entities/novel.lua");
  std::filesystem::remove(desk / "scripts/common/augmenters/Me.lua");
  std::filesystem::remove(desk / "scripts/session-lists/shelves.lua");
  CHECK(catalog_changes(before, parsed(description_json(*desk.load()))) ==
        Lines{"entity novel removed", "a0, a1, a2, book and 2 more: augmenter Me removed",
              "book: property RecordType removed", "session list shelves removed"});
  CHECK(catalog_changes(json::Node(), before).front() == "entity a0 added");
}
