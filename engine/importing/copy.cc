#include "engine/importing/copy.h"

#include "engine/base/running_digest.h"
#include "engine/base/text.h"
#include "engine/importing/dump/tables.h"
#include "engine/importing/write/row_batch.h"
#include "engine/storage/migrate.h"

#include <algorithm>
#include <iterator>

namespace callisto::importing {

namespace {

constexpr std::uint64_t rows_between_looks = 1000;
// New databases have rows of these: counters, what the engine's own sql/ files put in, the key of a first start.
constexpr std::string_view begun_with[] = {key_counters, "licence_pool", "person_password", desk_facts};

const DumpTable* find(const std::vector<DumpTable>& tables, const SqlIdentifier& name) {
  const auto same = [&](const DumpTable& table) { return table.name == name; };
  const auto found = std::find_if(tables.begin(), tables.end(), same);
  return found == tables.end() ? nullptr : &*found;
}

Error lacking(const std::string& what, const std::string& name) {
  return bad_format("the target would have no " + what + " " + text::quoted(name) +
                    ": name the entities that the source is served with (--set entities=...)");
}

// The table as the target has it, of the source's columns alone.
Result<DumpTable> counterpart(const std::vector<DumpTable>& targets, const DumpTable& source) {
  const DumpTable* table = find(targets, source.name);
  if (!table) return lacking("table", source.name.text());
  DumpTable result{source.name, {}, {}};
  const auto take = [&](const std::vector<DumpColumn>& from, std::vector<DumpColumn>& to) -> Result<void> {
    for (const DumpColumn& wanted : from) {
      const auto same = [&](const DumpColumn& column) { return column.name == wanted.name; };
      const auto found = std::find_if(table->columns.begin(), table->columns.end(), same);
      if (found == table->columns.end()) return lacking("column", source.name.text() + "." + wanted.name.text());
      to.push_back(*found);
    }
    return {};
  };
  CALLISTO_CHECK(take(source.columns, result.columns));
  CALLISTO_CHECK(take(source.order, result.order));
  return result;
}

// Older tables may mean something else.
Result<void> check_is_current(storage::Connection& source) {
  CALLISTO_TRY(const auto missing, storage::plan(source, storage::engine_migrations(), {}));
  if (missing.statements.empty()) return {};
  return bad_format("the source is no desk, or one of an older version: migrate it first, with callisto migrate");
}

class Copying {
 public:
  Copying(storage::Connection& source, storage::Connection& target, const CopyProgress& progress)
      : source_(source), target_(target), progress_(progress) {}

  Result<std::vector<CopiedTable>> run(const std::vector<DumpTable>& tables, std::uint64_t rows) {
    all_ = rows;
    if (const Sql patience = target_.dialect().let_transaction_wait(); !patience.empty())
      CALLISTO_CHECK(target_.execute(patience, {}));
    CALLISTO_CHECK(check_nothing_to_lose(target_));
    CALLISTO_TRY(const auto existing, dump_tables(target_));
    std::vector<DumpTable> counterparts;
    for (const DumpTable& table : tables) {
      CALLISTO_TRY(DumpTable same, counterpart(existing, table));
      counterparts.push_back(std::move(same));
    }
    for (std::size_t i = 0; i < tables.size(); ++i) CALLISTO_CHECK(copy(tables[i], counterparts[i]));
    if (!refused_.empty()) return refusal();
    done_ = 0;
    all_ *= 2;
    std::vector<CopiedTable> copied;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      CALLISTO_TRY(CopiedTable each, compare(tables[i], counterparts[i]));
      copied.push_back(std::move(each));
    }
    return copied;
  }

 private:
  template <typename EachRow>
  Result<void> read(storage::Connection& connection, const DumpTable& table, std::string_view step,
                    const EachRow& each) {
    const storage::Dialect& dialect = connection.dialect();
    Sql sql("SELECT ");
    sql << columns_of(dialect, table) << rows_of(table) << order_of(dialect, table);
    CALLISTO_TRY(const auto rows, connection.query(sql, {}));
    for (;;) {
      CALLISTO_TRY(const bool more, rows->step());
      if (!more) return {};
      CALLISTO_CHECK(each(*rows));
      if (++done_ % rows_between_looks == 0 || done_ == all_) progress_(step, done_, all_);
    }
  }

  Result<void> copy(const DumpTable& from, const DumpTable& to) {
    if (refused_.size() >= RowBatch::most_refused) return {};
    CALLISTO_CHECK(target_.execute(Sql("DELETE FROM ") << to.name, {}));
    RowBatch batch(target_, to, refused_);
    CALLISTO_CHECK(read(source_, from, "copy", [&](const storage::Cursor& row) { return batch.add(row); }));
    return batch.finish();
  }

  Result<CopiedTable> digest(storage::Connection& connection, const DumpTable& table) {
    CopiedTable result{table.name.text(), 0, {}};
    RunningDigest digest;
    std::string line;
    CALLISTO_CHECK(read(connection, table, "compare", [&](const storage::Cursor& row) -> Result<void> {
      line.clear();
      append_row(line, table, row);
      digest.add(line);
      ++result.rows;
      return {};
    }));
    result.checksum = digest.hex();
    return result;
  }

  Result<CopiedTable> compare(const DumpTable& from, const DumpTable& to) {
    CALLISTO_TRY(CopiedTable source, digest(source_, from));
    CALLISTO_TRY(const CopiedTable target, digest(target_, to));
    if (source.rows == target.rows && source.checksum == target.checksum) return source;
    return bad_format("table " + source.name + " differs: the source has " + std::to_string(source.rows) +
                      " rows of checksum " + source.checksum + ", the target " + std::to_string(target.rows) + " of " +
                      target.checksum);
  }

  Error refusal() const {
    std::string message = "the target cannot hold what the source has:";
    for (const std::string& each : refused_) message += "\n  " + each;
    if (refused_.size() >= RowBatch::most_refused) message += "\n  and perhaps more";
    return bad_format(message + "\nChange these in the source, then copy again.");
  }

  storage::Connection &source_, &target_;
  const CopyProgress& progress_;
  std::vector<std::string> refused_;
  std::uint64_t done_ = 0, all_ = 0;
};

}  // namespace

Result<void> check_nothing_to_lose(storage::Connection& target) {
  CALLISTO_TRY(const auto tables, dump_tables(target));
  for (const DumpTable& table : tables) {
    if (std::find(std::begin(begun_with), std::end(begun_with), table.name.text()) != std::end(begun_with)) continue;
    CALLISTO_TRY(const auto row, target.query(Sql("SELECT 1 FROM ") << table.name << " LIMIT 1", {}));
    CALLISTO_TRY(const bool found, row->step());
    if (found)
      return bad_format("the target has rows already, in the table " + table.name.text() +
                        ": a desk can only be copied into an empty database, so name a new one");
  }
  return {};
}

Result<std::vector<CopiedTable>> copy_desk(storage::Connection& source, storage::Database& target,
                                           const CopyProgress& progress) {
  CALLISTO_TRY(const auto snapshot, storage::ReadTransaction::begin(source));
  CALLISTO_CHECK(check_is_current(source));
  CALLISTO_TRY(const auto tables, dump_tables(source));
  std::uint64_t rows = 0;
  for (const DumpTable& table : tables) {
    CALLISTO_TRY(const std::uint64_t each, count_rows(source, table));
    rows += each;
  }
  std::vector<CopiedTable> copied;
  CALLISTO_CHECK(target.write_alone([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(copied, Copying(source, connection, progress).run(tables, rows));
    return {};
  }));
  return copied;
}

}  // namespace callisto::importing
