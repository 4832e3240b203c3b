#include "engine/importing/read/table.h"

#include <catch2/catch.hpp>

namespace callisto::importing {
namespace {

Table table(std::string text, TableOptions options) {
  auto read = Table::read(std::move(text), options);
  if (!read) FAIL(read.error().message);
  return *std::move(read);
}

// "name:row,row" for each group.
std::vector<std::string> groups(const Table& table) {
  std::vector<std::string> shown;
  for (const Table::Group& group : table.groups()) {
    std::string rows;
    for (const std::size_t row : group.rows) rows += (rows.empty() ? "" : ",") + std::to_string(row);
    shown.push_back(group.name + ":" + rows);
  }
  return shown;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the form of a file by its name") {
  for (const char* name :
       {"a.jsonl", "a.ndjson", "A.JSONL", "a.jsonl.gz", "a.jsonl.rejected", "a.ndjson.gz.rejected.rejected"})
    CHECK(format_of(name) == Format::JsonLines);
  for (const char* name : {"a.csv", "a.csv.gz", "a", "a.json", "jsonl", "a.jsonl.txt", ".rejected", "a.csv.rejected"})
    CHECK(format_of(name) == Format::Csv);
}

TEST_CASE("groups come in the order of their first rows") {
  const Table read = table("k,v\nb,1\na,2\nb,3\n?,4\nB,5\n", {Format::Csv, "?", "k"});
  CHECK(groups(read) == Texts{"b:0,2", "a:1", "B:4"});
  CHECK(read.left_alone() == std::vector<std::size_t>{3});
  CHECK(read.cells(2) == Texts{"b", "3"});
  CHECK(read.original(2) == "b,3\n");
  CHECK(read.header() == "k,v\n");
  CHECK(groups(table("k\nx\nx\n", {Format::Csv, "", ""})) == Texts{":0", ":1"});
}

TEST_CASE("byte order marks, blank lines and empty cells") {
  const Table read = table("\xEF\xBB\xBFk,v\r\n\r\na,\"\"\r\n\n?,2", {Format::Csv, "?", ""});
  CHECK(read.columns() == Texts{"k", "v"});
  CHECK(read.header() == "k,v\r\n");
  CHECK(read.rows().size() == 2);
  CHECK(read.rows()[1].line == 5);
  CHECK(read.cells(0) == Texts{"a", ""});
  CHECK(read.cells(1) == Texts{"", "2"});
  CHECK(table("k\n\na\n", {Format::Csv, "", ""}).rows().size() == 2);  // of one column: an empty cell
}

TEST_CASE("a row whose quotes are wrong belongs to the group that its whole cells name") {
  const Table read = table("k,v\na,\"b\nb,\"c\" d\n\"a\" x,1\na,2\n", {Format::Csv, "", "k"});
  CHECK(groups(read) == Texts{"a:0,3", "b:1"});
  CHECK(read.left_alone() == std::vector<std::size_t>{2});
  CHECK(read.problems().at(2) == "text follows the closing quote of a cell; its group cannot be told");
}

TEST_CASE("JSON lines know columns that come late") {
  const Table read = table(
      "{\"a\":1}\n{\"k\":\"x\",\"a\":\"\"}\n"
      "{\"a\":false,\"k\":\"x\",\"a2\":1e3}\n",
      {Format::JsonLines, "", "k"});
  CHECK(read.columns() == Texts{"a", "k", "a2"});
  CHECK(groups(read) == Texts{"x:1,2"});
  CHECK(read.cells(2) == Texts{"false", "x", "1e3"});
  CHECK(read.header().empty());
}

}  // namespace callisto::importing
