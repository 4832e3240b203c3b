// Ordinary questions by the indexes of the entities' files: the same answer as without, and by the index that is there
// for it.
#include "desk.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Refs = std::vector<std::string>;

std::string plan_of(const Desk& desk, const std::string& entity, const std::string& filter, const std::string& order) {
  const Reply reply =
      desk.get("admin", entity, {{"$filter", filter}, {"$orderby", order}, {"$top", "5"}, {"$explain", "true"}});
  REQUIRE(reply.status == 200);
  return reply.raw;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a page is the same however it is found") {
  const Desk desk;
  const std::pair<const char*, const char*> questions[] = {
      {"@IsOpen", "DueDate"},
      {"@IsOpen", "LoggedDate desc"},
      {"@IsClosed && Priority == 2", "LoggedDate"},
      {"State in (1, 3, 4) && Group == 1", "DueDate desc"},
      {"State in (1, 1, 2)", "LoggedDate desc, CallRef"},
      {"(State == 1 || State == 2) && Priority in (1, 2, 3)", "LoggedDate desc"},
      {"Group == 1 && LoggedDate > @DateTime(2026-03-01T00:00:00Z)", "LoggedDate"},
      {"Type == 1 && UpdatedDate > @DateTime(2026-03-01T00:00:00Z)", "Ref"},
      {"Service in (1, 2, 3) && ClosedDate > @DateTime(2026-02-01T00:00:00Z)", "ClosedDate"},
      {"User.Name.StartsWith(\"m\")", "LoggedDate desc"},
      {"CallRef.StartsWith(\"inc-\")", "DueDate"},
      {"!CallRef.StartsWith(\"INC-0001\")", "DueDate"},
      {"Service == 2", "LoggedDate desc"},
      {"Type == 1", "LoggedDate"},
      {"User == 20 && LoggedDate > @DateTime(2026-01-01T00:00:00Z)", "LoggedDate"},
      {"", "Priority"},
      {"", "Priority desc, DueDate"},
      {"@IsOpen && Group == null", "LoggedDate"},
      {"@IsOpen && Group == null && Analyst == null", "DueDate"},
      {"Analyst.LastName.StartsWith(\"a\") && @IsOpen", "DueDate"},
      {"User.Organization.Name.Contains(\"a\")", "LoggedDate desc"},
      {"Priority.Name.Contains(\"i\")", "LoggedDate desc"},
      {"Priority.Name == \"none such\"", "LoggedDate desc"},
  };
  for (const char* who : {"admin", "analyst", "user"})
    for (const auto& [filter, order] : questions) {
      INFO(who << ": " << filter << " by " << order);
      const auto refs = [&, filter = filter, order = order](const char* top, const char* skip) {
        Query options{{"$orderby", order}, {"$top", top}, {"$skip", skip}};
        if (*filter != '\0') options.emplace_back("$filter", filter);
        return desk.refs(who, "call", options);
      };
      const Refs all = refs("2000", "0"), page = refs("7", "0"), later = refs("7", "3");
      const auto part = [&all](std::size_t from) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), from));
        return Refs(begin, begin + std::min<std::ptrdiff_t>(7, all.end() - begin));
      };
      CHECK(page == part(0));
      CHECK(later == part(3));
    }
}

TEST_CASE("each state of a board has its walk in the order asked for", "[sqlite]") {
  const Desk desk;
  CHECK(count_of(plan_of(desk, "call", "@IsOpen", "DueDate"), "COVERING INDEX cx_call_State_DueDate") == 3);
  CHECK(count_of(plan_of(desk, "call", "State == 1 && Priority == 2", "LoggedDate desc"),
                 "cx_call_State_Priority_LoggedDate") == 1);
  CHECK(count_of(plan_of(desk, "call", "UpdatedDate > @DateTime(2026-01-01T00:00:00Z)", "UpdatedDate"),
                 "cx_call_UpdatedDate") == 1);
  // Few calls are of the type: they are read and sorted.
  const std::string few = plan_of(desk, "call", "Type == 1", "AcknowledgedDate");
  CHECK(count_of(few, "\"Probes\"") == 0);  // no index gives this order to all calls
  const std::string some = plan_of(desk, "call", "Type == 1", "UpdatedDate");
  CHECK(count_of(some, "\"Probes\"") == 1);
  CHECK(count_of(some, "USE TEMP B-TREE FOR ORDER BY") == 2);  // their keys, and the rows of the page
}

std::string index_in(const std::string& plan, const std::string& beginning) {
  const std::size_t at = plan.find(beginning);
  return at == plan.npos ? std::string() : plan.substr(at, beginning.size() + 8);  // the digest
}

TEST_CASE("the index of a type serves its boards, and no other's", "[sqlite]") {
  const Desk desk;
  const std::string beginning = "cx_call_State_LoggedDate_";
  const auto index_of = [&](const std::string& entity) {
    return index_in(plan_of(desk, entity, "@IsOpen", "LoggedDate"), beginning);
  };
  const std::string plan = plan_of(desk, "problem", "@IsOpen", "LoggedDate");
  INFO(plan);
  CHECK(index_of("problem") != index_of("call"));
  CHECK(count_of(plan, "COVERING INDEX " + index_of("problem")) == 3);
  CHECK(index_of("incident") == index_of("call"));
  // Where it gives no order, nothing is said of it: SQLite would take the type for rare, and sort all of its rows.
  CHECK(count_of(plan_of(desk, "problem", "State != null", "UpdatedDate desc"), "+ +t0.") == 0);
  CHECK(count_of(plan_of(desk, "problem", "@IsClosed", "DueDate"), index_of("problem")) == 0);
}

TEST_CASE("what a type's index finds is what is of the type among all") {
  const Desk desk;
  for (const char* who : {"admin", "analyst", "user"})
    for (const char* filter : {"@IsOpen", "@IsClosed", "State == 1", "State in (1, 4)", "State != null"})
      for (const char* order : {"LoggedDate", "LoggedDate desc", "State, LoggedDate desc", "Ref desc"}) {
        INFO(who << ": " << filter << " by " << order);
        const Query of_type{{"$filter", filter}, {"$orderby", order}, {"$top", "50"}};
        const Query of_all{{"$filter", "RecordType == \"problem\" && (" + std::string(filter) + ")"},
                           {"$orderby", order},
                           {"$top", "50"}};
        CHECK(desk.refs(who, "problem", of_type) == desk.refs(who, "call", of_all));
      }
}

// Two terms have thousands of rows each, and one row in common.
TEST_CASE("a walk in order that meets nothing is left for what a term leads to", "[sqlite]") {
  const Desk desk;
  const auto make = [&](const std::string& members, int count) {
    std::string records;
    for (int i = 0; i < count; ++i) records += (i > 0 ? ",{" : "{") + members + R"(, "ShortDescription": "x"})";
    const Reply made = desk.done("admin", "POST", "call/$batch", R"({"Records": [)" + records + "]}");
    CHECK(made["Succeeded"] == std::to_string(count));
  };
  make(R"("User": 20, "Service": 2)", 1);
  for (int i = 0; i < 5; ++i) {
    make(R"("User": 20)", 1000);
    make(R"("Service": 2)", 1000);
  }
  const std::string both = "User == 20 && Service == 2", plan = plan_of(desk, "call", both, "LoggedDate desc");
  INFO(plan);
  CHECK(count_of(plan, R"("Chosen":"sorted")") == 1);
  CHECK(count_of(plan_of(desk, "call", "User == 20", "LoggedDate desc"), R"("Chosen":"in order")") == 1);
  Refs walked = desk.refs("admin", "call", {{"$filter", both}, {"$orderby", "LoggedDate desc"}, {"$top", "100"}});
  const Refs all = desk.refs("admin", "call", {{"$filter", both}, {"$orderby", "Ref"}, {"$top", "2000"}});
  std::sort(walked.begin(), walked.end(),
            [](const std::string& a, const std::string& b) { return std::stoi(a) < std::stoi(b); });
  CHECK(!all.empty());
  CHECK(walked == all);

  // Those of a user that were logged since are counted in the known states, where an index has them in this order.
  const std::string since = "LoggedDate > @DateTime(2020-01-01T00:00:00Z) && User == ";
  const Query counts{{"$filter", since + "20"}, {"$explain", "true"}, {"$inlinecount", "true"}};
  const std::string counted = desk.get("admin", "call", counts).raw;
  INFO(counted);
  CHECK(count_of(counted, ") + (SELECT COUNT(*)") == 3);  // null, and what is below and above the known states
  CHECK(count_of(counted, "COVERING INDEX cx_call_User_State_LoggedDate") > 0);
  CHECK(desk.get("admin", "call/$count", {{"$filter", since + "20"}}).raw ==
        desk.get("admin", "call/$count", {{"$filter", "User == 20"}}).raw);
}

TEST_CASE("the beginning of an indexed text is a range of its index", "[sqlite]") {
  const Desk desk;
  CHECK(count_of(plan_of(desk, "person", "Name.StartsWith(\"Ma\")", "Ref"), "ix_person_Name (Name>? AND Name<?)") == 2);
  const Refs all = desk.refs("admin", "person", {{"$top", "1000"}});
  for (const char* beginning : {"", "m", "MA", "é", "z", "\xF4\x8F\xBF\xBF"}) {
    INFO(beginning);
    const std::string filter = "Name.StartsWith(\"" + std::string(beginning) + "\")";
    const Refs found = desk.refs("admin", "person", {{"$filter", filter}, {"$top", "1000"}});
    const Refs others = desk.refs("admin", "person", {{"$filter", "!" + filter}, {"$top", "1000"}});
    CHECK(found.size() + others.size() == all.size());
  }
}

TEST_CASE("the history that a user sees is that of the user's calls, whichever way it is asked for") {
  const Desk desk;
  for (const char* who : {"user", "analyst"}) {
    const Query rows{{"$orderby", "TicketId, Order"}, {"$select", "TicketId,Order"}, {"$top", "100000"}};
    const Reply all = desk.get(who, "call-history", rows);
    Refs of_calls, listed;
    for (const json::Node& row : all.body.find("results")->items())
      listed.push_back(text_of(row, "TicketId") + "/" + text_of(row, "Order"));
    for (const std::string& call : desk.refs(who, "call", {{"$orderby", "Ref"}, {"$top", "2000"}})) {
      Query of_one{{"$filter", "TicketId == " + call}};
      of_one.insert(of_one.end(), rows.begin(), rows.end());
      const Reply few = desk.get(who, "call-history", of_one);
      for (const json::Node& row : few.body.find("results")->items())
        of_calls.push_back(call + "/" + text_of(row, "Order"));
    }
    CHECK(!listed.empty());
    CHECK(listed == of_calls);
    CHECK(desk.get(who, "call-history/$count").raw == std::to_string(listed.size()));
    for (const char* filter :
         {"Action == \"create\"", "!IsPublic", "Date > @DateTime(2026-02-01T00:00:00Z)", "Analyst != null",
          "Description.Contains(\"e\")", "UpdatedDate > @DateTime(2026-02-01T00:00:00Z)", "TicketId.Priority == 2",
          "Analyst.Name.StartsWith(\"M\")", "Action == \"create\" && TicketId.State == 1"}) {
      INFO(who << ": " << filter);
      const auto count = [&](const std::string& asked) {
        return std::stoul(desk.get(who, "call-history/$count", {{"$filter", asked}}).raw);
      };
      CHECK(count(filter) + count("!(" + std::string(filter) + ")") == listed.size());
      for (const char* order : {"Date desc", "UpdatedDate", "TicketId desc", "Action", "TicketId.User.Name"})
        for (const std::size_t top : {std::size_t{30}, std::size_t{1000}, std::size_t{100'000}})
          CHECK(desk.get(who, "call-history", {{"$filter", filter}, {"$orderby", order}, {"$top", std::to_string(top)}})
                    .body.find("results")
                    ->items()
                    .size() == std::min(top, count(filter)));
    }
  }
}
