// The word `formerly`: what people get wrong about it, each with its place and its mend.
#include "engine/app/describing/catalog_changes.h"
#include "engine/app/describing/description.h"
#include "rule_desk.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::app;
using test::RuleDesk;

namespace {

std::string book(const std::string& properties, const std::string& head = {}) {
  return "return entity \"book\" { " + head +
         "\n  properties = {\n    text \"Title\" { length = 40 },\n    short \"State\",\n" +
         "    lookup \"Author\" { entity = \"author\" },\n    " + properties + "\n  },\n}\n";
}

}  // namespace

TEST_CASE("formerly of a property names what nobody has any more") {
  struct Row {
    const char* what;
    std::string property, told;
  };
  const Row rows[] = {
      {"well", "text \"Subtitle\" { formerly = \"Motto\" },", ""},
      {"several names", "text \"Subtitle\" { formerly = { \"Motto\", \"Slogan\" } },", ""},
      {"a slip in the word", "text \"Subtitle\" { formely = \"Motto\" },",
       "entities/book.lua:6: unknown option 'formely' of text 'Subtitle'\n"
       "        text \"Subtitle\" { formely = \"Motto\" },\n"
       "                          ^~~~~~~\n"
       "    did you mean 'formerly'?\n"},
      {"still there", "text \"Subtitle\" { formerly = \"Title\" },",
       "entities/book.lua:6: 'Title' in 'formerly' of 'Subtitle' is a property still, at entities/book.lua:3\n"
       "        text \"Subtitle\" { formerly = \"Title\" },\n"
       "                                      ^~~~~\n"
       "    take it out of 'formerly', or what has this name away\n"},
      {"itself", "text \"Subtitle\" { formerly = \"Subtitle\" },",
       "entities/book.lua:6: 'Subtitle' in 'formerly' of 'Subtitle' is a property still, at entities/book.lua:6\n"
       "        text \"Subtitle\" { formerly = \"Subtitle\" },\n"
       "              ^~~~~~~~\n"
       "    take it out of 'formerly', or what has this name away\n"},
      {"no name of a property", "text \"Subtitle\" { formerly = \"motto\" },",
       "entities/book.lua:6: 'motto' in 'formerly' of 'Subtitle' is no name that a property had: those begin with a "
       "capital\n"
       "        text \"Subtitle\" { formerly = \"motto\" },\n"
       "                                      ^~~~~\n"},
      {"no text", "text \"Subtitle\" { formerly = true },",
       "entities/book.lua:6: 'formerly' of text 'Subtitle' must be a text or a list of texts: \"One\" or { \"One\", "
       "\"Two\" }, not a boolean\n"
       "        text \"Subtitle\" { formerly = true },\n"
       "                          ^~~~~~~~\n"},
      {"two that were the same",
       "text \"Subtitle\" { formerly = \"Motto\" }, text \"Slogan\" { formerly = \"Motto\" },",
       "entities/book.lua:6: 'Motto' in 'formerly' of 'Slogan' is what 'Subtitle' was called too, at "
       "entities/book.lua:6\n"
       "        text \"Subtitle\" { formerly = \"Motto\" }, text \"Slogan\" { formerly = \"Motto\" },\n"
       "                                      ^~~~~\n"
       "    what is stored can become one of them: take it out of the other\n"},
      {"without a column", "integer \"AuthorId\" { mirror = \"Author\", formerly = \"WriterId\" },",
       "entities/book.lua:6: 'WriterId' in 'formerly' of 'AuthorId' means nothing: 'AuthorId' stores nothing of its "
       "own\n"
       "        integer \"AuthorId\" { mirror = \"Author\", formerly = \"WriterId\" },\n"
       "                                                            ^~~~~~~~\n"
       "    say it of the property that does\n"},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const RuleDesk desk;
    desk.write("entities/book.lua", book(row.property));
    CHECK(desk.text() == row.told);
  }
}

TEST_CASE("formerly of an entity and of a state names what nobody has any more") {
  const RuleDesk desk;
  desk.write("entities/book.lua", book("", "formerly = \"tome\","));
  CHECK(desk.text().empty());
  desk.write("entities/book.lua", book("", "formerly = \"author\","));
  CHECK(desk.text() ==
        "entities/book.lua:1: 'author' in 'formerly' of 'book' is an entity still, at entities/author.lua:1\n"
        "    return entity \"book\" { formerly = \"author\",\n"
        "                                       ^~~~~~\n"
        "    take it out of 'formerly', or what has this name away\n");
  desk.write("entities/book.lua", book("", "formerly = \"Tome\","));
  CHECK(desk.text() ==
        "entities/book.lua:1: 'Tome' in 'formerly' of 'book' is no name that an entity had: those have small letters, "
        "digits and hyphens\n"
        "    return entity \"book\" { formerly = \"Tome\",\n"
        "                                       ^~~~\n");
  desk.write("entities/book.lua", book(""));
  desk.write("scripts/book/states.lua",
             "return states \"State\" {\n  state \"Ordered\" { value = 0, initial = true, formerly = \"Lost\" },\n"
             "  state \"Shelved\" { value = 1 },\n  state \"Lost\" { value = 2 },\n}\n");
  CHECK(desk.text() ==
        "scripts/book/states.lua:2: 'Lost' in 'formerly' of state 'Ordered' is a state still, at "
        "scripts/book/states.lua:4\n"
        "      state \"Ordered\" { value = 0, initial = true, formerly = \"Lost\" },\n"
        "                                                               ^~~~\n"
        "    take it out of 'formerly', or what has this name away\n");
}

TEST_CASE(
    "what was renamed shows as that, with what else changed of it, and its former name in queries does not show") {
  const RuleDesk desk;
  const auto described = [&] {
    const Checked checked = desk.checked();
    REQUIRE(checked.model);
    const auto read = read_description(description_json(*checked.model->program));
    REQUIRE(read);
    return *read;
  };
  desk.write("entities/book.lua", book("text \"Motto\" { length = 40 }"));
  const json::Node before = described();
  desk.write("entities/book.lua", book("text \"Subtitle\" { length = 80, formerly = \"Motto\" }"));
  const json::Node after = described();
  const auto changes = catalog_changes(before, after);
  REQUIRE_FALSE(changes.empty());
  CHECK(std::count(changes.begin(), changes.end(), "book: property Motto renamed to Subtitle") == 1);
  for (const std::string& line : changes) CHECK_THAT(line, !Catch::Contains("added") && !Catch::Contains("removed"));
  desk.write("entities/book.lua", book("text \"Subtitle\" { length = 80 }"));
  CHECK(catalog_changes(after, described()).empty());  // said long enough
}
