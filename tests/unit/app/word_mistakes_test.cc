// The typical mistakes with `require`, the searches of desk, the libraries and the rights of properties, and what
// `callisto check` says of them, word for word.
#include "engine/app/describing/findings.h"
#include "rule_desk.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::app;

namespace {

struct Mistake {
  const char *what, *file, *text, *message;
};

void check_all(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    INFO(mistake.what);
    test::RuleDesk desk;
    desk.write("scripts/book/lib/loans.lua", "return { days = 14 }\n");
    desk.write(mistake.file, mistake.text);
    CHECK(desk.text() == mistake.message);
  }
}

}  // namespace

TEST_CASE("mistakes with require") {
  check_all({
      {"a name that nothing has", "scripts/book/actions/lose.lua",
       R"(local loans = require "lib.lans"
return action "lose" { from = "Shelved", moves_to = "Lost", run = function() return loans.days == 3 end }
)",
       R"(scripts/book/actions/lose.lua:1: require: there is no 'lib.lans' for the scripts of book
    local loans = require "lib.lans"
                           ^~~~~~~~
    did you mean 'lib.loans'?
)"},
      {"a name that is put together", "scripts/book/actions/lose.lua",
       R"(local loans = require("lib." .. "loans")
return action "lose" { from = "Shelved", moves_to = "Lost" }
)",
       R"(scripts/book/actions/lose.lua:1: 'require' takes the name of a file in 'lib', written out
    local loans = require("lib." .. "loans")
                  ^~~~~~~
    write require "lib.hours", which is lib/hours.lua
)"},
      {"a file that returns no table", "scripts/book/lib/loans.lua", "return function() end\n",
       R"(scripts/book/lib/loans.lua:1: a file in 'lib' returns a plain table of what it shares
    return function() end
    write return { name = function(...) ... end }
)"},
      {"a file that requires itself", "scripts/book/lib/loans.lua", "local loans = require \"lib.loans\"\nreturn {}\n",
       R"(scripts/book/lib/loans.lua:1: require: book/lib/loans -> book/lib/loans: these lead back to themselves
    local loans = require "lib.loans"
    move what they share into a file of its own
)"},
      {"a file too deep", "scripts/book/lib/deep/loans.lua", "return {}\n",
       "scripts/book/lib/deep/loans.lua: a file that scripts require belongs in 'lib' itself, not deeper\n"},
  });
}

TEST_CASE("files that require each other are told with the way back") {
  const test::RuleDesk desk;
  desk.write("scripts/book/lib/a.lua", "local b = require \"lib.b\"\nreturn { b = b.x }\n");
  desk.write("scripts/book/lib/b.lua", "local a = require \"lib.a\"\nreturn { x = a }\n");
  CHECK(desk.text() ==
        R"(scripts/book/lib/b.lua:1: require: book/lib/a -> book/lib/b -> book/lib/a: these lead back to themselves
    local a = require "lib.a"
    move what they share into a file of its own
)");
}

TEST_CASE("mistakes with the searches of desk") {
  check_all({
      {"a colon", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved", moves_to = "Lost",
  run = function(book) return desk:find("book", 1) ~= book end,
}
)",
       R"(scripts/book/actions/lose.lua:3: the functions of 'desk' are called with a dot: 'desk:find'
      run = function(book) return desk:find("book", 1) ~= book end,
                                  ^~~~
    write 'desk.find'
)"},
      {"an entity that is none", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved", moves_to = "Lost",
  run = function() return desk.count("bok", "State == 1") > 0 end,
}
)",
       R"(scripts/book/actions/lose.lua:3: there is no entity 'bok'
      run = function() return desk.count("bok", "State == 1") > 0 end,
                                          ^~~
    did you mean 'book'?
)"},
      {"a property that is none", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved", moves_to = "Lost",
  run = function(book)
    local others = desk.search("book", "Autor == ? && State == 1", book.Author, { top = 3 })
    return #others > 0
  end,
}
)",
       R"(scripts/book/actions/lose.lua:4: the filter of book: column 1: 'Autor' is no property of book
        local others = desk.search("book", "Autor == ? && State == 1", book.Author, { top = 3 })
                                            ^~~~~
    did you mean 'Author'?
)"},
      {"a comparison that cannot be", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved", moves_to = "Lost",
  run = function() return desk.first("book", "Title > ?", "x") == nil end,
}
)",
       R"(scripts/book/actions/lose.lua:3: the filter of book: column 7: found '>', but 'Title' is Text, which knows only == and !=
      run = function() return desk.first("book", "Title > ?", "x") == nil end,
                                                        ^
)"},
      {"== null", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved", moves_to = "Lost",
  run = function(book) return book.Title == null end,
}
)",
       R"(scripts/book/actions/lose.lua:3: '== null' is never true: what is null reads as nil in code
      run = function(book) return book.Title == null end,
                                             ^~~~~~~
    write '== nil'
)"},
      {"a member that a library has not", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved", moves_to = "Lost",
  run = function(book) book.Title = text.uper(book.Title) log.wran(json.encod(1)) end,
}
)",
       R"(scripts/book/actions/lose.lua:3: 'json' has no 'encod'
      run = function(book) book.Title = text.uper(book.Title) log.wran(json.encod(1)) end,
                                                                       ^~~~
    did you mean 'encode'?
scripts/book/actions/lose.lua:3: 'log' has no 'wran'
      run = function(book) book.Title = text.uper(book.Title) log.wran(json.encod(1)) end,
                                                              ^~~
    did you mean 'warn'?
scripts/book/actions/lose.lua:3: 'text' has no 'uper'
      run = function(book) book.Title = text.uper(book.Title) log.wran(json.encod(1)) end,
                                        ^~~~
    did you mean 'upper'?
)"},
  });
}

TEST_CASE("mistakes with who may read and write a property") {
  check_all({
      {"a session type that is none", "entities/book+rights.lua",
       R"(return add_to "book" {
  properties = {
    text "Note" { read = { Analyst = true, Usr = true } },
  },
}
)",
       R"(entities/book+rights.lua:3: unknown session type or right 'Usr' in 'read' of 'Note'
        text "Note" { read = { Analyst = true, Usr = true } },
                                               ^~~
    did you mean 'User'?
)"},
      {"true in place of who", "entities/book+rights.lua",
       R"(return add_to "book" {
  properties = { text "Note" { read = "Analyst" } },
}
)",
       R"(entities/book+rights.lua:2: 'read' of text 'Note' must be who may, by the type of the session: { Analyst = true, User = "User == @UserId" }, not a text in quotes
      properties = { text "Note" { read = "Analyst" } },
                                   ^~~~
)"},
      {"a filter of a property that is none", "entities/book+rights.lua",
       R"(return add_to "book" {
  fields = {
    field "Title" { write = { Analyst = "Stat == 1" } },
  },
}
)",
       R"(entities/book+rights.lua:3: 'write.Analyst' of Title of book: column 1: 'Stat' is no property of book
        field "Title" { write = { Analyst = "Stat == 1" } },
                                             ^~~~
    did you mean 'State'?
)"},
      {"a property that is none", "entities/book+rights.lua",
       R"(return add_to "book" { fields = { field "Titel" { read = { Analyst = true } } } }
)",
       R"(entities/book+rights.lua:1: unknown property 'Titel' in 'fields' of 'book'
    return add_to "book" { fields = { field "Titel" { read = { Analyst = true } } } }
                                             ^~~~~
    did you mean 'Title'?
)"},
      {"the key", "entities/book+rights.lua",
       R"(return add_to "book" { fields = { field "Ref" { read = { Analyst = true } } } }
)",
       R"(entities/book+rights.lua:1: 'Ref' identifies records for the engine, so everybody may read it
    return add_to "book" { fields = { field "Ref" { read = { Analyst = true } } } }
                                             ^~~
    say in scripts/<entity>/actions/read.lua who sees the record
)"},
      {"read-only and written", "entities/book+rights.lua",
       R"(return add_to "book" { properties = { text "Note" { readonly = true, write = { Analyst = true } } } }
)",
       R"(entities/book+rights.lua:1: 'Note' is read-only: nobody writes it
    return add_to "book" { properties = { text "Note" { readonly = true, write = { Analyst = true } } } }
                                                ^~~~
    take 'write' or 'readonly' away
)"},
  });
}

TEST_CASE("words of Lua that scripts have not, and quotes of a word processor") {
  check_all({
      {"os.time", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved", moves_to = "Lost",
  run = function(book) if os.time() > 1 then book.Title = "x" end end,
}
)",
       R"(scripts/book/actions/lose.lua:3: 'os' is not available to scripts
      run = function(book) if os.time() > 1 then book.Title = "x" end end,
                              ^~
    the present moment is datetime.now(); there are no files and no environment
)"},
      {"print", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved", moves_to = "Lost", run = function(book) print(book.Title) end,
}
)",
       R"(scripts/book/actions/lose.lua:2: 'print' is not available to scripts
      from = "Shelved", moves_to = "Lost", run = function(book) print(book.Title) end,
                                                                ^~~~~
    write log.info(...), a line in the server's log
)"},
  });
  for (const char* text : {"return action \u201close\u201d { from = \"Shelved\", moves_to = \"Lost\" }\n",
                           "return action \"lose\" { from = \u201cShelved\u201d, moves_to = \"Lost\" }\n",
                           "return action \"lose\" { from = \u201cShel ved\u201d, moves_to = \"Lost\" }\n"}) {
    const test::RuleDesk desk;
    desk.write("scripts/book/actions/lose.lua", text);
    CHECK_THAT(desk.text(), Catch::Contains("write straight quotes, \"...\", in place of \u201c"));
  }
}
