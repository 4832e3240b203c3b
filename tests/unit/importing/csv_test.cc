#include "engine/importing/read/csv.h"

#include <catch2/catch.hpp>

namespace callisto::importing {
namespace {

// Rows as "line:cell|cell", or "line!problem".
std::vector<std::string> read(std::string_view text) {
  std::vector<std::string> rows;
  CsvReader reader(text, ',');
  CsvRow row;
  std::size_t at = 0;
  while (reader.next(row)) {
    CHECK(row.begin == at);  // every byte belongs to a row
    at = row.end;
    std::string shown;
    for (const std::string& cell : row.cells) shown += (shown.empty() ? "" : "|") + std::string("<") + cell + ">";
    rows.push_back(std::to_string(row.line) + (row.problem.empty() ? ":" + shown : "!" + row.problem));
  }
  CHECK(at == text.size());
  return rows;
}

using Rows = std::vector<std::string>;

}  // namespace

TEST_CASE("cells and line ends") {
  CHECK(read("").empty());
  CHECK(read("a") == Rows{"1:<a>"});
  CHECK(read("a,b\n") == Rows{"1:<a>|<b>"});
  CHECK(read(",\n,") == Rows{"1:<>|<>", "2:<>|<>"});
  CHECK(read("a\r\nb\rc\nd") == Rows{"1:<a>", "2:<b>", "3:<c>", "4:<d>"});
  CHECK(read("a\n\n\r\nb") == Rows{"1:<a>", "2:<>", "3:<>", "4:<b>"});
  CHECK(read(" a , b") == Rows{"1:< a >|< b>"});
}

TEST_CASE("quotes") {
  CHECK(read("\"a\",\"b,c\"\n\"\"") == Rows{"1:<a>|<b,c>", "2:<>"});
  CHECK(read("\"a \"\"b\"\" c\"") == Rows{"1:<a \"b\" c>"});
  CHECK(read("\"\"\"\"") == Rows{"1:<\">"});
  CHECK(read("\"a\nb\r\nc\",d\ne") == Rows{"1:<a\nb\r\nc>|<d>", "4:<e>"});
  CHECK(read("5\" disk,x") == Rows{"1:<5\" disk>|<x>"});
}

TEST_CASE("a row with wrong quotes ends with its line") {
  CHECK(read("a,\"b\nc\nd") == Rows{"1!a quote is never closed", "2:<c>", "3:<d>"});
  CHECK(read("a\n\"b\" c,d\ne") == Rows{"1:<a>", "2!text follows the closing quote of a cell", "3:<e>"});
  CHECK(read("\"a\r\nb\r\n\"c\"\r\n") == Rows{"1!text follows the closing quote of a cell", "2:<b>", "3:<c>"});
  CHECK(read("x,\"") == Rows{"1!a quote is never closed"});
}

}  // namespace callisto::importing
