// Rows of one type, of which indexes have a number alone (decision 0045): counts, groups and pages are those of all
// rows that are of the type, whoever asks.
#include "large_desk.h"

#include <catch2/catch.hpp>

#include <map>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;

// Types, states and dates that have nothing to do with one another.
const std::string mixed =
    R"(UPDATE "call" SET "RecordType" = CASE "Ref" % 7 WHEN 0 THEN 'problem' WHEN 1 THEN 'service-request'
    WHEN 2 THEN 'service-request' ELSE 'incident' END, "State" = 1 + "Ref" % 5, "Group" = 1 + "Ref" % 4,
    "Breached" = CASE WHEN "Ref" % 11 = 0 THEN 1 ELSE 0 END,
    "UpdatedDate" = 1700000000000 + "Ref" * 7919 % 1000003 * 90000;)";

const char* const filters[] = {"Group == 2",
                               "Breached",
                               "@IsOpen",
                               "State == 1 && Breached",
                               "Group == 2 && State in (1, 3)",
                               "UpdatedDate > @DateTime(2024-05-01T00:00:00Z)",
                               "Group == 3 && UpdatedDate > @DateTime(2024-05-01T00:00:00Z)",
                               "Priority == 2",
                               "Priority in (1, 2) && Analyst != null",
                               "User.IsVip && Group == 1",
                               "ShortDescription.Contains(\"print\")",
                               "Impact == 2 && !Breached",
                               "Ref > 0"};

// What is below a record that the session does not see, of which it has the bare key at most, is null.
std::string value_of(const json::Node& row, const std::string& path) {
  const auto dot = path.find('.');
  if (dot == path.npos) return text_of(row, path);
  const json::Node* record = row.find(path.substr(0, dot));
  return record && record->kind() == json::Node::Kind::Object ? text_of(*record, path.substr(dot + 1)) : "null";
}

std::map<std::string, int> groups_of_rows(const Client& client, const std::string& entity, const std::string& filter,
                                          const std::string& by) {
  std::map<std::string, int> groups;
  const json::Node all =
      client.get_json("v1/" + entity, {{"$filter", filter}, {"$top", "100000"}, {"$select", "Ref," + by}});
  for (const json::Node& row : all.find("results")->items()) ++groups[value_of(row, by)];
  return groups;
}

std::map<std::string, int> grouped(const Client& client, const std::string& entity, const std::string& filter,
                                   const std::string& by) {
  std::map<std::string, int> groups;
  const json::Node found = client.get_json("v1/" + entity, {{"$filter", filter}, {"$groupby", by}, {"$top", "1000"}});
  for (const json::Node& row : found.find("results")->items())
    groups[value_of(row, by)] += std::stoi(text_of(row, "__count"));
  return groups;
}

}  // namespace

TEST_CASE("what is counted of a type are its rows") {
  const LargeDesk desk({}, mixed);
  for (const char* login : {"admin", "analyst", "user"}) {
    const Client client = desk.client(login);
    for (const char* type : {"incident", "problem", "service-request"})
      for (const std::string filter : filters) {
        INFO(login << ": " << type << ", " << filter);
        const std::string of_all = "RecordType == \"" + std::string(type) + "\" && " + filter;
        const Refs rows = refs_of(client.get_json("v1/call", asked(of_all, "Ref", "100000")));
        CHECK(client.get("v1/" + std::string(type), {{"$filter", filter}, {"$count", "true"}}).body ==
              std::to_string(rows.size()));
        for (const char* order : {"Ref", "UpdatedDate desc", "State", "ShortDescription"}) {
          Query query = asked(filter, order, "30");
          query.emplace_back("$inlinecount", "true");
          const json::Node page = client.get_json("v1/" + std::string(type), query);
          CHECK(text_of(page, "__count") == std::to_string(rows.size()));
          CHECK(refs_of(page) == part(refs_of(client.get_json("v1/call", asked(of_all, order, "100000"))), 0, 30));
        }
      }
  }
}

TEST_CASE("groups of a type hold what its rows do, whatever leads to them") {
  const LargeDesk desk({}, mixed);
  for (const char* login : {"admin", "analyst", "user"}) {
    const Client client = desk.client(login);
    for (const char* entity : {"call", "incident", "problem"})
      for (const std::string filter : filters)
        for (const char* by : {"State", "Group", "Priority", "Status", "RecordType", "Analyst.Name"}) {
          INFO(login << ": " << entity << ", " << filter << " by " << by);
          CHECK(grouped(client, entity, filter, by) == groups_of_rows(client, entity, filter, by));
        }
  }
}
