// What the server does by itself: actions with `due`, on records whose time has come. Each record has a transaction of
// its own, like a request, done by nobody in particular. If the record is still due after the action, the action is
// undone. One thread at a time.
#pragma once

#include "engine/records/due_back_off.h"
#include "engine/records/due_figures.h"
#include "engine/records/slot.h"
#include "engine/records/write.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace callisto::records {

// Who is told of what is due; all of it outlives the actions.
struct DueListeners {
  DueFigures& figures;
  script::ScriptObserver* observer = nullptr;  // null: nobody keeps failures of scripts
  const Clock& clock;
  Random& random;
};

// On how many records it is due at this moment, whether or not one has failed before.
Result<std::size_t> count_due(const Model& model, const Model::Due& due, storage::Connection& connection,
                              script::State& scripts);

class DueActions {
 public:
  // The slot is its own; references must outlive it.
  DueActions(const Model& model, Writer& writer, std::unique_ptr<Slot> slot, const DueListeners& listeners);

  struct Run {
    std::size_t done = 0;
    std::vector<std::string> failures;
  };
  // So many records have their turn in one run, of each action. What cannot be done to one of them is told once and
  // keeps nobody else waiting: see DueBackOff. An error: the database could not be read or written.
  static constexpr std::size_t most_at_once = 1000;
  Result<Run> run();

 private:
  struct Attempt {
    std::int64_t key = 0, version = 0;
    bool is_due = false, is_undone = false;
    Result<void> done = {};
  };
  struct Turn {
    std::vector<std::int64_t> keys;     // whose turn it is, in order
    std::vector<std::int64_t> settled;  // failed once and are not due any more
    std::map<std::int64_t, DueBackOff::Failure> failures;
  };
  Result<Turn> turn(const Model::Due& due);
  Attempt perform(const Model::Due& due, std::int64_t key);
  Result<void> note(const Model::Due& due, const std::vector<Attempt>& failed,
                    const std::vector<std::int64_t>& settled);
  void tell(const Model::Due& due, const Attempt& attempt);

  const Model& model_;
  Writer& writer_;
  const std::unique_ptr<Slot> slot_;
  const DueListeners listeners_;
  const DueBackOff back_off_;
  std::map<const Model::Due*, std::int64_t> last_;  // the record whose turn came last
  const auth::Session nobody_;                      // an analyst without a person, who sees all partitions
};

}  // namespace callisto::records
