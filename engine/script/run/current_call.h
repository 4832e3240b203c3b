// The current call: what its script is given. Owned by the State, known to the metatables of the objects that a script
// sees. `number` grows with each call, so that objects that a script keeps from an earlier call no longer work. One
// thread.
#pragma once

#include "engine/script/host.h"
#include "engine/script/program.h"
#include "engine/script/state.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace callisto::script {

// The history hooks of an entity, while they ask each other.
struct HistoryChain {
  const std::vector<int>& scripts;    // Hooks::history
  const std::vector<int>& functions;  // registry references, by number of a script
  std::size_t left = scripts.size();  // those that were not asked yet: the first so many
};

struct CurrentCall {
  const Program* program = nullptr;
  std::uint64_t number = 0;
  const SessionFacts* session = nullptr;
  // Of an augmenter.
  const catalog::Augmenter* augmenter = nullptr;  // its `needs` name the columns of `rows`
  const Rows* rows = nullptr;
  std::uint64_t first_record = 0;  // number of the first of `rows`, the others follow
  // Of an action or a hook.
  Host* host = nullptr;
  Host::Handle record = 0;
  const catalog::Action* action = nullptr;
  const NamedValues* input = nullptr;
  bool may_write = false;
  HistoryChain* history = nullptr;                    // of a history hook
  std::size_t most_statements = 0;                    // of the host, by its count
  const std::optional<Error>* inner_error = nullptr;  // of a script that a function of the host ran and that failed
};

}  // namespace callisto::script
