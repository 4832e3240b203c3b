// The rows of a CSV or JSON lines file, and the groups that they form. Rows are found once and parsed again when asked
// for, so that a table costs only its text and a few machine words per row. Immutable once read; any thread.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::importing {

enum class Format { Csv, JsonLines };

// By the name alone: x.jsonl, x.ndjson.gz, x.jsonl.rejected; all else is CSV.
Format format_of(std::string_view path);

struct TableOptions {
  Format format = Format::Csv;
  std::string null;                               // the text that stands for nothing; an empty cell always does
  std::string group_by;                           // a column; empty: every row is a group of its own
  char separator = ',';                           // of CSV
  std::set<std::string, std::less<>> named = {};  // columns; whatever is in others, no row is bad for it
};

class Table {
 public:
  // Fails where there is no header that can be used.
  static Result<Table> read(std::string text, const TableOptions& options);

  struct Row {
    std::size_t begin = 0;
    std::size_t size = 0;
    std::size_t line = 0;
  };
  struct Group {
    std::string name;               // the value that its rows share; empty without group_by
    std::vector<std::size_t> rows;  // numbers in rows()
  };

  Format format() const { return options_.format; }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Group>& groups() const { return groups_; }                      // by their first rows
  const std::map<std::size_t, std::string>& problems() const { return problems_; }  // of rows, by number
  const std::vector<std::size_t>& left_alone() const { return left_alone_; }        // bad rows of no group

  std::vector<std::string> cells(std::size_t row) const;  // of a row without a problem; null is empty
  std::string_view original(std::size_t row) const;       // its bytes, line end included
  std::string_view header() const;                        // the same of the header; empty for JSON lines

 private:
  Table() = default;
  Result<void> read_csv();
  Result<void> read_header(const std::vector<std::string>& names);
  bool is_named(std::string_view column) const {
    return options_.named.count(column) != 0 || (!column.empty() && column == options_.group_by);
  }
  std::string problem_of(const Row& row, const std::vector<std::string>& cells) const;
  void read_json_lines();
  void add(Row row, std::vector<std::string> cells, std::string problem);
  void group(std::size_t row, const std::vector<std::string>& cells);
  void clean(std::vector<std::string>& cells) const;
  std::string_view original_of(const Row& row) const;

  TableOptions options_;
  std::string text_;
  std::size_t header_begin_ = 0;
  std::size_t header_end_ = 0;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t, std::less<>> column_numbers_;
  std::optional<std::size_t> group_by_;
  std::vector<Row> rows_;
  std::vector<Group> groups_;
  std::map<std::string, std::size_t, std::less<>> group_numbers_;
  std::map<std::size_t, std::string> problems_;
  std::vector<std::size_t> left_alone_;
};

}  // namespace callisto::importing
