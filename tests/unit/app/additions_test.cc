// Typical mistakes in what adds to rules, one file each in a small desk without one, and what `callisto check` says of
// them, word for word. The desk has no create and no read of its own.
#include "rule_desk.h"

#include <catch2/catch.hpp>

using namespace callisto;

TEST_CASE("each typical mistake in an addition has a message that names its place and its mend") {
  struct Mistake {
    const char *what, *file, *text, *message;
  };
  const Mistake mistakes[] = {
      {"an addition to an action that there is not", "scripts/book/actions/loose+fee.lua",
       R"lua(return add_to "loose" {
  raises = "Charged",
}
)lua",
       R"says(scripts/book/actions/loose+fee.lua:1: 'book' has no action 'loose' to add to
    return add_to "loose" {
                   ^~~~~
    did you mean 'lose'?
)says"},
      {"an addition names another action than its file", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "shelve" {
  raises = "Charged",
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:1: the file adds to 'lose' by its name, but to 'shelve' by what it says
    return add_to "shelve" {
                   ^~~~~~
    a file adds to what stands before the plus: add_to "lose"
)says"},
      {"an addition defines an action", "scripts/book/actions/lose+fee.lua",
       R"lua(return action "lose" { raises = "Charged" }
)lua",
       R"says(scripts/book/actions/lose+fee.lua:1: a file with a plus in its name defines add_to, not action 'lose'
    return action "lose" { raises = "Charged" }
                   ^~~~
)says"},
      {"a file without a plus adds to an action", "scripts/book/actions/lose.lua",
       R"lua(return add_to "lose" {
  raises = "Charged",
}
)lua",
       R"says(scripts/book/actions/lose.lua:1: a file in this folder defines action, not add_to 'lose'
    return add_to "lose" {
                   ^~~~
    a file that adds has a plus in its name: lose+<anything>.lua
)says"},
      {"an addition says mandatory", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  mandatory = { "Author" },
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: unknown option 'mandatory' of add_to 'lose'
      mandatory = { "Author" },
      ^~~~~~~~~
    write needs = { ... }: what the record must have in the end, given now or before
)says"},
      {"an addition says run", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  run = function(book) book.Title = "lost" end,
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: unknown option 'run' of add_to 'lose'
      run = function(book) book.Title = "lost" end,
      ^~~
    write 'before' or 'after', which run around the action's own code
)says"},
      {"an addition says from", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  from = "Shelved",
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: unknown option 'from' of add_to 'lose'
      from = "Shelved",
      ^~~~
    write offered = '@InState("...")', which must hold beside the action's own 'from'
)says"},
      {"a word of an addition is misspelt", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  neds = { "Author" },
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: unknown option 'neds' of add_to 'lose'
      neds = { "Author" },
      ^~~~
    did you mean 'needs'?
)says"},
      {"needs is a text", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  needs = "Author",
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: 'needs' of add_to 'lose' must be a list of texts: { "One", "Two" }, not a text in quotes
      needs = "Author",
      ^~~~~
)says"},
      {"needs names no property", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  raises = "Charged",
  needs  = { "Autor" },
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:3: unknown property 'Autor' in 'needs' of addition to action 'lose'
      needs  = { "Autor" },
                  ^~~~~
    did you mean 'Author'?
)says"},
      {"needs holds a property's noun", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  needs = { text "Fee" },
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: 'needs' of add_to 'lose' must be a list of texts: { "One", "Two" }, not a table
      needs = { text "Fee" },
      ^~~~~
)says"},
      {"offered of an addition names no property", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  offered = "Titel != null",
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: 'offered' of lose of book: column 1: 'Titel' is no property of book
      offered = "Titel != null",
                 ^~~~~
    did you mean 'Title'?
)says"},
      {"offered of an addition names no state", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  offered = '@InState("Shelvd")',
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: 'offered' of lose of book: column 1: book has no state and no group of states 'Shelvd'
      offered = '@InState("Shelvd")',
                 ^
    did you mean 'Shelved'?
)says"},
      {"allowed of an addition gives a right", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  allowed = { User = true },
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: 'User' in 'allowed' of addition to action 'lose' narrows nothing: no User may lose
      allowed = { User = true },
                  ^~~~
    an addition takes rights away; to give some, write an action 'lose' in a folder of yours
)says"},
      {"allowed of an addition names nobody", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  allowed = { Analist = false },
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: unknown session type or right 'Analist' in 'allowed' of addition to action 'lose'
      allowed = { Analist = false },
                  ^~~~~~~
    did you mean 'Analyst'?
)says"},
      {"allowed of an addition names no property", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  allowed = { Analyst = "Autor == @UserId" },
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: 'allowed.Analyst' of lose of book: column 1: 'Autor' is no property of book
      allowed = { Analyst = "Autor == @UserId" },
                             ^~~~~
    did you mean 'Author'?
)says"},
      {"before is no function", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  before = "book.Title = null",
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: 'before' of add_to 'lose' must be a function, not a text in quotes
      before = "book.Title = null",
      ^~~~~~
)says"},
      {"after reads a word that means nothing", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  after = function(book) boook.Title = "lost" end,
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: unknown word 'boook'
      after = function(book) boook.Title = "lost" end,
                             ^~~~~
    write it in quotes if it is a text: "boook"
)says"},
      {"an event of an addition begins small", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  raises = "charged",
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: an event's name begins with a capital and has letters and digits only, not 'charged'
      raises = "charged",
)says"},
      {"an addition may move to a state that there is not", "scripts/book/actions/lose+fee.lua",
       R"lua(return add_to "lose" {
  may_move_to = "Stolen",
}
)lua",
       R"says(scripts/book/actions/lose+fee.lua:2: unknown state 'Stolen' in 'may_move_to' of addition to action 'lose'
      may_move_to = "Stolen",
                     ^~~~~~
)says"},
      {"an addition to create says offered", "scripts/common/actions/create+x.lua",
       R"lua(return add_to "create" {
  offered = "Ref != 3",
}
)lua",
       R"says(scripts/common/actions/create+x.lua:1: 'common' has no action 'create' to add to
    return add_to "create" {
                   ^~~~~~
scripts/common/actions/create+x.lua:2: 'offered' is not for create: there is no record yet
      offered = "Ref != 3",
      ^~~~~~~
)says"},
      {"an addition to read runs code", "scripts/book/actions/read+x.lua",
       R"lua(return add_to "read" {
  before = function() end,
}
)lua",
       R"says(scripts/book/actions/read+x.lua:1: 'book' has no action 'read' to add to
    return add_to "read" {
                   ^~~~
scripts/book/actions/read+x.lua:2: 'before' is not for read, which says who sees which records
      before = function() end,
      ^~~~~~
    'allowed' and 'description' are for read
)says"},
      {"a state is added twice", "scripts/book/states+more.lua",
       R"lua(return add_to "states" {
  state "Lost" { value = 3 },
}
)lua",
       R"says(scripts/book/states+more.lua:2: state 'Lost' is already defined at scripts/book/states.lua:4
      state "Lost" { value = 3 },
             ^~~~
)says"},
      {"an added state has the value of another", "scripts/book/states+more.lua",
       R"lua(return add_to "states" {
  state "Stolen" { value = 2, imported = true, final = true },
}
)lua",
       R"says(scripts/book/states+more.lua:2: state 'Stolen' has the value 2 of 'Lost'
      state "Stolen" { value = 2, imported = true, final = true },
             ^~~~~~
)says"},
      {"an added state has no value", "scripts/book/states+more.lua",
       R"lua(return add_to "states" {
  state "Stolen" { final = true },
}
)lua",
       R"says(scripts/book/states+more.lua:2: 'final' of state 'Stolen' without a value
      state "Stolen" { final = true },
                       ^~~~~
    a state that is there takes 'group' alone, a new one needs 'value'
)says"},
      {"a group is given to a state that there is not", "scripts/book/states+more.lua",
       R"lua(return add_to "states" {
  state "Losst" { group = "Away*" },
}
)lua",
       R"says(scripts/book/states+more.lua:2: there is no state 'Losst' to give groups to
      state "Losst" { group = "Away*" },
             ^~~~~
    did you mean 'Lost'?
)says"},
      {"states are added by the name of their property", "scripts/book/states+more.lua",
       R"lua(return add_to "State" {
  state "Stolen" { value = 3 },
}
)lua",
       R"says(scripts/book/states+more.lua:1: the file adds to 'states' by its name, but to 'State' by what it says
    return add_to "State" {
                   ^~~~~
    a file adds to what stands before the plus: add_to "states"
)says"},
      {"states are added to what has none", "scripts/author/states+more.lua",
       R"lua(return add_to "states" {
  state "Dead" { value = 3 },
}
)lua",
       R"says(scripts/author/states+more.lua:1: 'author' has no states to add to
    return add_to "states" {
    they stand in author/states.lua
)says"},
      {"a condition that there is not is added to", "scripts/book/augmenters/IsOnShelv+more.lua",
       R"lua(return add_to "IsOnShelv" {
  also = "State == 2",
}
)lua",
       R"says(scripts/book/augmenters/IsOnShelv+more.lua:1: 'book' has no augmenter '@IsOnShelv' to add to
    return add_to "IsOnShelv" {
    did you mean 'IsOnShelf'?
)says"},
      {"a token gets a filter", "scripts/book/augmenters/UserId+more.lua",
       R"lua(return add_to "UserId" {
  also = "State == 2",
}
)lua",
       R"says(scripts/book/augmenters/UserId+more.lua:1: '@UserId' is no condition, and has no filter to add to
    return add_to "UserId" {
    write 'after', a function that gets its value and returns another
)says"},
      {"a token is given code of its own", "scripts/book/augmenters/UserId+more.lua",
       R"lua(return add_to "UserId" {
  value = function() return 1 end,
}
)lua",
       R"says(scripts/book/augmenters/UserId+more.lua:1: addition to '@UserId' adds nothing
    return add_to "UserId" {
    to a condition 'also' is a filter that makes it hold as well, 'only' one that must hold too; to any other, 'after' is a function that gets its value and returns another
scripts/book/augmenters/UserId+more.lua:2: unknown option 'value' of add_to 'UserId'
      value = function() return 1 end,
      ^~~~~
    write 'after', which gets the value before the arguments and returns another
)says"},
      {"a token needs properties", "scripts/book/augmenters/UserId+more.lua",
       R"lua(return add_to "UserId" {
  needs = { "Title" },
  after = function(value) return value end,
}
)lua",
       R"says(scripts/book/augmenters/UserId+more.lua:2: 'needs' is for extensions, and '@UserId' reads no record
      needs = { "Title" },
      ^~~~~
)says"},
      {"a condition gets code", "scripts/book/augmenters/IsOnShelf+more.lua",
       R"lua(return add_to "IsOnShelf" {
  after = function(value) return value end,
}
)lua",
       R"says(scripts/book/augmenters/IsOnShelf+more.lua:2: 'after' is code, and '@IsOnShelf' is a condition, which has none
      after = function(value) return value end,
      ^~~~~
    'also' is a filter that makes it hold as well, 'only' one that must hold too
)says"},
      {"an addition to a condition says filter", "scripts/book/augmenters/IsOnShelf+more.lua",
       R"lua(return add_to "IsOnShelf" {
  filter = "State == 2",
}
)lua",
       R"says(scripts/book/augmenters/IsOnShelf+more.lua:1: addition to '@IsOnShelf' adds nothing
    return add_to "IsOnShelf" {
    to a condition 'also' is a filter that makes it hold as well, 'only' one that must hold too; to any other, 'after' is a function that gets its value and returns another
scripts/book/augmenters/IsOnShelf+more.lua:2: unknown option 'filter' of add_to 'IsOnShelf'
      filter = "State == 2",
      ^~~~~~
    write 'also' for a filter that makes it hold as well, or 'only' for one that must hold too
)says"},
      {"an addition to a condition says nothing", "scripts/book/augmenters/IsOnShelf+more.lua",
       R"lua(return add_to "IsOnShelf" {

}
)lua",
       R"says(scripts/book/augmenters/IsOnShelf+more.lua:1: addition to '@IsOnShelf' adds nothing
    return add_to "IsOnShelf" {
    to a condition 'also' is a filter that makes it hold as well, 'only' one that must hold too; to any other, 'after' is a function that gets its value and returns another
)says"},
      {"an addition to a condition names no property", "scripts/book/augmenters/IsOnShelf+more.lua",
       R"lua(return add_to "IsOnShelf" {
  also = "State == 2",
  only = "Titel != null",
}
)lua",
       R"says(scripts/book/augmenters/IsOnShelf+more.lua:3: @IsOnShelf on book: column 1: 'Titel' is no property of book
      only = "Titel != null",
              ^~~~~
    did you mean 'Title'?
)says"},
      {"hooks have a plus", "scripts/book/hooks+more.lua",
       R"lua(return hooks { before_create = function() end }
)lua",
       R"says(scripts/book/hooks+more.lua: only 'augmenters/Name.lua', 'actions/name.lua', 'states.lua', 'hooks.lua', 'lib' and 'spec' are known below an entity's folder
    call it hooks.lua in a folder of yours: the hooks of all folders run
)says"},
      {"replaces is a text", "scripts/book/hooks.lua",
       R"lua(return hooks {
  replaces = "yes",
  before_create = function() end,
}
)lua",
       R"says(scripts/book/hooks.lua:2: 'replaces' of hooks must be true or false, not a text in quotes
      replaces = "yes",
      ^~~~~~~~
)says"},
      {"replaces is misspelt", "scripts/book/hooks.lua",
       R"lua(return hooks {
  replace = true,
  before_create = function() end,
}
)lua",
       R"says(scripts/book/hooks.lua:2: unknown option 'replace' of hooks
      replace = true,
      ^~~~~~~
    did you mean 'replaces'?
)says"},
      {"hooks replace nothing", "scripts/book/hooks.lua",
       R"lua(return hooks {
  replaces = true,
  before_create = function() end,
}
)lua",
       R"says(scripts/book/hooks.lua:2: warning: 'replaces' replaces no 'before_create': none comes before this one
      replaces = true,
      ^~~~~~~~
    leave 'replaces' out
)says"},
      {"hooks replace without a function", "scripts/book/hooks.lua",
       R"lua(return hooks {
  replaces = true,
}
)lua",
       R"says(scripts/book/hooks.lua:2: 'replaces' is of no use without a function
      replaces = true,
      ^~~~~~~~
    write the functions that run in place of others
)says"},
      {"earlier is asked with a dot", "scripts/book/hooks.lua",
       R"lua(return hooks {
  history = function() return earlyer() end,
}
)lua",
       R"says(scripts/book/hooks.lua:2: unknown word 'earlyer'
      history = function() return earlyer() end,
                                  ^~~~~~~
    write it in quotes if it is a text: "earlyer"
)says"},
      {"a condition asks for a state that there is not", "scripts/book/augmenters/IsLost.lua",
       R"lua(return condition "IsLost" {
  filter = '@InState("Lots")',
}
)lua",
       R"says(scripts/book/augmenters/IsLost.lua:2: @IsLost on book: column 1: book has no state and no group of states 'Lots'
      filter = '@InState("Lots")',
                ^
    did you mean 'Lost'?
)says"},
      {"a condition asks for states of what has none", "scripts/author/augmenters/IsLost.lua",
       R"lua(return condition "IsLost" {
  filter = '@InState("Lost")',
}
)lua",
       R"says(scripts/author/augmenters/IsLost.lua:2: @IsLost on author: column 1: '@InState' is no augmenter of author
      filter = '@InState("Lost")',
                ^~~~~~~~
)says"},
      {"a condition asks for no state at all", "scripts/book/augmenters/IsLost.lua",
       R"lua(return condition "IsLost" {
  filter = "@InState",
}
)lua",
       R"says(scripts/book/augmenters/IsLost.lua:2: @IsLost on book: column 1: @InState takes (states), found 0 arguments
      filter = "@InState",
                ^
)says"},
      {"states of a child lack what inherited actions name", "scripts/novel/states.lua",
       R"lua(return states "State" {
  state "Draft" { value = 0, initial = true },
}
)lua",
       R"says(scripts/novel/states.lua:1: 'novel' has states of its own, without 'Shelved', 'Lost', 'Ordered', which 2 inherited actions name: lose, shelve
    return states "State" {
    add states to those of 'book' in novel/states+novel.lua instead, or write these actions for 'novel', or remove them with 'supported = false'
)says"},
      {"states of a child have a value twice", "scripts/novel/states.lua",
       R"lua(return states "State" {
  state "Draft" { value = 0, initial = true },
  state "Done" { value = 0 },
}
)lua",
       R"says(scripts/novel/states.lua:3: state 'Done' has the value 0 of 'Draft'
      state "Done" { value = 0 },
             ^~~~
)says"},
  };
  for (const Mistake& mistake : mistakes) {
    DYNAMIC_SECTION(mistake.what) {
      const test::RuleDesk desk;
      if (std::string(mistake.file).find("novel") != std::string::npos)
        desk.write("entities/novel.lua", "return entity \"novel\" { extends = \"book\" }\n");
      desk.write(mistake.file, mistake.text);
      CHECK(desk.text() == mistake.message);
    }
  }
}
