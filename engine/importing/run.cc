#include "engine/importing/run.h"

#include "engine/base/progress.h"

#include <algorithm>

namespace callisto::importing {

namespace {

constexpr std::size_t groups_in_a_batch = 500;

}  // namespace

Result<void> Run::go_on(Done& done) {
  const std::size_t total = table_.groups().size();
  if (done.groups == total) return {};
  {
    CALLISTO_TRY(const auto reader, with_.database.connect_reader());
    CALLISTO_CHECK(pools_.load(*reader));
  }
  Progress progress("importing", total);
  while (done.groups < total) {
    const std::size_t end = std::min(done.groups + groups_in_a_batch, total);
    CALLISTO_TRY(Batch batch, write_batch(done.groups, end));
    for (const auto& [line, reason] : batch.problems) report_.add(line, reason);
    for (const auto& [entity, made] : batch.added.counts) done.counts[entity] += made;
    done.rejected.merge(batch.added.rejected);
    done.groups = end;
    progress.advance_to(end);
  }
  return {};
}

// Few groups cannot be written, so each batch is tried without savepoints first.
Result<Run::Batch> Run::write_batch(std::size_t first, std::size_t end) {
  for (Care care = Care::None;; care = Care::Savepoints) {
    Batch batch;
    auto written = with_.database.write([&](storage::Connection& connection) {
      pools_.undo();  // what this found when it ran before
      batch = Batch();
      batch.care = care;
      return write(connection, first, end, batch);
    });
    if (written) {
      pools_.keep();
      return batch;
    }
    pools_.undo();
    if (!batch.needs_care) return std::move(written).error();
  }
}

Result<void> Run::write(storage::Connection& connection, std::size_t first, std::size_t end, Batch& batch) {
  const DateTime now = with_.clock.now();
  GroupWriter writer(with_.store, connection, now, with_.random, pools_, batch.care);
  for (std::size_t group = first; group < end; ++group)
    CALLISTO_CHECK(write_group(writer, table_.groups()[group], batch));
  batch.added.counts = writer.counts();
  return journal_.write(connection, end, batch.added, now);
}

Result<void> Run::write_group(GroupWriter& writer, const Table::Group& group, Batch& batch) {
  if (const auto problems = problems_of(group); !problems.empty()) {
    reject(group, problems, batch);
    return {};
  }
  const Evaluated evaluated = evaluate(group);
  if (!evaluated.problems.empty()) {
    reject(group, evaluated.problems, batch);
    return {};
  }
  CALLISTO_TRY(auto refusal, writer.write(evaluated));
  if (!refusal) return {};
  batch.needs_care = batch.care == Care::None;
  if (batch.needs_care) return bad_format(*refusal);
  reject(group, {{group.rows.size() - 1, *std::move(refusal)}}, batch);
  return {};
}

std::vector<RowProblem> Run::problems_of(const Table::Group& group) const {
  std::vector<RowProblem> problems;
  for (std::size_t i = 0; i < group.rows.size(); ++i)
    if (const auto known = table_.problems().find(group.rows[i]); known != table_.problems().end())
      problems.push_back({i, known->second});
  return problems;
}

Evaluated Run::evaluate(const Table::Group& group) {
  std::vector<script::MapRow> rows;
  rows.reserve(group.rows.size());
  for (const std::size_t row : group.rows) rows.push_back(table_.cells(row));
  return evaluator_.evaluate(table_.columns(), rows);
}

void Run::reject(const Table::Group& group, const std::vector<RowProblem>& problems, Batch& batch) const {
  const std::size_t size = group.rows.size();
  const std::string whose = size == 1 ? "" : " (all " + std::to_string(size) + " rows of " + group.name + " left out)";
  for (const RowProblem& problem : problems)
    batch.problems.emplace_back(table_.rows()[group.rows[problem.row]].line, problem.reason + whose);
  batch.added.rejected.insert(group.rows.begin(), group.rows.end());
}

}  // namespace callisto::importing
