// Rows that an import refuses: the first of them are reported on standard error, and all are kept as they were. One
// thread.
#pragma once

#include "engine/importing/read/table.h"

#include <cstddef>
#include <set>
#include <string>

namespace callisto::importing {

class Report {
 public:
  explicit Report(std::string file) : file_(std::move(file)) {}
  ~Report();  // tells how many were not shown
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  void add(std::size_t line, const std::string& reason);  // "FILE:LINE: reason"

 private:
  std::string file_;
  std::size_t added_ = 0;
};

// As they were, below the header, in the order of the file.
std::string rejected_text(const Table& table, const std::set<std::size_t>& rows);
// What was there under that name is replaced, by the whole text or not at all.
Result<void> write_rejected(const std::string& path, const std::string& text);

}  // namespace callisto::importing
