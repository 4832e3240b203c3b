// Cells as values: every word of a map, every type, limits, defaults and what the engine fills in.
#include "import_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

}  // namespace

TEST_CASE("cells become the property's type") {
  const ImportDesk desk;
  const Finished finished = desk.import_csv(R"(return import {
      dates = "%d.%m.%Y %H:%M:%S", zone = "+01:30", null = "NULL",
      record "configuration-item" {
        Ref = "ref", AssetRef = "code", Name = "name", PurchaseCost = "cost", PurchaseDate = "date", IsFrozen = "flag",
        Partition = always(1),
      } })",
                                            "ref,code,name,cost,date,flag\n"
                                            "007,straße é, x ,90071992547409.93,1.2.2026 03:04:05,Y\n"
                                            "8,b,y,-0.50,31.12.1999 00:00:00,off\n"
                                            "9,c,\"z\",,NULL,\n"
                                            "10,d,x,1.005,,\n"
                                            "11,e,x,1e3,,\n"
                                            "12,f,x,,29.2.2025 00:00:00,\n"
                                            "13,g,x,,1.2.2026 03:04,\n"
                                            "14,h,x,,,maybe\n"
                                            "15,1234567890123456789012345678901234567890x,x,,,\n"
                                            "16,éééééééééééééééééééééééééééééééééééééééé,x,,,\n");
  CHECK(finished.exit_status == 1);
  check_holds(finished.output,
              {"data.csv:5: PurchaseCost: '1.005': Decimal: a number of at most 2 digits after the point is expected\n",
               "data.csv:7: PurchaseDate: '29.2.2025 00:00:00': a date such as 31.12.2026 23:59:58 is expected\n",
               "data.csv:8: PurchaseDate: '1.2.2026 03:04': a date such as",
               "data.csv:9: IsFrozen: 'maybe': Boolean: true, false or a flag such as Y and N is expected\n",
               "data.csv:10: AssetRef: ", "text of at most 40 characters is expected\n"});
  CHECK(desk.rows(Sql("SELECT printf('%s|%s|%s|%s|%s|%s', Ref, AssetRef, Name, PurchaseCost, PurchaseDate, IsFrozen) "
                      "FROM asset ORDER BY Ref")) ==
        "7|STRAßE É| x |9007199254740993|1769909645000|1\n"
        "8|B|y|-50|946593000000|0\n"
        "9|C|z|||0\n"
        "11|E|x|100000||0\n"
        "16|ÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉÉ|x|||0\n");
}

TEST_CASE("long numbers are exact, and moments may name their zone") {
  const ImportDesk desk;
  const Finished finished = desk.import_csv(R"(return import {
      zone = "-02:00",
      record "knowledge" { Ref = "ref", Title = "title", Views = "views", ReviewDate = "date",
                           CreatedDate = "date", RecordVersion = always(5) } })",
                                            "ref,title,views,date\n"
                                            "1,a,9223372036854775807,2026-01-01T00:00:00\n"
                                            "2,b,-9007199254740993,2026-01-01T00:00:00+01:00\n"
                                            "3,c,,2026-01-01\n"
                                            "4,d,9223372036854775808,\n"
                                            "5,e,,\n"
                                            "6,f,1.0,\n");
  CHECK(finished.exit_status == 1);
  check_holds(finished.output, {"data.csv:5: Views: '9223372036854775808': Long: a number in range is expected\n"});
  CHECK(desk.rows(
            Sql("SELECT printf('%s|%s|%s|%s', Ref, Views, ReviewDate, RecordVersion) FROM knowledge ORDER BY Ref")) ==
        "1|9223372036854775807|1767232800000|5\n2|-9007199254740993|1767222000000|5\n3|0|1767232800000|5\n5|0||5\n"
        "6|1||5\n");
  CHECK(desk.rows(Sql("SELECT count(*) FROM knowledge WHERE CreatedDate = ReviewDate")) == "3\n");
  CHECK(desk.rows(Sql("SELECT count(*) FROM knowledge WHERE CreatedDate > 1767232800000 AND CreatedDate = UpdatedDate "
                      "AND length(Id) = 36")) == "2\n");
}

TEST_CASE("every word of a map, and what functions see") {
  const ImportDesk desk;
  const Finished finished = desk.import_csv(R"(return import {
      dates = "%Y-%m-%d", null = "?", group_by = "ref",
      record "incident" {
        Ref = "ref", UserId = always "12", Name = join(" / ", "a", "b"), CallRef = join("-", "b"),
        Checkbox1 = one_of("a", { x = true, y = false, ["?"] = true }), Number1 = position, Number2 = always(2.5),
        ClockStopped = function(row, rows, position) return position == #rows and row.b == nil end,
        DueDate = function(row) return row.day end,
        Time1 = function(row) return datetime.parse "2026-01-01T00:00:00Z" end,
        CustomString1 = function(row, rows, position)
          return position .. " of " .. #rows .. " after " .. (rows[1].a or "nothing")
        end,
        CustomString2 = function() return 12.5 end, CustomString3 = function() return true end,
        CustomString4 = function() return "" end, ClockStoppedDate = "day", Breached = always(true),
      },
      rows "call-history" { TicketId = parent, Order = position, Description = "a", ActionTitle = always "Import" },
      rows "attachment" { EntityRef = parent, EntityType = always "call", Name = "a" },
    })",
                                            "ref,a,b,day\n1,x,l,2026-1-2\n1,y,?,2026-01-03\n2,?,m,\n");
  INFO(finished.output);
  CHECK(finished.exit_status == 1);
  check_holds(finished.output, {"data.csv:4: Name must not be empty\n", "1 row rejected"});
  CHECK(desk.rows(Sql("SELECT printf('%s|%s|%s|%s|%s|%s|%s|%s', Ref, \"User\", Name, CallRef, Checkbox1, CAST(Number1 "
                      "* 10 AS INTEGER), "
                      "Number2, "
                      "ClockStopped) FROM call")) == "1|12|y||N|20|2.5|1\n");
  CHECK(desk.rows(
            Sql("SELECT printf('%s|%s|%s|%s|%s|%s|%s|%s', DueDate, Time1, CustomString1, CustomString2, CustomString3, "
                "CustomString4, ClockStoppedDate, Breached) FROM call")) ==
        "1767398400000|1767225600000|2 of 2 after x|12.5|true||1767398400000|1\n");
  CHECK(desk.rows(Sql("SELECT printf('%s|%s|%s|%s|%s', TicketId, \"Order\", Description, ActionTitle, IsPublic) "
                      "FROM call_history ORDER BY \"Order\"")) == "1|1|x|Import|1\n1|2|y|Import|1\n");
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', EntityRef, Name) FROM attachment ORDER BY Ref")) == "1|x\n1|y\n");
}

TEST_CASE("JSON lines, and the form of a file by its name") {
  const ImportDesk desk;
  desk.write("map.lua", R"(return import { group_by = "ref",
                           record "location" { Ref = "ref", Name = "name", City = "city", Country = "land" } })");
  desk.write("data.JSONL",
             "\xEF\xBB\xBF{\"ref\": 1, \"name\": \"a,\\\"b\\u00e9\", \"city\": null}\r\n"
             "\n"
             "{\"name\": \"second\", \"ref\": \"2\", \"city\": \"Ulm\", \"other\": true}\n"
             "{\"ref\": 3, \"name\": [1]}\n"
             "{\"ref\": 3, \"name\": \"good\"}\n"
             "[1]\n"
             "{\"ref\": 4, \"name\": 12.50}\n"
             "{\"ref\": 5,\n"
             "{\"name\": \"nobody\"}");
  const Finished finished = desk.import("data.JSONL");
  CHECK(finished.exit_status == 1);
  check_holds(finished.output, {"data.JSONL:4: name is an array, which no cell can hold (all 2 rows of 3 left out)\n",
                                "data.JSONL:6: the line is no JSON object; its group cannot be told\n",
                                "data.JSONL:8: ", "data.JSONL:9: ref is empty, so the row belongs to no group\n",
                                "3 location records imported, 5 rows rejected"});
  CHECK(desk.rows(Sql("SELECT printf('%s|%s|%s', Ref, Name, City) FROM location ORDER BY Ref")) ==
        "1|a,\"bé|\n2|second|Ulm\n4|12.50|\n");
  CHECK(desk.content("data.JSONL.rejected") ==
        "{\"ref\": 3, \"name\": [1]}\n{\"ref\": 3, \"name\": \"good\"}\n[1]\n{\"ref\": 5,\n{\"name\": \"nobody\"}\n");
  desk.write("data.JSONL.rejected.rejected", "{\"ref\": 3, \"name\": \"mended\"}\n");
  CHECK(desk.import("data.JSONL.rejected.rejected").exit_status == 0);
}

TEST_CASE("a bad cell drives no terminal, and what is wrong with it is told to the end") {
  const ImportDesk desk;
  const std::string csv = "id,flag\n1,\x1b[2J\n2,\xC2\x9B\x33\x31m\n3,a" + std::string(1, '\0') + "b\n4,\"x\ny\"\n";
  const Finished finished = desk.import_csv(
      "return import { record 'configuration-item' { AssetRef = 'id', Name = 'id', IsFrozen = 'flag' } }", csv);
  CHECK(finished.exit_status == 1);
  const std::string wrong = "': Boolean: true, false or a flag such as Y and N is expected\n";
  check_holds(finished.output,
              {"data.csv:2: IsFrozen: '\\u001b[2J" + wrong, "data.csv:3: IsFrozen: '\\u009b31m" + wrong,
               "data.csv:4: IsFrozen: 'a\\u0000b" + wrong, "data.csv:5: IsFrozen: 'x\\ny" + wrong});
}

TEST_CASE("a whole number is whole however it is spelled, and no other is") {
  struct Spelling {
    const char* text;
    const char* whole;    // empty: refused as Long
    const char* decimal;  // empty: refused as a Decimal of two places, else hundredths
  };
  const std::vector<Spelling> spellings{{"3.0", "3", "300"},
                                        {"3e0", "3", "300"},
                                        {"12.000", "12", "1200"},
                                        {"1e2", "100", "10000"},
                                        {"1E+2", "100", "10000"},
                                        {"250e-1", "25", "2500"},
                                        {"9007199254740993.0", "9007199254740993", "900719925474099300"},
                                        {"-9007199254740993e0", "-9007199254740993", "-900719925474099300"},
                                        {"0.0", "0", "0"},
                                        {"3.5", "", "350"},
                                        {"1e-2", "", "1"},
                                        {"1e-3", "", ""},
                                        {"1e30", "", ""},
                                        {"9223372036854775808.0", "", ""}};
  for (const bool is_csv : {true, false})
    for (const bool is_decimal : {false, true}) {
      const ImportDesk desk;
      std::string text = is_csv ? "ref,n\n" : "", expected;
      std::size_t ref = 0, refused = 0;
      for (const Spelling& spelling : spellings) {
        const std::string number = std::to_string(++ref), stored = is_decimal ? spelling.decimal : spelling.whole;
        refused += stored.empty() ? 1 : 0;
        if (!stored.empty()) expected += number + "|" + stored + "\n";
        text +=
            is_csv ? number + "," + spelling.text + "\n" : "{\"ref\":" + number + ".0,\"n\":" + spelling.text + "}\n";
      }
      const std::string entity =
          is_decimal
              ? R"("configuration-item" { AssetRef = "ref", Name = "ref", PurchaseCost = "n", Partition = always(1), )"
              : R"("knowledge" { Title = "ref", Views = "n", )";
      const Finished finished =
          desk.import_csv(std::string("return import { format = \"") + (is_csv ? "csv" : "jsonl") + "\", record " +
                              entity + "Ref = \"ref\" } }",
                          text);
      INFO(finished.output);
      check_holds(finished.output, {std::to_string(refused) + " rows rejected"});
      CHECK(desk.rows(is_decimal ? Sql("SELECT printf('%s|%s', Ref, PurchaseCost) FROM asset ORDER BY Ref")
                                 : Sql("SELECT printf('%s|%s', Ref, Views) FROM knowledge ORDER BY Ref")) == expected);
    }
}

TEST_CASE("a column that the map does not name rejects nothing, whatever it holds") {
  const ImportDesk desk;
  std::string deep = "1";
  for (int i = 0; i < 200; ++i) deep = i % 2 == 0 ? "[" + deep + "]" : "{\"x\":" + deep + "}";
  std::string wide = "[0";
  for (int i = 0; i < 5000; ++i) wide += "," + std::to_string(i);
  const std::vector<std::string> members{R"("tags":["x"])",
                                         R"("via":{"channel":"email"})",
                                         R"("fields":[{"id":360001,"value":null}])",
                                         R"("deep":)" + deep,
                                         R"("wide":)" + wide + "]",
                                         R"("twice":{"a":1,"a":2})",
                                         R"("x":1,"x":[2],"x":"3")",
                                         R"("huge":1e300,"long":)" + std::string(300, '9'),
                                         R"("half":"\udc00")",
                                         R"("\udc00":1)",
                                         R"("nul":"\u0000")",
                                         R"("":{"":[]})"};
  std::string text, expected;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    text += "{" + members[i] + ",\"id\":" + number + ",\"name\":\"n" + number + "\"," + members[i] + "}\n";
    expected += number + "|n" + number + "\n";
  }
  desk.write("map.lua", R"(return import { record "location" { Ref = "id", Name = "name" } })")
      .write("data.jsonl", text);
  const Finished finished = desk.import("data.jsonl");
  INFO(finished.output);
  CHECK(finished.exit_status == 0);
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', Ref, Name) FROM location ORDER BY Ref")) == expected);

  const Finished csv = desk.import_csv(
      R"(return import { record "location" { Ref = "id", Name = function(row) return row.Labels end } })",
      "id,Labels,Labels,,,\xFC,\xFC\n50,first,second,,x,\xFC,\n");
  INFO(csv.output);
  CHECK(csv.exit_status == 0);
  CHECK(desk.rows(Sql("SELECT Name FROM location WHERE Ref = 50")) == "first\n");
}

TEST_CASE("in a column that the map names, the same is told") {
  const ImportDesk desk;
  desk.write("map.lua", R"(return import { record "location" { Ref = "id", Name = "name" } })");
  for (const auto& [line, problem] : std::vector<std::pair<std::string, std::string>>{
           {R"({"id":1,"name":["x"]})", "name is an array, which no cell can hold"},
           {R"({"id":1,"name":{"a":[{}]}})", "name is an object, which no cell can hold"},
           {R"({"id":1,"name":"a","name":"b"})", "The name 'name' occurs twice in one object."},
           {R"({"id":1,"name":"\udc00"})", "A surrogate stands alone"}}) {
    desk.write("data.jsonl", line + "\n");
    check_holds(desk.import("data.jsonl").output, {"data.jsonl:1: ", problem, "1 row rejected"});
  }
  check_holds(desk.import_csv(R"(return import { record "location" { Name = "n" } })", "n,x,n\na,b,c\n").output,
              {"data.csv: the column 'n' occurs twice in the header"});
}

TEST_CASE("a separator is told by the map or by the file") {
  const ImportDesk desk;
  const std::string map = R"(record "location" { Ref = "id", Name = "na;me" } })";
  CHECK(desk.import_csv("return import { separator = \";\", " + map, "id;\"na;me\"\n1;\"a;b\"\n2;c,d\n").exit_status ==
        0);
  CHECK(desk.import_csv("return import { separator = \"\\t\", " + map, "id\tna;me\n3\te\n").exit_status == 0);
  CHECK(desk.import_csv("return import { " + map, "\xEF\xBB\xBFsep=|\r\nid|na;me\r\n4|f\r\n5|g|h\r\n")
            .output.find("data.csv:4: the row has 3 cells, the header 2") != std::string::npos);
  CHECK(desk.import_csv("return import { " + map, "\r\n\n\nid,na;me\n6,i\n").exit_status == 0);
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', Ref, Name) FROM location ORDER BY Ref")) ==
        "1|a;b\n2|c,d\n3|e\n4|f\n6|i\n");
  for (const char* wrong : {"\"\\\"\"", "\";;\"", "\"a\"", "\" \"", "\"\\n\""})
    check_holds(desk.import_csv("return import { separator = " + std::string(wrong) + ", " + map, "id,na;me\n").output,
                {"map.lua:1: separator must be one character"});
}

TEST_CASE("a file of another kind is called what it is") {
  const ImportDesk desk;
  const std::string map =
      R"(return import { format = "?", record "location" { Name = "Issue key", City = "Summary" } })";
  struct Kind {
    const char* format;
    std::string content, told;
  };
  using namespace std::string_literals;
  for (const auto& [format, content, told] :
       std::vector<Kind>{{"csv", "Issue key;Summary\n1;a\n", "say separator = \";\" in the map"},
                         {"csv", "\"Issue key\"\t\"Summary\"\n1\ta\n", "say separator = \"\\t\" in the map"},
                         {"csv", "Issue key|Summary\n1|a\n", "say separator = \"|\" in the map"},
                         {"csv", "sep=;\nIssue key,Summary\n", "say separator = \",\" in the map"},
                         {"csv", "PK\x03\x04\x14\0\x06\0"s, "zip archive, as workbooks (.xlsx, .ods) are"},
                         {"csv", "\xD0\xCF\x11\xE0\xA1\xB1"s, "workbook of an old spreadsheet program"},
                         {"csv", "\xFF\xFEI\0s\0s\0"s, "the file is UTF-16; save it as UTF-8"},
                         {"csv", "\xFE\xFF\0I\0s\0s"s, "the file is UTF-16; save it as UTF-8"},
                         {"csv", "\xFF\xFE\0\0I\0\0\0"s, "the file is UTF-32; save it as UTF-8"},
                         {"csv", "I\0s\0s\0u\0e\0"s, "the first line has NUL characters, as UTF-16"},
                         {"csv", "Issue key,Summ\xE4ry\n"s, "the header is not UTF-8 text; save the file as UTF-8"},
                         {"csv", "[{\"Issue key\":1}]", "looks like JSON; say format = \"jsonl\""},
                         {"jsonl", "[\n  {\"Issue key\":1},\n  {\"Issue key\":2}\n]\n",
                          "the file is a JSON array; write an object on each line"},
                         {"jsonl", "{\n  \"Issue key\": 1\n}\n", "an object spans several lines"},
                         {"csv", "Key,Summary\n1,a\n", "the file has no column 'Issue key'"}}) {
    std::string of_format = map;
    of_format.replace(of_format.find('?'), 1, format);
    const Finished finished = desk.import_csv(of_format, content);
    INFO(content << " -> " << finished.output);
    CHECK(finished.exit_status == 1);
    check_holds(finished.output, {told});
  }
}
