#include "engine/importing/rejects.h"

#include <unistd.h>
#include <cstdio>
#include <fstream>

namespace callisto::importing {

namespace {

constexpr std::size_t most_shown = 20;

// The last line of a file may lack its end; here others may follow.
void append_line(std::ofstream& out, std::string_view line) {
  out << line;
  if (!line.empty() && line.back() != '\n' && line.back() != '\r') out << '\n';
}

}  // namespace

Report::~Report() {
  if (added_ > most_shown) std::fprintf(stderr, "%s: and %zu bad rows more\n", file_.c_str(), added_ - most_shown);
}

void Report::add(std::size_t line, const std::string& reason) {
  if (++added_ > most_shown) return;
  const char* begin =
      isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "";  // over the progress bar, which is drawn again below
  std::fprintf(stderr, "%s%s:%zu: %s\n", begin, file_.c_str(), line, reason.c_str());
}

Result<void> write_rejected(const std::string& path, const Table& table, const std::set<std::size_t>& rows) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  append_line(out, table.header());
  for (const std::size_t row : rows) append_line(out, table.original(row));
  out.close();
  if (!out) return bad_format(path + " cannot be written; name another file with --rejected and run the import again");
  return {};
}

}  // namespace callisto::importing
