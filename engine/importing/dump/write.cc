#include "engine/json/write.h"
#include "engine/base/running_digest.h"
#include "engine/importing/dump.h"
#include "engine/importing/dump/tables.h"

#include <algorithm>

namespace callisto::importing {

namespace {

constexpr std::uint64_t rows_between_looks = 1000;

// Of the tables and columns.
std::string digest_of(const std::vector<DumpTable>& tables) {
  std::string all;
  for (const DumpTable& table : tables) {
    all += table.name.text() + "\n";
    for (const DumpColumn& column : table.columns) all += " " + column.name.text() + "\n";
  }
  return sha256_hex(all);
}

class DumpWriter {
 public:
  DumpWriter(storage::Connection& connection, const std::vector<std::string>& only,
             const std::function<Result<void>(std::string_view)>& put, const DumpProgress& progress)
      : connection_(connection), only_(only), put_(put), progress_(progress) {}

  Result<std::uint64_t> run() {
    CALLISTO_TRY(const auto snapshot, storage::ReadTransaction::begin(connection_));
    CALLISTO_TRY(auto tables, dump_tables(connection_));
    if (!only_.empty())
      std::erase_if(tables, [&](const DumpTable& table) {
        return table.name.text() != key_counters && !is_wanted(table.name.text());
      });
    for (const DumpTable& table : tables) {
      CALLISTO_TRY(const std::uint64_t rows, count(table));
      all_ += rows;
    }
    CALLISTO_CHECK(write_header(tables));
    for (const DumpTable& table : tables) CALLISTO_CHECK(write_rows(table));
    progress_(done_, all_);
    return done_;
  }

 private:
  bool is_wanted(const std::string& table) const { return std::find(only_.begin(), only_.end(), table) != only_.end(); }

  // Of the key counters, those of the wanted tables.
  Sql condition(const DumpTable& table) const {
    Sql sql = rows_of(table);
    if (only_.empty() || table.name.text() != key_counters) return sql;
    sql << " WHERE entity IN (";
    for (std::size_t i = 0; i < only_.size(); ++i) {
      if (i > 0) sql << ", ";
      sql.parameter(i + 1);
    }
    return sql << ")";
  }

  std::vector<Value> parameters(const DumpTable& table) const {
    if (only_.empty() || table.name.text() != key_counters) return {};
    return {only_.begin(), only_.end()};
  }

  Result<std::uint64_t> count(const DumpTable& table) {
    CALLISTO_TRY(auto rows, connection_.query(Sql("SELECT count(*)") << condition(table), parameters(table)));
    CALLISTO_CHECK(rows->step());
    return static_cast<std::uint64_t>(rows->integer(0));
  }

  Result<void> write_header(const std::vector<DumpTable>& tables) {
    std::string line;
    json::Writer writer(line);
    writer.begin_object();
    writer.key("callisto").string("export").key("format").integer(dump_format);
    writer.key("catalog").string(digest_of(tables)).key("rows").integer(static_cast<std::int64_t>(all_));
    writer.key("tables").begin_array();
    for (const DumpTable& table : tables) writer.string(table.name.text());
    writer.end_array().end_object();
    return put_(line + "\n");
  }

  // By key, so that one state of a desk has one text.
  Result<void> write_rows(const DumpTable& table) {
    const storage::Dialect& dialect = connection_.dialect();
    Sql sql("SELECT ");
    sql << columns_of(dialect, table) << condition(table) << order_of(dialect, table);
    CALLISTO_TRY(auto rows, connection_.query(sql, parameters(table)));
    for (;;) {
      CALLISTO_TRY(const bool more, rows->step());
      if (!more) return {};
      line_.clear();
      append_row(line_, table, *rows);
      CALLISTO_CHECK(put_(line_));
      if (++done_ % rows_between_looks == 0) progress_(done_, all_);
    }
  }

  storage::Connection& connection_;
  const std::vector<std::string>& only_;
  const std::function<Result<void>(std::string_view)>& put_;
  const DumpProgress& progress_;
  std::string line_;
  std::uint64_t done_ = 0, all_ = 0;
};

}  // namespace

Result<std::uint64_t> write_dump(storage::Connection& connection, const std::vector<std::string>& tables,
                                 const std::function<Result<void>(std::string_view)>& put,
                                 const DumpProgress& progress) {
  return DumpWriter(connection, tables, put, progress).run();
}

}  // namespace callisto::importing
