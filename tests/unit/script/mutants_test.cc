// Which mutants a script has.
#include "engine/script/mutants.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto::script;

std::string words_of(std::string_view source) {
  std::string words;
  for (const Mutant& mutant : mutants_of(source)) words += std::to_string(mutant.line) + " " + mutant.words + "; ";
  return words;
}

constexpr std::string_view action = R"lua(return action "close" {
  from = "Open*", allowed = { User = "User == @UserId", Analyst = true },
  run = function(call, input)
    if call.State == 1 and not input.From then call:act("x", { from = 1 }) end
  end,
  raises = "Closed"
}
)lua";

}  // namespace

TEST_CASE("options of an action are left out, its comparisons turned round, in code and filters") {
  CHECK(words_of(action) ==
        "2 `from` is left out; 2 `allowed` is left out; 2 `==` becomes `!=`; 4 `==` becomes `~=`; "
        "4 `and` becomes `or`; 4 `not` is left out; 6 `raises` is left out; ");
}

TEST_CASE("a mutant differs from its source in that place alone") {
  const auto mutants = mutants_of(action);
  CHECK(mutated(action, mutants[0]).find(R"({
   allowed = {)") != std::string::npos);
  CHECK(mutated(action, mutants[1]).find("\"Open*\", \n  run") != std::string::npos);
  CHECK(mutated(action, mutants[2]).find("User != @UserId") != std::string::npos);
  CHECK(mutated(action, mutants[6]).find("end,\n  }") != std::string::npos);
}

TEST_CASE("every comparison of code has its opposite") {
  CHECK(words_of("return 1 < 2, 1 <= 2, 1 > 2, 1 >= 2, 1 ~= 2, 1 == 2") ==
        "1 `<` becomes `>=`; 1 `<=` becomes `>`; 1 `>` becomes `<=`; 1 `>=` becomes `<`; 1 `~=` becomes `==`; "
        "1 `==` becomes `~=`; ");
  CHECK(mutated("return 1 <= 2", mutants_of("return 1 <= 2")[0]) == "return 1 > 2");
}

TEST_CASE("filters are turned round at each of their words") {
  const auto mutants = mutants_of(R"(local f = "!@IsOpen && A < 1 || !B")");
  std::string all;
  for (const Mutant& mutant : mutants) all += mutant.words + "; ";
  CHECK(all == "`!` is left out; `&&` becomes `||`; `<` becomes `>=`; `||` becomes `&&`; `!` is left out; ");
}

TEST_CASE("comments, long texts, descriptions and lines that say why have no mutants") {
  CHECK(words_of("return { description = \"!@IsOpen && so on\", title = 'a == b' }").empty());
  CHECK(words_of("-- a == b and c\nlocal t = [[a == b]]\nlocal e = a == b  -- no mutant: both are the same here\n")
            .empty());
}

TEST_CASE("a text that ends nowhere has mutants of what stands before, and no more") {
  CHECK(words_of("return action \"x\" { from = \"Open").empty());
  CHECK(words_of("return { due = ").empty());
  CHECK(words_of("").empty());
}
