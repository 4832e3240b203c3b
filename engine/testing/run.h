// Runs specs: loads all of their files, then runs each spec in a transaction that is undone. One thread: that of the
// database's writer, while run() waits.
#pragma once

#include "engine/script/spec_state.h"
#include "engine/storage/database.h"
#include "engine/testing/test_server.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace callisto::testing {

struct Outcome {
  script::Spec spec;
  std::optional<script::SpecFailure> failure;  // nothing: passed
  double seconds = 0;
};

struct RunOptions {
  std::vector<std::string> files;
  std::vector<std::string> words;     // only specs whose sentence has all of them, whatever their case
  std::optional<std::uint64_t> seed;  // a random order, the same for the same seed
  script::Budget budget{3000, 64};    // of a spec
  DateTime start;                     // what the clock shows when a spec begins
  std::function<void(const Outcome&)> done = [](const Outcome&) {};
  std::function<bool()> should_stop = [] { return false; };  // asked between specs
};

struct Report {
  std::vector<Outcome> outcomes;          // in the order in which they ran; a file that cannot be read is one, failed
  std::vector<std::string> without_spec;  // files that say nothing
  std::size_t filtered = 0;               // left out by `words`
  bool is_stopped = false;
  double seconds = 0;
  std::size_t failed() const;
};

// The database holds what every spec finds. An error: the desk itself could not be made.
Result<Report> run(storage::Database& database, const TestServerParts& parts, const RunOptions& options,
                   Random& random);

}  // namespace callisto::testing
