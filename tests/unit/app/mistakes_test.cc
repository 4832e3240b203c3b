// Typical mistakes in entities and scripts, one file each in a small desk without one, and what `callisto check` says
// of them, word for word.
#include "engine/app/describing/findings.h"
#include "rule_desk.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::app;

TEST_CASE("the desk without a mistake has none") { CHECK(test::RuleDesk().text().empty()); }

TEST_CASE("each typical mistake has a message that names its place and its fix") {
  struct Mistake {
    const char *what, *file, *text, *message;
  };
  const Mistake mistakes[] = {
      {"a key of an action is misspelt", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from    = "Shelved",
  ofered  = "Title != null",
  moves_to = "Lost",
}
)",
       R"(scripts/book/actions/lose.lua:3: unknown option 'ofered' of action 'lose'
      ofered  = "Title != null",
      ^~~~~~
    did you mean 'offered'?
)"},
      {"an end is missing", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved", moves_to = "Lost",
  run = function(book, input)
    if book.Title == nil then
      reject "No title."
  end,
}
)",
       R"(scripts/book/actions/lose.lua:6: unexpected symbol near ','
      end,
         ^
    is the 'end' of the 'if' in line 4 missing?
)"},
      {"the last end is missing", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved", moves_to = "Lost",
  run = function(book)
    book.Title = "lost"
}
)",
       R"(scripts/book/actions/lose.lua:5: unexpected symbol near '}'
    }
    ^
    is the 'end' of the 'function' in line 3 missing?
)"},
      {"a comma is missing", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from = "Shelved"
  moves_to = "Lost",
}
)",
       R"(scripts/book/actions/lose.lua:3: '}' expected (to close '{' at line 1) near 'moves_to'
      moves_to = "Lost",
      ^~~~~~~~
    is a comma missing before it?
)"},
      {"a brace is missing", "entities/book.lua",
       R"(return entity "book" {
  properties = {
    text "Title" { length = 40 },
    short "State",
    lookup "Author" { entity = "author" },
}
)",
       R"(entities/book.lua:7: '}' expected (to close '{' at line 1) near '<eof>'
    is the '}' of the '{' in line 2 missing?
)"},
      {"offered names no property", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from     = "Shelved",
  offered  = "Titel != null",
  moves_to = "Lost",
}
)",
       R"(scripts/book/actions/lose.lua:3: 'offered' of lose of book: column 1: 'Titel' is no property of book
      offered  = "Titel != null",
                  ^~~~~
    did you mean 'Title'?
)"},
      {"allowed names no property", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from     = "Shelved",
  allowed  = { Analyst = true, User = "Autor == @UserId" },
  moves_to = "Lost",
}
)",
       R"(scripts/book/actions/lose.lua:3: 'allowed.User' of lose of book: column 1: 'Autor' is no property of book
      allowed  = { Analyst = true, User = "Autor == @UserId" },
                                           ^~~~~
    did you mean 'Author'?
)"},
      {"needs names no property", "scripts/book/augmenters/Label.lua",
       R"(return extension "Label" {
  returns = "Text",
  needs   = { "Title", "Author.Nmae" },
  value   = function(book) return book.Title end,
}
)",
       R"(scripts/book/augmenters/Label.lua:3: unknown property 'Nmae' in needs of '@Label'
      needs   = { "Title", "Author.Nmae" },
                                   ^~~~
    did you mean 'Name'?
)"},
      {"an option has the wrong type", "entities/book.lua",
       R"(return entity "book" {
  properties = {
    text "Title" { length = "40" },
    short "State",
    lookup "Author" { entity = "author" },
  },
}
)",
       R"(entities/book.lua:3: 'length' of text 'Title' must be a whole number from 0 on, not a text in quotes
        text "Title" { length = "40" },
                       ^~~~~~
)"},
      {"a property is there twice", "entities/book.lua",
       R"(return entity "book" {
  properties = {
    text "Title" { length = 40 },
    short "State",
    lookup "Author" { entity = "author" },
    text "Title",
  },
}
)",
       R"(entities/book.lua:6: property 'Title' of 'book' is already defined at entities/book.lua:3
        text "Title",
              ^~~~~
    give one of them another name, or take one away
)"},
      {"an action of another file is there twice", "scripts/book/actions/loose.lua",
       R"(return action "lose" { from = "Shelved", moves_to = "Lost" }
)",
       R"(scripts/book/actions/loose.lua:1: the file is called 'loose' but defines 'lose'
    return action "lose" { from = "Shelved", moves_to = "Lost" }
                   ^~~~
    a file has the name of what it defines
scripts/book/actions/lose.lua:1: action 'lose' is already defined for 'book' at scripts/book/actions/loose.lua:1
    return action "lose" { from = "Shelved", moves_to = "Lost" }
                   ^~~~
)"},
      {"entities extend each other", "entities/author.lua",
       R"(return entity "author" { extends = "author" }
)",
       R"(entities/author.lua:1: 'author' extends itself: author -> author
    return entity "author" { extends = "author" }
                   ^~~~~~
    take one 'extends' of these out
)"},
      {"a function stands in an entity", "entities/author.lua",
       R"(return entity "author" {
  description = function() return "Who wrote it." end,
  properties  = { text "Name" },
}
)",
       R"(entities/author.lua:2: 'description' of entity 'author' is code where only data may stand: write the value itself
      description = function() return "Who wrote it." end,
      ^~~~~~~~~~~
)"},
      {"a function is a default", "entities/author.lua",
       R"(return entity "author" {
  properties = { text "Name" { default = function() return "nobody" end } },
}
)",
       R"(entities/author.lua:2: 'default' of text 'Name' is code where only data may stand: write the value itself
      properties = { text "Name" { default = function() return "nobody" end } },
                                   ^~~~~~~
)"},
      {"a lookup leads to no entity", "entities/book.lua",
       R"(return entity "book" {
  properties = {
    text "Title" { length = 40 },
    short "State",
    lookup "Author" { entity = "autor" },
  },
}
)",
       R"(entities/book.lua:5: unknown entity 'autor' in lookup 'Author'
        lookup "Author" { entity = "autor" },
                                    ^~~~~
    did you mean 'author'?
)"},
      {"a state is unknown in moves_to", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from     = "Shelved",
  moves_to = "Lots",
}
)",
       R"(scripts/book/actions/lose.lua:3: unknown state 'Lots' in 'moves_to' of action 'lose'
      moves_to = "Lots",
                  ^~~~
    did you mean 'Lost'?
)"},
      {"a state is unknown in from", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from     = { "Ordered", "Shelf" },
  moves_to = "Lost",
}
)",
       R"(scripts/book/actions/lose.lua:2: unknown state 'Shelf' in 'from' of action 'lose'
      from     = { "Ordered", "Shelf" },
                               ^~~~~
)"},
      {"an augmenter is unknown", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from     = "Shelved",
  offered  = "@IsOnShelve",
  moves_to = "Lost",
}
)",
       R"(scripts/book/actions/lose.lua:3: 'offered' of lose of book: column 1: '@IsOnShelve' is no augmenter of book
      offered  = "@IsOnShelve",
                  ^~~~~~~~~~~
    did you mean '@IsOnShelf'?
)"},
      {"a text in a filter has single quotes", "scripts/book/augmenters/IsOnShelf.lua",
       R"(return condition "IsOnShelf" {
  filter = "State == 1 && Title != 'Faust'",
}
)",
       R"(scripts/book/augmenters/IsOnShelf.lua:2: @IsOnShelf on book: column 24: found ''', but texts stand in double quotes
      filter = "State == 1 && Title != 'Faust'",
                                       ^
)"},
      {"words are operators of SQL", "scripts/book/augmenters/IsOnShelf.lua",
       R"(return condition "IsOnShelf" { filter = "State = 1 and Title <> null" }
)",
       R"(scripts/book/augmenters/IsOnShelf.lua:1: @IsOnShelf on book: column 11: found 'and', expected '&&', '||' or the end
    return condition "IsOnShelf" { filter = "State = 1 and Title <> null" }
                                                       ^~~
    did you mean '&&'?
)"},
      {"a file has another name than what it defines", "scripts/book/augmenters/IsOnShelve.lua",
       R"(return condition "IsShelved" { filter = "State == 1" }
)",
       R"(scripts/book/augmenters/IsOnShelve.lua:1: the file is called 'IsOnShelve' but defines 'IsShelved'
    return condition "IsShelved" { filter = "State == 1" }
                      ^~~~~~~~~
    a file has the name of what it defines
)"},
      {"a noun is unknown", "entities/author.lua",
       R"(return entity "author" {
  properties = { strng "Name" },
}
)",
       R"(entities/author.lua:2: unknown word 'strng'
      properties = { strng "Name" },
                     ^~~~~
    write it in quotes if it is a text: "strng"
)"},
      {"a text has no quotes", "scripts/book/actions/lose.lua",
       R"(return action "lose" { from = Shelved, moves_to = "Lost" }
)",
       R"(scripts/book/actions/lose.lua:1: unknown word 'Shelved'
    return action "lose" { from = Shelved, moves_to = "Lost" }
                                  ^~~~~~~
    write it in quotes if it is a text: "Shelved"
)"},
      {"true is written as in another language", "scripts/book/actions/lose.lua",
       R"(return action "lose" { from = "Shelved", moves_to = "Lost", collection = True }
)",
       R"(scripts/book/actions/lose.lua:1: unknown word 'True'
    return action "lose" { from = "Shelved", moves_to = "Lost", collection = True }
                                                                             ^~~~
    did you mean 'true'?
)"},
      {"a noun is called like in another language", "entities/author.lua",
       R"(return entity "author" {
  properties = { string "Name" },
}
)",
       R"(entities/author.lua:2: unknown word 'string'
      properties = { string "Name" },
                     ^~~~~~
    did you mean 'text'?
)"},
      {"a name has no quotes", "entities/author.lua",
       R"(return entity "author" {
  properties = { text Name },
}
)",
       R"(entities/author.lua:2: '}' expected near 'Name'
      properties = { text Name },
                          ^~~~
    write its name in quotes: text "Name"
)"},
      {"the file returns nothing", "entities/author.lua",
       R"(entity "author" { properties = { text "Name" } }
)",
       R"(entities/author.lua:1: the file must return a definition: return entity "Name" { ... }
    entity "author" { properties = { text "Name" } }
)"},
      {"a folder is not named after an entity", "scripts/boook/states.lua",
       R"(return states "State" { state "New" { value = 0, initial = true } }
)",
       R"(scripts/boook/states.lua: the folder 'boook' is not named after an entity
    did you mean 'book'?
)"},
      {"a global is written", "scripts/book/actions/lose.lua",
       R"(count = 0
return action "lose" { from = "Shelved", moves_to = "Lost" }
)",
       R"(scripts/book/actions/lose.lua:1: a script cannot write the global 'count'; write 'local count = ...'
    count = 0
    ^~~~~
)"},
      {"two states have one value", "scripts/book/states.lua",
       R"(return states "State" {
  state "Ordered" { value = 0, initial = true },
  state "Shelved" { value = 1 },
  state "Lost"    { value = 1 },
}
)",
       R"(scripts/book/states.lua:4: state 'Lost' has the value 1 of 'Shelved'
      state "Lost"    { value = 1 },
             ^~~~
)"},
      {"who may is a text", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from     = "Shelved",
  moves_to = "Lost",
  allowed  = "Analyst",
}
)",
       R"(scripts/book/actions/lose.lua:4: 'allowed' of action 'lose' must be who may, by the type of the session: { Analyst = true, User = "User == @UserId" }, not a text in quotes
      allowed  = "Analyst",
      ^~~~~~~
)"},
      {"a grantee is unknown", "scripts/book/actions/lose.lua",
       R"(return action "lose" {
  from     = "Shelved",
  moves_to = "Lost",
  allowed  = { Analyts = true },
}
)",
       R"(scripts/book/actions/lose.lua:4: unknown session type or right 'Analyts' in 'allowed' of action 'lose'
      allowed  = { Analyts = true },
                   ^~~~~~~
    did you mean 'Analyst'?
)"},
  };
  for (const Mistake& mistake : mistakes) {
    INFO(mistake.what);
    const test::RuleDesk desk;
    desk.write(mistake.file, mistake.text);
    CHECK(desk.text() == mistake.message);
  }
}
