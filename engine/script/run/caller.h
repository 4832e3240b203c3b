// Which of a desk's scripts was called, and how its failure is reported.
#pragma once

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/catalog/catalog.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/run/current_call.h"
#include "engine/script/script_observer.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto::script {

// Lives no longer than the definition that it speaks of. Nothing is made of it but for who is told.
struct Caller {
  std::string_view before, word, after;  // "action '", "close", "'"
  std::string_view file;
  int line = 0;                            // of the definition; 0: not known
  int script = -1;                         // number of its code in Program
  const char* in_query = nullptr;          // of an augmenter: the option of the query that used its word
  const std::vector<int>* more = nullptr;  // scripts that run in the same call

  std::string what() const { return std::string(before).append(word).append(after); }  // "@Age", "action 'close'"
  std::string plain() const { return after.empty() ? what() : std::string(word); }     // "@Age", "close"
  std::string name() const;                                                            // with the place
  Diagnostic diagnostic() const { return {in_query, 0, what(), {}, {}}; }              // where in_query
};

Caller caller_of(const catalog::Augmenter& augmenter, const char* option);
Caller caller_of(const catalog::Action& action);

ScriptFailure failure_of(const Caller& caller, const Failure& failure, const CurrentCall& call, Random& random);

}  // namespace callisto::script
