// Pages in the order of a lookup, or of what it leads to (decision 0045): what they hold, and in which order, is what
// all rows at once have, however many values are equal, missing, deleted or null.
#include "large_desk.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using namespace callisto;
using namespace callisto::tests;

// Names that are equal but for case and accents, none, a group that is deleted, and lookups that lead nowhere.
const std::string strange = R"(
UPDATE "group" SET "Name" = 'Équipe' WHERE "Ref" = 1;
UPDATE "group" SET "Name" = 'ÉQUIPE' WHERE "Ref" = 4;
UPDATE "group" SET "Name" = NULL WHERE "Ref" = 5;
UPDATE "group" SET "IsDeleted" = 1 WHERE "Ref" = 6;
UPDATE "person" SET "Name" = 'Twin' WHERE "Ref" IN (3, 4, 20, 21, 22);
UPDATE "person" SET "IsVip" = 1 WHERE "Ref" IN (20, 23, 25);
UPDATE "call" SET "Group" = 777 WHERE "Ref" % 19 = 0;
UPDATE "call" SET "Priority" = NULL WHERE "Ref" % 23 = 0;
UPDATE "call" SET "User" = 999999 WHERE "Ref" % 29 = 0;
)";

// The url of the next page below the root; empty where there is none.
std::string next_of(const json::Node& page) {
  const json::Node* links = page.find("_links");
  if (!links) return {};
  return "v1/" + text_of(links->find("Next")->items().front(), "_self").substr(std::string("api:v1/").size());
}

// Pages follow each other to the last of `all`, or of its first `most`.
void check_walk(const Client& client, const Query& first, const Refs& all, std::size_t most) {
  Refs walked;
  for (json::Node page = client.get_json("v1/call", first);;) {
    for (std::string& ref : refs_of(page)) walked.push_back(std::move(ref));
    const std::string next = next_of(page);
    if (next.empty() || walked.size() >= most) break;
    page = client.get_json(next);
  }
  CHECK(walked == part(all, 0, walked.size()));
  CHECK(walked.size() >= std::min(all.size(), most));
}

}  // namespace

TEST_CASE("pages in the order of a lookup are those of all rows at once") {
  const LargeDesk desk(strange);
  constexpr const char* filters[] = {"",
                                     "Impact == 2",
                                     "State == 2",
                                     "State == 2 && !Breached",
                                     "Group != 2",
                                     "Group == null",
                                     "Urgency == 1 && Priority == null"};
  constexpr const char* orders[] = {"Group.Name",
                                    "Group.Name desc",
                                    "Group",
                                    "Group desc, Ref desc",
                                    "Priority.Name",
                                    "User.Name desc",
                                    "User.IsVip",
                                    "User.Organization desc",
                                    "Analyst.Name, DueDate desc",
                                    "Type.Name desc, Ref desc",
                                    "State.Name",
                                    "User.Organization.Name",
                                    "Group.Name, User.Name desc, Type"};
  for (const char* login : {"admin", "analyst", "user"}) {
    const Client client = desk.client(login);
    for (const std::string filter : filters)
      for (const std::string order : orders) {
        INFO(login << ": " << filter << " by " << order);
        const Refs all = refs_of(client.get_json("v1/call", asked(filter, order, "100000")));
        check_walk(client, asked(filter, order, "7"), all, 20);
        Query later = asked(filter, order, "9");
        later.emplace_back("$skip", "11");
        CHECK(refs_of(client.get_json("v1/call", later)) == part(all, 11, 9));
      }
    for (const std::string order : {"Group.Name", "Priority.Name desc", "User.Name"}) {
      INFO(login << " walks all by " << order);
      const Refs all = refs_of(client.get_json("v1/call", asked("State == 2", order, "100000")));
      check_walk(client, asked("State == 2", order, "900"), all, all.size());
    }
  }
}

TEST_CASE("values of a lookup are gone through where that finds the page soon") {
  const LargeDesk desk(strange);
  const Client client = desk.client("admin");
  for (const char* order : {"Group.Name", "Group desc", "User.Name", "Analyst.Name desc", "Type.Name"})
    CHECK(chosen(client, "call", "", order) == "by lookup");
}

TEST_CASE("values of a lookup are not gone through where something else is sooner", "[sqlite]") {
  const LargeDesk desk(strange);
  const Client client = desk.client("admin");
  CHECK(chosen(client, "call", "State == 2", "Priority.Name") == "by lookup");        // behind the state in an index
  CHECK(chosen(client, "call", "State == 2", "Priority, LoggedDate") == "in order");  // one walk has all of it
  CHECK(chosen(client, "call", "", "Priority.Name") == "in order");                   // no index begins with it
  CHECK(chosen(client, "call", "State == 0", "Group.Name") == "in order");            // few are sorted
  CHECK(chosen(client, "call", "Group == 1", "Group.Name") == "sorted");              // the value is given
  CHECK(chosen(client, "call", "User.Name == \"Twin\"", "Group.Name") == "in order");
  CHECK(chosen(client, "call", "", "User.Organization.Name") == "in order");
  CHECK(chosen(client, "call", "CallRef == \"none\"", "Group.Name") == "in order");
  // What nothing has is not looked for value by value.
  CHECK(chosen(client, "call", "Impact == 77", "Group.Name") == "in order");
}
