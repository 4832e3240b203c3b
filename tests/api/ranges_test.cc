// What lies between two moments (decision 0045): pages, counts and groups of it are those of all rows, also where a
// walk is begun and given up for it, which PostgreSQL counts by the time that it takes.
#include "large_desk.h"

#include <catch2/catch.hpp>

#include <map>

namespace {

using namespace callisto;
using namespace callisto::tests;

// Dates of three years in no order of the keys, and long texts, past which a walk takes its time: one in a hundred
// holds what is looked for, which is too short for an index.
std::string dated() {
  const std::string long_text(3000, 'x');
  const std::string moment = R"((1700000000000 + "Ref" * 7919 % 1000003 * 90000))";
  return R"(UPDATE "call" SET "LoggedDate" = )" + moment + R"(, "UpdatedDate" = )" + moment +
         R"( + 86400000, "DueDate" = )" + moment + R"( + 5000 * ("Ref" % 77), "Description" = ')" + long_text +
         R"(' || CASE WHEN "Ref" % 97 = 0 THEN 'qz' ELSE 'q' END;)";
}

constexpr const char* all_of_it = "LoggedDate > @DateTime(2020-01-01T00:00:00Z)";
constexpr const char* little =
    "LoggedDate >= @DateTime(2024-05-01T00:00:00Z) && LoggedDate < @DateTime(2024-05-20T00:00:00Z)";

void check_pages(const Client& client, const std::string& filter, const std::string& order) {
  const Refs all = refs_of(client.get_json("v1/call", asked(filter, order, "100000")));
  for (const char* top : {"7", "30", "300"}) {
    INFO(filter << " by " << order << ", " << top);
    CHECK(refs_of(client.get_json("v1/call", asked(filter, order, top))) == part(all, 0, std::stoul(top)));
    Query counted = asked(filter, order, top);
    counted.emplace_back("$inlinecount", "true");
    const json::Node page = client.get_json("v1/call", counted);
    CHECK(refs_of(page) == part(all, 0, std::stoul(top)));
    CHECK(text_of(page, "__count") == std::to_string(all.size()));
  }
}

}  // namespace

TEST_CASE("pages of a range are those of all rows, whatever is asked beside it and in whatever order") {
  const LargeDesk desk({}, dated());
  for (const char* login : {"admin", "analyst", "user"}) {
    const Client client = desk.client(login);
    for (const std::string& range : {std::string(all_of_it), std::string(little)})
      for (const char* beside : {"", " && Description.Contains(\"qz\")", " && Impact == 2", " && Analyst == null"})
        for (const char* order : {"Ref", "Ref desc", "DueDate", "UpdatedDate desc", "LoggedDate", "Group.Name",
                                  "CallRef", "Priority desc"}) {
          INFO(login);
          check_pages(client, range + beside, order);
        }
  }
}

TEST_CASE("groups of a range hold what its rows do") {
  const LargeDesk desk({}, dated());
  const Client client = desk.client("admin");
  for (const std::string& filter :
       {std::string(all_of_it) + " && Group in (1, 2, 3)", std::string(little) + " && Group != 2"}) {
    std::map<std::string, int> rows;
    const Query all{{"$filter", filter}, {"$top", "100000"}, {"$select", "Status"}};
    const json::Node found = client.get_json("v1/call", all);
    for (const json::Node& row : found.find("results")->items()) ++rows[text_of(row, "Status")];
    std::map<std::string, int> grouped;
    const json::Node groups = client.get_json("v1/call", {{"$filter", filter}, {"$groupby", "Status"}});
    for (const json::Node& row : groups.find("results")->items())
      grouped[text_of(row, "Status")] = std::stoi(text_of(row, "__count"));
    CHECK(grouped == rows);
  }
}

TEST_CASE("both ends of a range are counted together, and rows of history are found by theirs", "[sqlite]") {
  const LargeDesk desk({}, dated());
  const Client client = desk.client("admin");
  CHECK(chosen(client, "call", little, "DueDate") == "sorted");
  CHECK(chosen(client, "call", all_of_it, "DueDate") == "in order");
  CHECK(chosen(client, "call-history", "Date > @DateTime(2020-01-01T00:00:00Z)", "TicketId") == "sorted");
  CHECK(chosen(client, "call-history", "TicketId == 5 && Date > @DateTime(2020-01-01T00:00:00Z)", "Date") == "sorted");
}
