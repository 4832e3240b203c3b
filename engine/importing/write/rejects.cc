#include "engine/importing/write/rejects.h"

#include "engine/base/escape.h"
#include "engine/base/whole_file.h"

#include <unistd.h>
#include <cstdio>

namespace callisto::importing {

namespace {

constexpr std::size_t most_shown = 20;

// The last line of a file may lack its end; here others may follow.
void append_line(std::string& text, std::string_view line) {
  text += line;
  if (!line.empty() && line.back() != '\n' && line.back() != '\r') text += '\n';
}

}  // namespace

Report::~Report() {
  if (added_ > most_shown) std::fprintf(stderr, "%s: and %zu bad rows more\n", file_.c_str(), added_ - most_shown);
}

void Report::add(std::size_t line, const std::string& reason) {
  if (++added_ > most_shown) return;
  const char* begin =
      isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "";  // over the progress bar, which is drawn again below
  std::fprintf(stderr, "%s%s:%zu: %s\n", begin, file_.c_str(), line, escaped(reason).c_str());
}

std::string rejected_text(const Table& table, const std::set<std::size_t>& rows) {
  std::string text;
  append_line(text, table.header());
  for (const std::size_t row : rows) append_line(text, table.original(row));
  return text;
}

Result<void> write_rejected(const std::string& path, const std::string& text) {
  const auto write = [&]() -> Result<void> {
    CALLISTO_TRY(WholeFile file, WholeFile::make(path, 0666));
    CALLISTO_CHECK(file.write(text));
    return file.replace();
  };
  if (write()) return {};
  return bad_format(path + " cannot be written; name another file with --rejected and run the import again");
}

}  // namespace callisto::importing
