// What of a desk's scripts was called, and how its failure is told.
#pragma once

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/catalog/catalog.h"
#include "engine/script/current_call.h"
#include "engine/script/lua_state.h"
#include "engine/script/watch.h"

#include <optional>
#include <string>

namespace callisto::script {

struct Caller {
  std::string what;  // "@Age"
  std::string file;
  int line = 0;                             // of the definition; 0: not known
  int script = -1;                          // number of its code in Program
  std::optional<Diagnostic> in_query = {};  // of an augmenter: a query names the word that it used

  std::string name() const;  // with the place
};

Caller caller_of(const catalog::Augmenter& augmenter, const char* option);
Caller caller_of(const catalog::Action& action);

ScriptFailure failure_of(const Caller& caller, const Failure& failure, const CurrentCall& call, Random& random);

}  // namespace callisto::script
