// Any bytes as a file of an import: CSV, JSON lines, and a line of an export. Rows lie one behind the other and lose no
// byte; what is read as cells or as a value is written and read as the same.
#include "engine/importing/dump/row.h"
#include "engine/importing/read/csv.h"
#include "engine/importing/read/table.h"
#include "engine/json/read.h"
#include "tests/fuzz/require.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace callisto;
using namespace callisto::importing;

std::string quoted_row(const std::vector<std::string>& cells, char separator) {
  std::string row;
  for (const std::string& cell : cells) {
    if (!row.empty()) row += separator;
    row += '"';
    for (const char c : cell) row += c == '"' ? std::string("\"\"") : std::string(1, c);
    row += '"';
  }
  return row + "\r\n";
}

void check_csv(std::string_view text, char separator) {
  CsvReader reader(text, separator);
  CsvRow row;
  std::size_t at = 0, line = 0;
  while (reader.next(row)) {
    require(row.begin == at && row.end > row.begin && row.line > line && !row.cells.empty());
    at = row.end;
    line = row.line;
    if (!row.problem.empty()) continue;
    const std::string again = quoted_row(row.cells, separator);
    CsvReader second(again, separator);
    CsvRow same;
    require(second.next(same) && same.problem.empty() && same.cells == row.cells && same.end == again.size());
  }
  require(at == text.size());
}

void check_table(const std::string& text, const TableOptions& options) {
  const auto table = Table::read(text, options);
  if (!table) return require(!table.error().message.empty());
  std::size_t bytes = table->header().size(), grouped = 0, line = 0;
  for (std::size_t i = 0; i < table->rows().size(); ++i) {
    bytes += table->original(i).size();
    require(table->rows()[i].line > line);
    line = table->rows()[i].line;
  }
  require(bytes <= text.size() + table->rows().size());  // a line end may be added to the last
  for (const Table::Group& group : table->groups())
    for (const std::size_t row : group.rows) {
      ++grouped;
      if (table->problems().contains(row)) continue;
      const std::size_t cells = table->cells(row).size(), columns = table->columns().size();
      require(options.format == Format::Csv ? cells == columns : cells <= columns);
    }
  require(grouped + table->left_alone().size() <= table->rows().size());
}

void check_stored(const std::string& text) {
  const auto node = json::parse(text);
  if (!node) return;
  const auto value = read_stored(*node);
  if (!value) return;
  std::string written, again;
  append_stored(written, *value);
  const auto second = json::parse(written);
  require(second.has_value());
  const auto same = read_stored(*second);
  require(same.has_value());
  append_stored(again, *same);
  require(*same == *value && again == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char separator : {',', ';', '\t'}) check_csv(text, separator);
  for (const Format format : {Format::Csv, Format::JsonLines})
    for (const char* group : {"", "a"}) check_table(text, {format, "NULL", group});
  check_stored(text);
  return 0;
}
