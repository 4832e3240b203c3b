// Several terms through one lookup, and terms through several (decision 0045): what meets all of them is what meets
// each, on every way by which it is found.
#include "large_desk.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;

struct Asked {
  const char* entity;
  std::vector<std::string> terms;
  std::vector<std::string> orders;
  const char* key;  // what tells its rows apart
};

const Asked all_asked[] = {
    {"call",
     {"User.IsVip", "User.Name.StartsWith(\"a\")", "User.Organization == 1", "Analyst == null", "@IsOpen",
      "Group.Name.Contains(\"e\")", "ShortDescription.Contains(\"the\")", "Priority == 2"},
     {"Ref", "ShortDescription", "LoggedDate desc", "Group.Name", "State"},
     "Ref"},
    {"call-history",
     {"TicketId.State == 1", "TicketId.Group == 1", "TicketId.User.IsVip", "TicketId in (1, 2, 3, 5, 8)",
      "TicketId == 5", "Analyst.Name.StartsWith(\"a\")", "Date > @DateTime(2020-01-01T00:00:00Z)",
      "Action == \"create\""},
     {"TicketId", "Date", "Date desc", "Analyst.Name"},
     "TicketId,Order"},
};

// One text for each row.
Refs rows(const Client& client, const Asked& asked, const std::string& filter, const std::string& order,
          const std::string& top) {
  Refs found;
  Query query{{"$filter", filter}, {"$top", top}, {"$select", asked.key}};
  if (!order.empty()) query.emplace_back("$orderby", order);
  const std::string key = asked.key;
  const json::Node page = client.get_json("v1/" + std::string(asked.entity), query);
  for (const json::Node& row : page.find("results")->items()) {
    const bool has_two = key != "Ref";
    found.push_back(has_two ? text_of(row, "TicketId") + "/" + text_of(row, "Order") : text_of(row, "Ref"));
  }
  return found;
}

void check_pair(const Client& client, const Asked& asked, const std::string& one, const std::string& other) {
  const Refs of_one = rows(client, asked, one, "", "100000");
  const std::set<std::string> of_other = [&] {
    const Refs all = rows(client, asked, other, "", "100000");
    return std::set<std::string>(all.begin(), all.end());
  }();
  Refs both;
  std::copy_if(of_one.begin(), of_one.end(), std::back_inserter(both),
               [&](const std::string& row) { return of_other.count(row) != 0; });
  std::sort(both.begin(), both.end());
  const std::string filter = one + " && " + other;
  CHECK(client.get("v1/" + std::string(asked.entity), {{"$filter", filter}, {"$count", "true"}}).body ==
        std::to_string(both.size()));
  for (const std::string& order : asked.orders) {
    INFO(asked.entity << ": " << filter << " by " << order);
    Refs all = rows(client, asked, filter, order, "100000");
    CHECK(rows(client, asked, filter, order, "20") == part(all, 0, 20));
    std::sort(all.begin(), all.end());
    CHECK(all == both);
  }
}

}  // namespace

TEST_CASE("what meets two terms is what meets each of them, through whatever lookups they ask") {
  const LargeDesk desk({});
  for (const char* login : {"admin", "analyst", "user"}) {
    INFO(login);
    const Client client = desk.client(login);
    for (const Asked& asked : all_asked)
      for (std::size_t i = 0; i < asked.terms.size(); ++i)
        for (std::size_t k = i + 1; k < asked.terms.size(); ++k)
          check_pair(client, asked, asked.terms[i], asked.terms[k]);
  }
}

TEST_CASE("where no index gives the order, that is sorted which leads to the fewest rows", "[sqlite]") {
  const LargeDesk desk({});
  const Client client = desk.client("admin");
  CHECK(chosen(client, "call", "Group == 1 && User.Name.StartsWith(\"a\")", "ShortDescription") == "sorted");
  CHECK(chosen(client, "call", "Group == 1", "ShortDescription") == "in order");  // there is nothing to choose
  const Query explained{
      {"$filter", "Group == 1 && User.IsVip"}, {"$orderby", "ShortDescription"}, {"$explain", "true"}};
  CHECK(client.get_json("v1/call", explained).find("Probes")->items().size() == 2);
}
