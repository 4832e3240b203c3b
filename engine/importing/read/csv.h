// CSV by RFC 4180: commas or another separator, double quotes, doubled quotes within them, line ends of every kind.
// Pure; views the text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::importing {

struct CsvRow {
  std::size_t begin = 0;  // bytes of the text, line end included
  std::size_t end = 0;
  std::size_t line = 0;  // the physical line on which it begins, from 1
  std::vector<std::string> cells;
  std::string problem;  // not empty: its quotes are wrong, and it is taken to end with its first line
};

class CsvReader {
 public:
  CsvReader(std::string_view text, char separator, std::size_t begin = 0, std::size_t line = 1)
      : text_(text), ends_{separator, '\r', '\n'}, at_(begin), line_(line) {}

  bool next(CsvRow& row);  // false: no more rows

 private:
  bool read_cell(CsvRow& row);  // false: the row ends with it
  bool read_quoted(CsvRow& row, std::string& cell);
  bool take_line_end();
  void give_up(CsvRow& row);

  std::string_view text_;
  std::string ends_;  // of a cell without quotes; the first one is the separator
  std::size_t at_;
  std::size_t line_;
};

}  // namespace callisto::importing
