// Maps that are wrong: every problem at once, with file and line and a way to mend it, and nothing is written.
#include "import_desk.h"

#include <catch2/catch.hpp>
#include <filesystem>

namespace {

using namespace callisto::tests;

constexpr std::string_view two = "number,text\n1,a\n2,b\n";

// What the program says to a map that it must refuse before it opens the desk.
std::string refusal_of(std::string_view map) {
  const ImportDesk desk;
  const Finished finished = desk.import_csv(map, two);
  INFO(map);
  INFO(finished.output);
  CHECK(finished.exit_status == 1);
  CHECK_FALSE(std::filesystem::exists(desk.data()));
  CHECK_FALSE(std::filesystem::exists(desk.path("data.csv.rejected")));
  return finished.output;
}

}  // namespace

TEST_CASE("a wrong map is refused with all of its problems") {
  check_holds(refusal_of(R"(return import {
  formt = "csv", null = 5,
  dates = "%d.%m",
  zone = "Vienna",
  group_by = "numbr",
  record "incident" {
    Ref = "nummer",
    ShortDescripton = "text",
    User = find_or_create "person" { by = "Nme", Name = "number", LastName = "text" },
    Analyst = find_or_create "grup" { by = "Name", Name = "number" },
    Group = find_or_create "location" { by = "Name", Name = "number" },
    CallRef = parent,
    Name = 5,
    Description = {},
    State = find_or_create "call-state" { by = "Ref", Ref = position },
    AttachmentCount = always "many",
    LastHistoryOrder = one_of("text", { a = "x" }),
    OrganizationId = "text",
    Organization = "text",
    color = "text",
    Location = import {},
    Priority = find_or_create "call-priority" { Name = "text" },
  },
  record "incident" { Ref = "number" },
  rows "call-history" { TicketId = parent },
  rows "asset" { Name = "text" },
})"),
              {"map.lua:2: unknown option 'formt' in import; did you mean 'format'?",
               "map.lua:2: 'null' of import must be a text in quotes",
               "map.lua:3: dates '%d.%m' lacks %Y",
               "map.lua:4: zone 'Vienna' is no time zone of ",
               "map.lua:5: group_by: the file has no column 'numbr'; did you mean 'number'?",
               "map.lua:7: Ref: the file has no column 'nummer'; did you mean 'number'?",
               "map.lua:8: unknown property 'ShortDescripton' in incident; did you mean 'ShortDescription'?",
               "map.lua:9: unknown property 'Nme' in 'by' of find_or_create 'person'; did you mean 'Name'?",
               "map.lua:10: unknown entity 'grup'; did you mean 'group'?",
               "map.lua:11: Group holds records of group, not of location",
               "map.lua:12: 'parent' may only be used in rows",
               "Name of record 'incident': write always(5)",
               "map.lua:14: Description of record 'incident': a table is no value",
               "map.lua:15: 'position' may not be used in find_or_create",
               "map.lua:16: AttachmentCount: 'many': Integer: a whole number is expected",
               "map.lua:17: LastHistoryOrder: 'x': Integer: a whole number is expected",
               "OrganizationId is given twice: it is a second name of Organization",
               "map.lua:20: unknown option 'color' of record 'incident'",
               "map.lua:21: Location of record 'incident': import is no value",
               "map.lua:22: find_or_create 'call-priority' needs 'by': a property, or a list of them",
               "map.lua:24: a map has exactly one record",
               "map.lua:25: call-history needs Order, which is part of its key",
               "map.lua:26: asset has no records of its own, only its children have",
               "\n25 problems, nothing was imported\n"});
}

TEST_CASE("a map that cannot be read is refused") {
  CHECK(refusal_of("local x = 1\nreturn import { recrd 'incident' { Ref = 'number' } }") ==
        "map.lua:2: unknown word 'recrd'; did you mean 'record'?\n1 problem, nothing was imported\n");
  check_holds(refusal_of("return import {\n  record 'incident' { Ref = 'number'\n  Name = 'text' } }"),
              {"map.lua:3: '}' expected (to close '{' at line 2) near 'Name'\n"});
  check_holds(refusal_of("local f = 1\nio.open('/etc/passwd')"), {"map.lua:2: 'io' is not available to scripts"});
  check_holds(refusal_of("local t = {}\nfor i = 1, 1e9 do t[i] = ('x'):rep(100000) .. i end"),
              {"map.lua: the map needs more than 32 MiB\n"});
  check_holds(refusal_of("return 5"), {"map.lua: the file must return a map: return import { ... }\n"});
  check_holds(refusal_of(""), {"map.lua: the file must return a map"});
  check_holds(refusal_of("\xff"), {"map.lua: is not UTF-8 text\n"});
}

TEST_CASE("words of a map that are used wrongly") {
  check_holds(refusal_of("return import { rows 'call-history' { TicketId = parent, Order = position } }"),
              {"map.lua: the map has no record: import { record \"name\" { ... } }\n"});
  check_holds(refusal_of("return import { record('incident', { Ref = 'number' }) }"),
              {"map.lua:1: record takes the name of an entity alone, and its properties in braces behind it"});
  check_holds(refusal_of("return import {\n  record 'incident',\n}"),
              {"map.lua:2: record 'incident' has no properties: record \"incident\" { Name = value, ... }"});
  check_holds(refusal_of("return import {\n  record 'incident' {}, 'text',\n}"),
              {"map.lua: import holds options, a record and rows; number 2 of its list is none of them"});
  check_holds(refusal_of("return import { format = 'xml', record 'incident' { 'number' } }"),
              {"map.lua:1: format must be \"csv\" or \"jsonl\"\n",
               "map.lua:1: record 'incident' holds a value without a property: write Name = value"});
  check_holds(refusal_of("return import { record 'incident' { Name = join('text') } }"),
              {"map.lua:1: join takes a separator and columns: join(\" / \", \"one\", \"two\")\n"});
  check_holds(refusal_of("reject 'no'"), {"map.lua: 'reject' can only be called for a row\n"});
}

TEST_CASE("wrong usage of import ends with 2") {
  const ImportDesk desk;
  desk.write("map.lua", "return import { record 'location' { Name = 'text' } }").write("data.csv", two);
  CHECK(run_program({"import", desk.path("data.csv")}).exit_status == 2);
  CHECK(run_program({"import", "--map", desk.path("map.lua")}).exit_status == 2);
  CHECK(desk.import("data.csv", {"--colour"}).exit_status == 2);
  CHECK(desk.import("data.csv", {"--rejected", desk.path("data.csv")}).exit_status == 2);
  CHECK(desk.import("data.csv", {"--rejected", desk.path("map.lua")}).exit_status == 2);
  CHECK(desk.content("data.csv") == two);
  CHECK_FALSE(std::filesystem::exists(desk.data()));
}
