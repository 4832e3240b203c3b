// find_or_create: which record is found, what is made, what becomes of keys.
#include "import_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

void succeed(const Finished& finished, const std::string& summary) {
  INFO(finished.output);
  CHECK(finished.exit_status == 0);
  CHECK(finished.output == summary + ", 0 rows rejected\n");
}

}  // namespace

TEST_CASE("records are found by several properties, ignoring case, null like null") {
  const ImportDesk desk;
  succeed(desk.import_csv(
              "return import { record 'location' { Ref = 'ref', Name = 'name', City = 'city', IsDeleted = 'gone' } }",
              "ref,name,city,gone\n9,Hall,Ulm,\n4,hall,ULM,N\n2,Hall,Ulm,Y\n3,Hall,,\n1,Hall,Bonn,\n"),
          "5 location records imported");
  succeed(desk.import_csv(
              R"(return import {
            record "person" {
              Ref = "ref", LastName = "ref",
              Location = find_or_create "location" { by = { "Name", "City" }, Name = "name", City = "city", Country = "land" },
            } })",
              "ref,name,city,land\n1,HALL,ulm,x\n2,Hall,,x\n3,Hall,Rome,y\n4,hALL,rOME,z\n5,,Ulm,x\n6,Hall,Bonn,x\n"),
          "6 person records, 1 location record imported");
  // The lowest Ref that is not deleted; one made and used again; nothing for a null.
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', Ref, Location) FROM person ORDER BY Ref")) ==
        "1|4\n2|3\n3|10\n4|10\n5|\n6|1\n");
  CHECK(desk.rows(Sql("SELECT printf('%s|%s|%s', Name, City, Country) FROM location WHERE Ref = 10")) ==
        "Hall|Rome|y\n");
}

TEST_CASE("a Ref that is taken is replaced, unless it is what is looked for") {
  const ImportDesk desk;
  succeed(desk.import_csv("return import { record 'call-priority' { Ref = 'ref', Name = 'name' } }",
                          "ref,name\n1,High\n3,Low\n"),
          "2 call-priority records imported");
  succeed(desk.import_csv(R"(return import {
            record "incident" {
              Ref = "ref",
              Priority = find_or_create "call-priority" { by = "Name", Ref = "number", Name = "name" },
              State = find_or_create "call-state" { by = "Ref", Ref = "state", Name = join(" ", "state") },
            } })",
                          "ref,number,name,state\n1,1,Urgent,7\n2,2,low,7\n3,2,Medium,0\n4,x,urgent,7\n"),
          "4 incident records, 2 call-priority records, 2 call-state records imported");
  CHECK(desk.rows(Sql("SELECT printf('%s|%s|%s', Ref, Priority, State) FROM call ORDER BY Ref")) ==
        "1|4|7\n2|3|7\n3|2|0\n4|4|7\n");
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', Ref, Name) FROM call_priority ORDER BY Ref")) ==
        "1|High\n2|Medium\n3|Low\n4|Urgent\n");
}

TEST_CASE("lookups within lookups are made once, and not for groups that are left out") {
  const ImportDesk desk;
  desk.write("map.lua", R"(
    local place = find_or_create "location" { by = "Name", Name = "place" }
    local firm = find_or_create "service" { by = { "Name", "Location" }, Name = "firm", Location = place, AssetRef = "firm" }
    local function person(column)
      return find_or_create "person" { by = { "Name", "Location" }, Name = column, LastName = column, Location = place }
    end
    return import {
      group_by = "ref",
      record "incident" { Ref = "ref", User = person "user", Analyst = person "analyst", Service = firm,
                          Number1 = "number" },
      rows "call-history" { TicketId = parent, Order = position, Analyst = person "analyst" },
    })");
  desk.write("data.csv",
             "ref,user,analyst,firm,place,number\n"
             "1,Ann,Bob,Acme,Ulm,1\n"
             "2,Eve,Eve,Evil,Hell,none\n"
             "1,ann,BOB,ACME,ulm,1\n"
             "3,Ann,Ann,Acme,Bonn,1\n"
             "4,Ann,Eve,,Ulm,1\n");
  const Finished finished = desk.import("data.csv");
  CHECK(finished.exit_status == 1);
  check_holds(finished.output, {"data.csv:3: Number1: 'none': Double: a number is expected\n",
                                "3 incident records, 4 call-history records, 2 location records, 4 person records, 2 "
                                "service records imported, 1 row rejected\n"});
  CHECK(desk.rows(Sql("SELECT Name FROM person ORDER BY Ref")) == "BOB\nann\nAnn\nEve\n");
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', Name, Location) FROM asset ORDER BY Ref")) == "ACME|1\nAcme|2\n");
  CHECK(desk.rows(Sql("SELECT Name FROM location ORDER BY Ref")) == "ulm\nBonn\n");
}

TEST_CASE("what a refused group made is not there for the next") {
  const ImportDesk desk;
  const Finished finished = desk.import_csv(
      "return import { record 'incident' { Ref = 'ref', Location = find_or_create 'location' { by = 'Name', Name = "
      "'place' } } }",
      "ref,place\n1,Ulm\n2,Bonn\n1,Rome\n3,Rome\n2,Hell\n4,Ulm\n");
  CHECK(finished.exit_status == 1);
  check_holds(finished.output, {"data.csv:4: there is a record with Ref 1 in call already\n",
                                "data.csv:6: there is a record with Ref 2 in call already\n",
                                "4 incident records, 3 location records imported, 2 rows rejected\n"});
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', call.Ref, location.Name) FROM call "
                      "JOIN location ON location.Ref = Location ORDER BY call.Ref")) ==
        "1|Ulm\n2|Bonn\n3|Rome\n4|Ulm\n");
  CHECK(desk.rows(Sql("SELECT Name FROM location ORDER BY Ref")) == "Ulm\nBonn\nRome\n");
}

TEST_CASE("two that look up the same are given different keys within one group") {
  const ImportDesk desk;
  succeed(
      desk.import_csv("return import { record 'call-priority' { Ref = 'ref', Name = 'name' } }", "ref,name\n1,High\n"),
      "1 call-priority record imported");
  // The first takes 2, since 1 is taken; the second wanted 2.
  succeed(desk.import_csv(R"(return import {
            group_by = "ref",
            record "incident" { Ref = "ref" },
            rows "problem" {
              ShortDescription = "name",
              Priority = find_or_create "call-priority" { by = "Name", Ref = "number", Name = "name" },
            },
          })",
                          "ref,number,name\n1,1,Urgent\n1,2,Low\n"),
          "1 incident record, 2 problem records, 2 call-priority records imported");
  CHECK(desk.rows(Sql("SELECT printf('%s|%s', Ref, Name) FROM call_priority ORDER BY Ref")) ==
        "1|High\n2|Urgent\n3|Low\n");
}

TEST_CASE("find_or_create finds what a capitalised property made of the same text") {
  const ImportDesk desk;
  const Finished finished =
      desk.import_csv(R"(return import { record "incident" { ShortDescription = "s", ConfigurationItem =
      find_or_create "configuration-item" { by = "AssetRef", AssetRef = "a", Name = "a", Partition = always(1) } } })",
                      "s,a\n1,\u0131s\u0131\n2,\u0131s\u0131\n3,ISI\n4,isi\n");
  check_holds(finished.output, {"4 incident records, 1 configuration-item record imported"});
  const Finished again =
      desk.import_csv(R"(return import { record "incident" { ShortDescription = "s", ConfigurationItem =
      find_or_create "configuration-item" { by = "AssetRef", AssetRef = "a", Name = "a", Partition = always(1) } } })",
                      "s,a\n5,\u0131s\u0131\n");
  check_holds(again.output, {"1 incident record, 0 configuration-item records imported"});
}
