// Rows that an import refuses: each kind with its line and reason, the whole group with it, kept as it was to be
// mended.
#include "import_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

constexpr std::string_view incidents = R"(return import {
  dates = "%d/%m/%Y %H:%M", null = "?", group_by = "number",
  record "incident" {
    Ref = "number", ShortDescription = "text", LoggedDate = "at",
    Breached = one_of("sla", { good = false, bad = true }),
    CallRef = function(row)
      if row.text == "reject me" then reject "this text is not wanted" end
      if row.text == "break" then return row.text.x.y end
      if row.text == "table" then return {} end
    end,
    AttachmentCount = "count",
  },
  rows "call-history" { TicketId = parent, Order = position, Description = "text", Date = "at" },
})";

// Line 6 is the second line of a cell.
constexpr std::string_view events =
    "number,text,at,sla,count\r\n"
    "1,first,1/2/2016 10:00,good,1\r\n"
    "2,one,1/2/2016 10:00,good,1\r\n"
    "1,second,31/2/2016 10:00,good,1\r\n"
    "3,\"two\r\nlines, \"\"quoted\"\"\",?,?,?\r\n"
    "2,two,1/2/2016 10:01,good\r\n"
    "\r\n"
    "4,reject me,,,\r\n"
    "5,break,,,\r\n"
    "6,x,,so-so,\r\n"
    "7,\xE9t\xE9,,,\r\n"
    "8,x,,,many\r\n"
    ",nobody,,,\r\n"
    "9,table,,,\r\n"
    "a,x,,,\r\n"
    "10,\"not closed,,,\r\n"
    "11,\"y\"z,,,\r\n"
    "10,good,,,\r\n"
    "\"12\"x,y,,,\r\n"
    "13,last,,,99999999999";

constexpr std::string_view rejected =
    "number,text,at,sla,count\r\n"
    "1,first,1/2/2016 10:00,good,1\r\n"
    "2,one,1/2/2016 10:00,good,1\r\n"
    "1,second,31/2/2016 10:00,good,1\r\n"
    "2,two,1/2/2016 10:01,good\r\n"
    "4,reject me,,,\r\n"
    "5,break,,,\r\n"
    "6,x,,so-so,\r\n"
    "7,\xE9t\xE9,,,\r\n"
    "8,x,,,many\r\n"
    ",nobody,,,\r\n"
    "9,table,,,\r\n"
    "a,x,,,\r\n"
    "10,\"not closed,,,\r\n"
    "11,\"y\"z,,,\r\n"
    "10,good,,,\r\n"
    "\"12\"x,y,,,\r\n"
    "13,last,,,99999999999\n";

const std::vector<std::string> reasons = {
    "data.csv:4: LoggedDate: '31/2/2016 10:00': a date such as 31/12/2026 23:59 is expected (all 2 rows of 1 left "
    "out)\n",
    "data.csv:7: the row has 4 cells, the header 5 (all 2 rows of 2 left out)\n",
    "data.csv:9: CallRef: this text is not wanted\n",
    "data.csv:10: CallRef: map.lua:8: attempt to index field 'x' (a nil value)\n",
    "data.csv:11: Breached: 'so-so' is none of those that one_of knows\n",
    "data.csv:12: the row is not UTF-8 text\n",
    "data.csv:13: AttachmentCount: 'many': Integer: a whole number is expected\n",
    "data.csv:14: number is empty, so the row belongs to no group\n",
    "data.csv:15: CallRef: the function returned a table where a value is expected\n",
    "data.csv:16: Ref: 'a': Integer: a whole number is expected\n",
    "data.csv:17: text follows the closing quote of a cell (all 2 rows of 10 left out)\n",
    "data.csv:18: text follows the closing quote of a cell\n",
    "data.csv:20: text follows the closing quote of a cell; its group cannot be told\n",
    "data.csv:21: AttachmentCount: '99999999999': Integer: a number in range is expected\n",
};

}  // namespace

TEST_CASE("bad rows are told, kept, and can be mended") {
  const ImportDesk desk;
  const Finished first = desk.import_csv(incidents, events);
  CHECK(first.exit_status == 1);
  check_holds(first.output, reasons);
  check_holds(first.output, {"1 incident record, 1 call-history record imported, 17 rows rejected\n"
                             "the rejected rows are in data.csv.rejected: fix them and import that file\n"});
  CHECK(desk.content("data.csv.rejected") == rejected);
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', Ref, ShortDescription) FROM call")) == "3|two\r\nlines, \"quoted\"\n");

  std::string mended(rejected.substr(0, rejected.find("2,two")));
  mended.replace(mended.find("31/2"), 4, "28/2");
  desk.write("data.csv.rejected", mended + "2,two,1/2/2016 10:01,good,1\r\n");
  const Finished second = desk.import("data.csv.rejected");
  INFO(second.output);
  CHECK(second.exit_status == 0);
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', Ref, ShortDescription) FROM call WHERE Ref < 3 ORDER BY Ref")) ==
        "1|second\n2|two\n");
  CHECK(desk.rows(Sql("SELECT printf('%s|%s|%s', TicketId, \"Order\", Description) FROM call_history "
                      "WHERE TicketId < 3 ORDER BY TicketId, \"Order\"")) ==
        "1|1|first\n1|2|second\n2|1|one\n2|2|two\n");
  CHECK(desk.content("data.csv.rejected.rejected").empty());

  const Finished again = desk.import("data.csv");  // done, and the mended file stays
  CHECK(again.exit_status == 1);
  check_holds(
      again.output,
      {"already complete, nothing to do: 1 incident record, 1 call-history record imported, 17 rows rejected\n"});
  CHECK(desk.content("data.csv.rejected") != rejected);
}

TEST_CASE("mandatory properties, keys and identifiers that are taken make bad rows") {
  const ImportDesk desk;
  const Finished finished =
      desk.import_csv("return import { record 'location' { Ref = 'ref', Id = 'id', Name = 'name' } }",
                      "ref,id,name\n"
                      "1,ABCDEF00-0000-4000-8000-000000000000,one\n"
                      "2,,\n"
                      "1,,again\n"
                      "3,abcdef00-0000-4000-8000-000000000000,other\n"
                      ",,made\n");
  CHECK(finished.exit_status == 1);
  check_holds(finished.output,
              {"data.csv:3: Name must not be empty\n", "data.csv:4: there is a record with Ref 1 in location already\n",
               "data.csv:5: there is a record with Id 'abcdef00-0000-4000-8000-000000000000' in location already\n",
               "2 location records imported, 3 rows rejected\n"});
  CHECK(finished.output.find("INSERT") == std::string::npos);
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', Ref, Name) FROM location ORDER BY Ref")) == "1|one\n2|made\n");
}

TEST_CASE("only the first bad rows are shown") {
  const ImportDesk desk;
  std::string csv = "name,size\n";
  for (int i = 0; i < 50; ++i) csv += "a,b,c\n";
  const Finished finished = desk.import_csv("return import { record 'location' { Name = 'name' } }", csv);
  check_holds(finished.output,
              {"data.csv:21: the row has 3 cells", "data.csv: and 30 bad rows more\n", "50 rows rejected"});
  CHECK(finished.output.find("data.csv:22:") == std::string::npos);
}

TEST_CASE("a function that never ends does not keep the import from ending") {
  const ImportDesk desk;
  std::string csv = "name\n";
  for (int i = 0; i < 500; ++i) csv += "a\n";
  csv += "good\n";
  const Finished finished = desk.import_csv(
      "return import { record 'location' { Name = function(row) while row.name == 'a' do end return row.name end } }",
      csv);
  CHECK(finished.exit_status == 1);
  check_holds(finished.output,
              {"data.csv:2: Name: ", "ran longer than 50 ms",
               "data.csv:12: Name: the function ran out of time or memory too often", "501 rows rejected\n"});
}

TEST_CASE("files that cannot be read") {
  const ImportDesk desk;
  const auto said = [&](std::string_view csv) {
    const Finished finished = desk.import_csv("return import { record 'location' { Name = 'name' } }", csv);
    CHECK(finished.exit_status == 1);
    return finished.output;
  };
  CHECK(said("") == "data.csv: the file is empty: a header with the names of the columns is missing\n");
  CHECK(said("name,size,name\n") == "data.csv: the column 'name' occurs twice in the header\n");
  CHECK(said("na\xFFme\n") ==
        "data.csv: the header is not UTF-8 text; save the file as UTF-8 (spreadsheet programs call that CSV UTF-8)\n");
  CHECK(said("name,\"size\n") == "data.csv: the header cannot be read: a quote is never closed\n");
  check_holds(said("naem\nx\n"), {"map.lua:1: Name: the file has no column 'name'; did you mean 'naem'?\n"});
  CHECK(desk.import("absent.csv").output == "callisto: absent.csv cannot be read: No such file or directory\n");
  CHECK(desk.import(".").output.find("cannot be read: Is a directory\n") != std::string::npos);
  const Finished none = desk.import_csv("return import { record 'location' { Name = 'name' } }", "name\n");
  CHECK(none.exit_status == 0);
  CHECK(none.output == "0 location records imported, 0 rows rejected\n");
}
