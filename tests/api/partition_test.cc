// The partition that limits who sees a record: it is never null, whoever writes it, and a User session leaves it alone.
#include "desk.h"
#include "engine/storage/database.h"
#include "import_desk.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;

const std::vector<std::string> partitioned{"call", "incident", "problem", "service-request", "configuration-item"};

// A desk whose scripts try it, too.
class Site {
 public:
  Site() {
    write("scripts/incident/actions/lose.lua",
          R"(return action "lose" { run = function(call) call.Partition = null end })");
    write("scripts/incident/actions/lose-other.lua", R"(return action "lose-other" {
      mandatory = { lookup "Other" { entity = "call" } },
      run = function(call, input) desk.find("call", input.Other).Partition = null end })");
    write("scripts/incident/actions/lose-by-act.lua", R"(return action "lose-by-act" {
      run = function(call) call:act("update", { Partition = null }) end })");
    write("scripts/incident/actions/make.lua", R"(return action "make" {
      run = function(call) return desk.create("problem", { ShortDescription = "x", Partition = null }) end })");
    write("scripts/problem/hooks.lua", R"(return hooks {
      before_update = function(problem) if problem.Name == "lose" then problem.Partition = null end end,
      after_update = function(problem) if problem.Name == "lose late" then problem.Partition = null end end })");
  }
  std::vector<std::string> arguments() const { return {"--set", "scripts=scripts," + folder_.path() + "/scripts"}; }

 private:
  void write(const std::string& name, std::string_view text) const {
    const std::string path = folder_.path() + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  TemporaryFolder folder_;
};

const Desk& desk() {
  static const Site site;
  static const Desk desk(site.arguments());
  return desk;
}

std::string body_of(const std::string& entity) {
  static int number = 0;
  if (entity != "configuration-item") return R"("ShortDescription": "x")";
  return R"("Name": "x", "AssetRef": "PT-)" + std::to_string(++number) + "\"";
}

std::string made(const std::string& entity, std::string_view login = "analyst", const std::string& more = {}) {
  return entity + "/" + desk().done(login, "POST", entity, "{" + body_of(entity) + more + "}")["Ref"];
}

std::string partition(const std::string& record) { return desk().get("admin", record)["Partition"]; }

void check_refused(std::string_view login, std::string_view method, const std::string& path, const std::string& body,
                   int status) {
  const Reply reply = desk().send(login, method, path, body);
  INFO(login << " " << method << " " << path << " " << body << " -> " << reply.status << " " << reply.raw);
  CHECK(reply.status == status);
  CHECK_THAT(reply["Message"], Contains("Partition"));
}

}  // namespace

TEST_CASE("the partition of a record that it limits cannot be cleared, by anyone") {
  for (const std::string& entity : partitioned) {
    const std::string record = made(entity);
    for (const char* login : {"analyst", "analyst2", "admin"})
      for (const char* body : {R"({"Partition": null})", R"({"Partition": null, "Name": "y"})"})
        check_refused(login, "PUT", record, body, 400);
    CHECK(partition(record) == "1");
    CHECK(desk().get("analyst", record).status == 200);
  }
}

TEST_CASE("the partition of a record cannot be cleared beside an action") {
  const std::string call = made("incident");
  for (const auto& [action, body] :
       std::vector<std::pair<std::string, std::string>>{{"forward", R"("ReceivingGroup": 1)"},
                                                        {"defer", ""},
                                                        {"take-ownership", ""},
                                                        {"resolve", R"("Description": "x")"},
                                                        {"add-note", R"("Description": "x")"},
                                                        {"lock", ""}}) {
    const std::string with = (body.empty() ? body : body + ", ") + R"("Partition": null)";
    check_refused("admin", "PUT", call + "/" + action, "{" + with + "}", 400);
  }
  CHECK(partition(call) == "1");
}

TEST_CASE("a record that is made without a partition gets one, null or not") {
  for (const std::string& entity : partitioned)
    for (const char* login : {"analyst", "analyst2", "admin"}) {
      CHECK(partition(made(entity, login)) != "null");
      CHECK(partition(made(entity, login, R"(, "Partition": null)")) != "null");
    }
  CHECK(partition(made("incident", "user", R"(, "Partition": null)")) == "1");
}

TEST_CASE("a User session does not change the partition of a record, by whatever request") {
  const std::string call = made("incident", "user");
  for (const char* value : {"null", "2", "3", "99"}) {
    const std::string body = std::string(R"("Partition": )") + value + "}";
    check_refused("user", "PUT", call, "{" + body, 403);
    check_refused("user", "PUT", call + "/add-note", R"({"Description": "x", )" + body, 403);
    check_refused("user", "PUT", call + "/close", R"({"Description": "x", )" + body, 403);
  }
  CHECK(desk().send("user", "PUT", call, R"({"Partition": 1, "Name": "mine"})").status == 200);
  CHECK(desk().get("user", call)["Partition"] == "1");
}

TEST_CASE("scripts do not clear the partition either, and are told where they tried") {
  const std::string call = made("incident"), other = made("call"), problem = made("problem");
  const auto refused = [&](const std::string& path, const std::string& body) {
    const Reply reply = desk().send("admin", "PUT", path, body);
    INFO(path << " -> " << reply.status << " " << reply.raw);
    CHECK(reply.status >= 400);
  };
  refused(call + "/lose", "{}");
  refused(call + "/lose-by-act", "{}");
  refused(call + "/lose-other", R"({"Other": )" + other.substr(5) + "}");
  refused(problem, R"({"Name": "lose"})");
  refused(problem, R"({"Name": "lose late"})");
  for (const std::string& record : {call, other, problem}) CHECK(partition(record) == "1");
  const Reply made_by_script = desk().done("analyst", "PUT", call + "/make");
  CHECK(made_by_script["Partition"] == "1");
  const auto failures = [&] {  // which come a moment after the answers
    return desk().get("admin", "script-failure",
                      {{"$filter", R"(Message.Contains("Partition limits who sees the record and cannot be null"))"},
                       {"$count", "true"}});
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (failures().raw != "4" && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  CHECK(failures().raw == "4");
}

TEST_CASE("the first record that a partition limits makes the first partition of a desk without any") {
  const TemporaryFolder folder;
  const std::string data = folder.path() + "/data";
  REQUIRE(run_program({"person", "add", "ada", "--administrator", "--data", data}, "correct horse").exit_status == 0);
  REQUIRE(run_program({"client", "add", "app", "--data", data}).exit_status == 0);
  const ImportDesk imported;
  const Finished import = imported.import_csv(R"(return import { record "incident" { ShortDescription = "text" } })",
                                              "text\nfirst\nsecond\n");
  CHECK(import.exit_status == 0);
  CHECK(imported.rows(Sql("SELECT \"Partition\" FROM \"call\" ORDER BY \"Ref\"")) == "1\n1\n");
  CHECK(imported.rows(Sql("SELECT \"Name\" FROM \"partition\"")) == "Main\n");
  const Finished empty = imported.import_csv(
      R"(return import { record "incident" { ShortDescription = "text", Partition = "partition" } })",
      "text,partition\nthird,1\nfourth,\n");
  CHECK(empty.exit_status == 1);
  CHECK_THAT(empty.output, Contains("Partition must not be empty"));
  CHECK(imported.rows(Sql("SELECT \"Partition\" FROM \"call\" ORDER BY \"Ref\"")) == "1\n1\n1\n");
}

TEST_CASE("check --database tells of records without a partition, which an administrator mends", "[sqlite]") {
  const TemporaryFolder folder;
  const std::string data = folder.path() + "/data";
  std::string call, item;
  {
    ServerProcess server(data, {"--samples"});
    CHECK(run_program({"check", "--database", "--data", data}).exit_status == 0);
    CHECK(server.stop() == 0);
    const auto database = storage::Database::open({.url = database_url(data)});
    REQUIRE(database);
    REQUIRE((*database)->write([](storage::Connection& connection) -> Result<void> {
      CALLISTO_CHECK(connection.execute(Sql("UPDATE \"call\" SET \"Partition\" = NULL WHERE \"Ref\" IN (7, 9)"), {}));
      CALLISTO_CHECK(connection.execute(Sql("UPDATE \"asset\" SET \"Partition\" = NULL WHERE \"Ref\" = 101"), {}));
      return {};
    }));
  }
  const Finished told = run_program({"check", "--database", "--data", data});
  CHECK(told.exit_status == 1);
  CHECK_THAT(told.output, Contains("configuration-item: 1 record has no Partition, such as configuration-item/101"));
  CHECK_THAT(told.output, Contains("no Partition, such as ") && Contains("/7"));
  const ServerProcess server(data, {});
  const Client admin(server, server.token("admin", "session-type:Analyst"));
  CHECK(admin.send("PUT", "v1/call/7", R"({"ShortDescription": "x"})").status == 400);
  const Client analyst(server, server.token("analyst", "session-type:Analyst"));
  CHECK(analyst.send("PUT", "v1/call/7", R"({"Partition": 1})").status == 404);
  CHECK(admin.send("PUT", "v1/call/7", R"({"Partition": null})").status == 400);
  CHECK(admin.send("PUT", "v1/call/7", R"({"Partition": 2, "ShortDescription": "x"})").status == 400);  // it is closed
  for (const char* path : {"v1/call/7", "v1/call/9", "v1/configuration-item/101"})
    CHECK(admin.send("PUT", path, R"({"Partition": 2})").status == 200);
  CHECK(admin.send("PUT", "v1/call/7", R"({"Partition": 1})").status == 400);  // and takes no changes any more
  CHECK(run_program({"check", "--database", "--data", data}).exit_status == 0);
}
