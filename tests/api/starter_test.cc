// A desk without samples: the lists that its rules know, and a row for each of its states.
#include "desk.h"
#include "own_files.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;

constexpr std::string_view mark = "/service.web/oauth/setup?token=";

// An empty desk with its administrator, who is made anew for each data folder.
class NewDesk {
 public:
  explicit NewDesk(const std::vector<std::string>& arguments = {}) : arguments_(arguments) {
    REQUIRE(run_program({"person", "add", "--administrator", "--data", folder_.path(), "ada"}, "correct horse\n")
                .exit_status == 0);
    start();
  }
  void start(std::vector<std::string> more = {}) {
    server_.reset();
    more.insert(more.end(), arguments_.begin(), arguments_.end());
    server_ = std::make_unique<ServerProcess>(folder_.path(), more);
    const auto signed_in = json::parse(
        server_
            ->login(
                "client_id=callisto&grant_type=password&username=ADA&password=correct+horse&scope=session-type:Analyst")
            .body);
    REQUIRE(signed_in);
    client_ = std::make_unique<Client>(*server_, json::string_of(*signed_in, "access_token"));
  }
  void stop() { server_.reset(); }
  Answer send(std::string_view method, const std::string& path, std::string_view body = "{}") const {
    return client_->send(method, "v1/" + path, body);
  }
  std::string names(const std::string& entity) const {
    return client_->get("v1/" + entity, {{"$select", "Ref,Name"}, {"$orderby", "Ref"}}).body;
  }
  std::string count(const std::string& entity) const { return client_->get("v1/" + entity, {{"$count", "true"}}).body; }
  std::string get(const std::string& path, const Query& query) const { return client_->get("v1/" + path, query).body; }
  const std::string& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  std::vector<std::string> arguments_;
  std::unique_ptr<ServerProcess> server_;
  std::unique_ptr<Client> client_;
};

}  // namespace

TEST_CASE("an empty desk can work: a first incident gets priority and due date, and is closed") {
  const NewDesk desk;
  const Answer made = desk.send("POST", "incident", R"({"ShortDescription": "No ink", "Impact": 2, "Urgency": 1})");
  REQUIRE(made.status == 200);
  const std::string shown = desk.get("incident/1", {{"$select", "State.Name,Priority.Name,DueDate,Partition.Name"}});
  CHECK_THAT(shown, Contains("\"Name\":\"Open\"") && Contains("\"Name\":\"High\"") && Contains("\"Name\":\"Main\"") &&
                        !Contains("\"DueDate\":null"));
  CHECK(desk.send("PUT", "incident/1/close", R"({"Description": "Filled up."})").status == 200);
  CHECK_THAT(desk.get("incident/1", {{"$select", "State.Name"}}), Contains("\"Name\":\"Closed\""));
  for (const auto& [entity, rows] : {std::pair("call-priority", "4"),
                                     {"call-impact", "3"},
                                     {"call-urgency", "3"},
                                     {"partition", "1"},
                                     {"role", "4"},
                                     {"call-state", "6"},
                                     {"task-state", "7"}})
    CHECK(desk.count(entity) == rows);
  for (const char* entity : {"call-type", "call-reason"}) CHECK(desk.count(entity) != "0");
  for (const char* entity : {"organization", "location", "service", "group", "asset", "knowledge"})
    CHECK(desk.count(entity) == "0");  // nothing that somebody invented
  CHECK_THAT(desk.names("role"), Contains("\"Analyst\"") && Contains("\"Manager\"") && Contains("\"Administrator\"") &&
                                     Contains("\"Integration\""));
}

TEST_CASE("what an administrator changed, deleted or purged of the lists stays so") {
  NewDesk desk;
  REQUIRE(desk.send("PUT", "call-priority/1", R"({"Name": "Red"})").status == 200);
  REQUIRE(desk.send("DELETE", "call-type/5").status == 200);
  for (int number = 1; number <= 12; ++number)
    REQUIRE(desk.send("DELETE", "call-reason/" + std::to_string(number)).status == 200);
  const auto is_so = [&] {
    CHECK_THAT(desk.names("call-priority"), Contains("\"Red\"") && !Contains("\"Critical\""));
    CHECK(desk.count("call-type") == "5");
    CHECK(desk.count("call-reason") == "0");
    CHECK(desk.count("role") == "4");
  };
  desk.start();
  is_so();
  desk.stop();
  REQUIRE(run_program({"purge", "--older-than", "0d", "--data", desk.folder()}).exit_status == 0);
  desk.start();
  is_so();
}

TEST_CASE("--no-starter leaves the lists out, but not the rows of states") {
  NewDesk desk({"--no-starter"});
  for (const char* entity : {"call-priority", "call-type", "partition"}) CHECK(desk.count(entity) == "0");
  CHECK(desk.count("call-state") == "6");
  CHECK(desk.count("role") == "1");
}

TEST_CASE("a desk that has records of its own gets nothing of it") {
  NewDesk desk({"--no-starter"});
  REQUIRE(desk.send("POST", "organization", R"({"Name": "Ours"})").status == 200);
  desk.stop();
  { ServerProcess server(desk.folder(), {}); }
  desk.start();
  CHECK(desk.count("call-priority") == "0");
}

TEST_CASE("rows of states are made at the start and at a reload, 0 and 10 too, and keep the names they were given") {
  const OwnFiles own;
  const auto states = [&](const std::string& more,
                          const std::string& open = "state \"Free\" { value = 0, initial = true },") {
    own.write("scripts/vehicle/states.lua", "return states \"State\" { " + open + more + " }");
  };
  own.write("entities/vehicle-state.lua",
            "return entity \"vehicle-state\" { properties = { text \"Name\" { length = 40, required = true }, "
            "text \"Description\" { length = 80 } } }");
  own.write("entities/vehicle.lua",
            "return entity \"vehicle\" { properties = { text \"Name\", lookup \"State\" { entity = "
            "\"vehicle-state\", readonly = true } } }");
  states("state \"Rented\" { value = 10, description = \"Somebody has it.\" }");
  Desk desk(own.settings());
  CHECK(desk.get("analyst", "vehicle-state", {{"$select", "Ref,Name,Description"}, {"$orderby", "Ref"}})
            .raw.find("\"Ref\":0,\"Name\":\"Free\",\"Description\":null") != std::string::npos);
  CHECK_THAT(desk.get("analyst", "vehicle-state/10").raw, Contains("\"Rented\"") && Contains("Somebody has it."));
  const Reply made = desk.send("analyst", "POST", "vehicle", R"({"Name": "The van"})");
  CHECK_THAT(desk.get("analyst", "vehicle/" + made["Ref"], {{"$select", "State.Name"}}).raw, Contains("\"Free\""));

  REQUIRE(desk.send("admin", "PUT", "vehicle-state/10", R"({"Name": "Vermietet"})").status == 200);
  states("state \"Lent\" { value = 10 }, state \"Sold\" { value = 7 }",
         "state \"Idle\" { value = 0, initial = true, formerly = \"Free\" },");
  REQUIRE(own.run({"reload"}, desk.folder()).exit_status == 0);
  const auto name = [&](int row) { return desk.get("analyst", "vehicle-state/" + std::to_string(row))["Name"]; };
  CHECK(name(0) == "Idle");
  CHECK(name(7) == "Sold");
  CHECK(name(10) == "Vermietet");
  // The next row of the list has a number of its own.
  const Reply next = desk.send("admin", "POST", "vehicle-state", R"({"Name": "Mine"})");
  CHECK(std::stoll(next["Ref"]) > 10);
  // A row whose state is there is no administrator's to delete: it is back.
  REQUIRE(desk.send("admin", "DELETE", "vehicle-state/7").status == 200);
  REQUIRE(own.run({"reload"}, desk.folder()).exit_status == 0);
  CHECK(name(7) == "Sold");
}
