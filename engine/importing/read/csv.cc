#include "engine/importing/read/csv.h"

#include <algorithm>

namespace callisto::importing {

bool CsvReader::next(CsvRow& row) {
  if (at_ >= text_.size()) return false;
  row.begin = at_;
  row.line = line_;
  row.cells.clear();
  row.problem.clear();
  while (read_cell(row)) {}
  if (!row.problem.empty()) give_up(row);
  row.end = at_;
  return true;
}

bool CsvReader::read_cell(CsvRow& row) {
  std::string& cell = row.cells.emplace_back();
  if (at_ < text_.size() && text_[at_] == '"') {
    if (!read_quoted(row, cell)) return false;
  } else {
    // A quote within a cell that does not begin with one is a character like others.
    const std::size_t end = std::min(text_.find_first_of(ends_, at_), text_.size());
    cell.assign(text_.substr(at_, end - at_));
    at_ = end;
  }
  if (at_ < text_.size() && text_[at_] == ends_[0]) {
    ++at_;
    return true;
  }
  if (at_ < text_.size() && !take_line_end()) row.problem = "text follows the closing quote of a cell";
  return false;
}

bool CsvReader::read_quoted(CsvRow& row, std::string& cell) {
  ++at_;
  while (true) {
    const std::size_t quote = text_.find('"', at_);
    if (quote == text_.npos) {
      row.problem = "a quote is never closed";
      return false;
    }
    cell.append(text_.substr(at_, quote - at_));
    at_ = quote + 1;
    if (at_ == text_.size() || text_[at_] != '"') break;
    cell += '"';
    ++at_;
  }
  // Lines within the cell: LF and CRLF; a lone CR within quotes counts for none.
  line_ += static_cast<std::size_t>(std::count(cell.begin(), cell.end(), '\n'));
  return true;
}

bool CsvReader::take_line_end() {
  const std::size_t start = at_;
  if (text_[at_] == '\r') ++at_;
  if (at_ < text_.size() && text_[at_] == '\n') ++at_;
  if (at_ == start) return false;
  ++line_;
  return true;
}

// Whatever the quotes meant, the next line is likely to be a row again.
void CsvReader::give_up(CsvRow& row) {
  at_ = std::min(text_.find_first_of("\r\n", row.begin), text_.size());
  line_ = row.line;
  if (at_ < text_.size()) take_line_end();
}

}  // namespace callisto::importing
