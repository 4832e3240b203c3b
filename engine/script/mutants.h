// Mutants of a script: the same text with one rule weakened or reversed, to try the specs with. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::script {

struct Mutant {
  std::size_t begin = 0, length = 0;  // what is replaced
  std::string instead;
  int line = 1;
  std::string words;  // "`from` is left out", "`<` becomes `>=`"
};

// Options of an action (`from`, `allowed`, `mandatory` ...) left out; comparisons, `and`, `or` and `not` of code, and
// their like in filters, turned round. None on a line with the comment `-- no mutant: REASON`. In order of their
// places.
std::vector<Mutant> mutants_of(std::string_view source);

std::string mutated(std::string_view source, const Mutant& mutant);

}  // namespace callisto::script
