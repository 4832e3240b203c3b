// Mutants of the scripts, tested by the specs (`callisto test --mutate`): each rule is weakened or reversed, one at a
// time in a copy, and the result is whether a spec notices.
#pragma once

#include "engine/app/commands.h"

#include <functional>
#include <string>
#include <vector>

namespace callisto::app {

struct Mutation {
  struct Survivor {
    std::string file;
    int line = 0;
    std::string words, source;  // "`from` is left out"; the line as it stands in the file
  };
  std::size_t all = 0, judged = 0;  // fewer are judged where it was stopped
  std::vector<Survivor> survivors;
};

// With these specs, which hold as the scripts are. Error: words for people, why there is nothing to judge.
Result<Mutation> mutate(const Settings& settings, const TestOptions& given, std::vector<std::string> specs,
                        std::function<bool()> should_stop);

// The survivors, each with its line; the last line is the sum.
std::string to_text(const Mutation& mutation);

}  // namespace callisto::app
