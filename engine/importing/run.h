// Brings a table's groups into the database, in batches; each batch is a transaction that also writes the journal. One
// thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/importing/read/table.h"
#include "engine/importing/write/evaluate.h"
#include "engine/importing/write/journal.h"
#include "engine/importing/write/pools.h"
#include "engine/importing/write/rejects.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace callisto::importing {

struct Surroundings {
  storage::Database& database;
  const records::Store& store;
  const Clock& clock;
  Random& random;
};

class Run {
 public:
  Run(const Table& table, const Plan& plan, script::ImportMap& map, const Journal& journal, Report& report,
      const Surroundings& with)
      : table_(table),
        journal_(journal),
        report_(report),
        with_(with),
        pools_(plan.pools),
        evaluator_(plan, map, pools_) {}

  // From the group behind those that `done` has to the end; `done` grows with every batch.
  Result<void> go_on(Done& done);

 private:
  struct Batch {
    Done added;
    std::vector<std::pair<std::size_t, std::string>> problems;  // by line
    Care care = Care::None;
    bool needs_care = false;  // a group could not be written
  };
  Result<Batch> write_batch(std::size_t first, std::size_t end);
  Result<void> write(storage::Connection& connection, std::size_t first, std::size_t end, Batch& batch);
  Result<void> write_group(GroupWriter& writer, const Table::Group& group, Batch& batch);
  std::vector<RowProblem> problems_of(const Table::Group& group) const;
  Evaluated evaluate(const Table::Group& group);
  void reject(const Table::Group& group, const std::vector<RowProblem>& problems, Batch& batch) const;

  const Table& table_;
  const Journal& journal_;
  Report& report_;
  Surroundings with_;
  Pools pools_;
  Evaluator evaluator_;
};

}  // namespace callisto::importing
