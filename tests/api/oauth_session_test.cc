// Sessions, clients and roles as records: administrators list and end sessions at v1/session (API rule 6.9), and
// what they change counts from the next request on. Licences, and what kill -9 leaves of them.
#include "oauth_desk.h"

#include "engine/storage/database.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;

std::size_t rows(const OAuthDesk& desk, const std::string& access, const std::string& path) {
  const Told told = desk.api(access, "GET", path);
  INFO(path << " " << told.raw);
  REQUIRE(told.status == 200);
  return told.body.find("results")->items().size();
}

// What must hold at any moment, whatever happened: sessions that live, and no more than there are licences.
void check_licences(const OAuthDesk& desk, std::int64_t capacity) {
  const std::int64_t in_use = desk.number("SELECT in_use FROM licence_pool");
  CHECK(in_use == desk.number("SELECT COUNT(*) FROM \"session\" WHERE \"IsDeleted\" = 0"));
  CHECK(in_use <= capacity);
  CHECK(desk.number("SELECT COUNT(*) FROM \"person\" p WHERE \"IsLoggedIn\" <> CASE WHEN EXISTS (SELECT 1 FROM "
                    "\"session\" s WHERE s.\"Person\" = p.\"Ref\" AND s.\"IsDeleted\" = 0) THEN 1 ELSE 0 END") == 0);
}

constexpr std::int64_t crowd = 1200;  // more than a script could find and end by its limits

// So many more sessions like the newest one, as rows, while the server rests: signing in takes its time.
void add_crowd(OAuthDesk& desk) {
  static std::int64_t first = 0;
  first += 1'000'000;
  const Sql sessions(
      "INSERT INTO \"session\" (\"Ref\", \"Id\", \"Person\", \"Client\", \"SessionType\", \"CreatedDate\", "
      "\"LastUsed\", \"ExpiresDate\", \"Address\", \"IsDeleted\", \"RecordVersion\") WITH RECURSIVE n(i) AS (SELECT 1 "
      "UNION ALL "
      "SELECT i + 1 FROM n WHERE i < ?2) SELECT ?1 + i, 'crowd-' || CAST(?1 + i AS TEXT), \"Person\", \"Client\", "
      "\"SessionType\", \"CreatedDate\", \"LastUsed\", \"ExpiresDate\", \"Address\", 0, 1 FROM n, \"session\" "
      "WHERE \"Ref\" = (SELECT MAX(\"Ref\") FROM \"session\" WHERE \"Id\" NOT LIKE 'crowd-%')");
  REQUIRE(desk.server().stop() == 0);
  {
    const auto database = storage::Database::open({.url = database_url(desk.folder())});
    REQUIRE(database);
    const auto done = (*database)->write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_CHECK(connection.execute(sessions, {Value(first), Value(crowd)}));
      return {};
    });
    INFO((done ? "" : done.error().log_detail));
    REQUIRE(done);
  }
  desk.start();  // which counts the licences
}

std::int64_t audited_ends(const OAuthDesk& desk) {
  std::ifstream log(desk.folder() + "/audit.jsonl");
  std::int64_t count = 0;
  for (std::string line; std::getline(log, line);)
    if (line.find("\"event\":\"session-ended\"") != line.npos) ++count;
  return count;
}

// The request ends so many sessions, and each is told to the audit log.
void check_ends(const OAuthDesk& desk, const Pair& admin, std::string_view method, const std::string& path,
                std::string_view body, std::int64_t expected) {
  const auto live = [&] { return desk.number("SELECT COUNT(*) FROM \"session\" WHERE \"IsDeleted\" = 0"); };
  const std::int64_t before = live(), audited = audited_ends(desk);
  const auto begun = std::chrono::steady_clock::now();
  const Told told = desk.api(admin.access, method, path, body);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun);
  WARN(method << " " << path << " ended " << before - live() << " sessions in " << took.count() << " ms");
  INFO(told.raw);
  CHECK(told.status == 200);
  CHECK(before - live() == expected);
  CHECK(audited_ends(desk) - audited == expected);
  check_licences(desk, before);
}

constexpr int capacity = 20;

struct Log {
  std::mutex mutex;
  std::vector<Pair> opened, closed;  // acknowledged
  std::atomic<std::size_t> count = 0;
};

// Signs in, refreshes and logs out, until the server is gone.
void come_and_go(const OAuthDesk& desk, const ServerProcess& server, int number, Log& log) {
  for (int i = number;; ++i) {
    const auto pair = desk.sign_in("grant_type=client_credentials&scope=session-type:User" + by_quick);
    const auto probe = pair ? std::nullopt : server.try_send("GET", "/");
    if (!pair && !probe) return;
    if (!pair) continue;  // no licence at this moment
    {
      const std::lock_guard lock(log.mutex);
      log.opened.push_back(*pair);
    }
    ++log.count;
    const auto last =
        i % 3 == 0 ? desk.sign_in("grant_type=refresh_token&refresh_token=" + pair->refresh + by_quick) : pair;
    if (!last) return;
    const auto out =
        server.try_send("POST", "/service.web/oauth/logout",
                        {"Authorization: Bearer " + last->access, "Content-Type: application/x-www-form-urlencoded"},
                        "token=" + last->refresh);
    if (!out) return;
    const std::lock_guard lock(log.mutex);
    log.closed.push_back(*last);
  }
}

}  // namespace

TEST_CASE("an administrator sees who is signed in and ends a session for good") {
  OAuthDesk desk({"--set", "licences=3"});
  const Pair admin = desk.pair("admin", "session-type:Analyst"), user = desk.pair("user"), program = desk.quick();
  CHECK(desk.sign_in("grant_type=client_credentials&scope=session-type:User" + by_quick) == std::nullopt);
  CHECK(rows(desk, admin.access, "session") == 3);
  CHECK(rows(desk, admin.access,
             "session?$filter=SessionType%20==%20%22User%22%20%26%26%20Person.LoginId%20==%20%22USER%22") == 1);
  const Told one =
      desk.api(admin.access, "GET", "session/2?$select=Person.LoginId,Client.ClientId,Address,SessionType");
  CHECK(one.raw.find("\"USER\"") != std::string::npos);
  CHECK(one.raw.find("\"sample-app\"") != std::string::npos);
  CHECK(one["Address"] == "127.0.0.1");
  CHECK(desk.api(admin.access, "GET", "session/3")["Person"].empty());
  CHECK(desk.api(admin.access, "GET", "session/2").body.find("_actions")->find("Delete") != nullptr);
  for (const char* hidden : {"hash", "token", "SecretHash"})
    CHECK(desk.api(admin.access, "GET", "session?$select=" + std::string(hidden)).status == 400);

  CHECK(desk.api(user.access, "GET", "").status == 200);
  CHECK(desk.api(admin.access, "GET", "person?$filter=IsLoggedIn%20==%20true&$count=true").raw == "2");
  CHECK(desk.api(admin.access, "DELETE", "session/2").status == 200);
  CHECK(desk.api(user.access, "GET", "").status == 401);  // the very next request
  CHECK(desk.api(admin.access, "DELETE", "session/2").status == 404);
  CHECK(rows(desk, admin.access, "session") == 2);
  CHECK(desk.send("login", "grant_type=refresh_token&client_id=sample-app&refresh_token=" + user.refresh).what() ==
        "401 invalid_grant");
  CHECK(desk.log_out(user.refresh, user.access).what() == "404 invalid_grant");
  CHECK(desk.api(admin.access, "GET", "person?$filter=IsLoggedIn%20==%20true&$count=true").raw == "1");
  check_licences(desk, 3);
  CHECK(desk.number("SELECT in_use FROM licence_pool") == 2);
  desk.pair("user2");  // its licence is free again
  check_licences(desk, 3);
  CHECK(desk.api(admin.access, "POST", "session", "{}").status == 405);
  CHECK(desk.api(admin.access, "PUT", "session/1", R"({"Address": "x"})").status == 405);
  check_licences(desk, 3);
}

TEST_CASE("an administrator ends the own session: the answer still comes, then it is over") {
  const OAuthDesk desk;
  const Pair admin = desk.pair("admin", "session-type:Analyst");
  CHECK(desk.api(admin.access, "DELETE", "session/1").status == 200);
  CHECK(desk.api(admin.access, "GET", "").status == 401);
  check_licences(desk, 1);
}

TEST_CASE("what is changed of roles, persons and clients counts from the next request on") {
  const OAuthDesk desk;
  const Pair admin = desk.pair("admin", "session-type:Analyst"), analyst = desk.pair("analyst", "session-type:Analyst");
  const auto seen = [&] { return desk.api(analyst.access, "GET", "call?$count=true").raw; };
  const std::string before = seen();
  const Told opening = desk.api(admin.access, "POST", "role-partition", R"({"Role": 2, "Partition": 2})");
  CHECK(opening.status == 200);
  CHECK(std::stoi(seen()) > std::stoi(before));
  CHECK(desk.api(admin.access, "DELETE", "role-partition/" + opening["Ref"]).status == 200);
  CHECK(seen() == before);
  const Told made = desk.api(admin.access, "POST", "role", R"({"Name": "All", "AllPartitions": true})");
  const Told given = desk.api(admin.access, "POST", "person-role", R"({"Person": 2, "Role": )" + made["Ref"] + "}");
  CHECK(given.status == 200);
  CHECK(seen() == desk.api(admin.access, "GET", "call?$count=true").raw);
  CHECK(desk.api(admin.access, "PUT", "role/" + made["Ref"], R"({"AllPartitions": false})").status == 200);
  CHECK(seen() == before);
  CHECK(desk.api(admin.access, "PUT", "person/2", R"({"IsActive": false})").status == 200);
  CHECK(desk.api(analyst.access, "GET", "").status == 401);
  CHECK(desk.number("SELECT in_use FROM licence_pool") == 1);
  CHECK(desk.api(admin.access, "PUT", "person/2", R"({"IsActive": true})").status == 200);
  CHECK(desk.api(analyst.access, "GET", "").status == 401);  // its sessions have ended
  CHECK(desk.api(admin.access, "PUT", "client/1", R"({"SessionType": "Analysts"})").status == 400);
  CHECK(desk.api(admin.access, "POST", "client", R"({"ClientId": "sample-app", "Name": "Twin"})").status == 400);
  const Pair program = desk.quick();
  CHECK(desk.api(program.access, "GET", "").status == 200);
  CHECK(desk.api(admin.access, "PUT", "client/4", R"({"IsEnabled": false})").status == 200);
  CHECK(desk.api(program.access, "GET", "").status == 401);
  CHECK(desk.send("login", "grant_type=client_credentials&scope=session-type:User" + by_quick).what() ==
        "401 invalid_client");
}

TEST_CASE("a client made by the API signs people in, with the grants it was given") {
  const OAuthDesk desk;
  const Pair admin = desk.pair("admin", "session-type:Analyst");
  CHECK(desk.api(admin.access, "POST", "client", R"({"ClientId": "made", "Name": "Made", "Grants": "password"})")
            .status == 200);
  const std::string rest = "&client_id=made&username=user&password=callisto&scope=session-type:User";
  const auto pair = desk.sign_in("grant_type=password" + rest);
  REQUIRE(pair);
  CHECK(desk.send("login", "grant_type=refresh_token&client_id=made&refresh_token=" + pair->refresh).what() ==
        "400 unauthorized_client");
}

TEST_CASE("expired sessions end by themselves and give their licences back") {
  const OAuthDesk desk({"--set", "oauth.refresh_seconds=1", "--set", "licences=1"});
  desk.quick();
  // Within a sweep, and nobody signs in meanwhile.
  while (desk.number("SELECT in_use FROM licence_pool") != 0) std::this_thread::yield();
  check_licences(desk, 1);
  desk.quick();
}

TEST_CASE("of fifty sign-ins at once for five licences five succeed, over HTTP") {
  const OAuthDesk desk({"--set", "licences=5"});
  std::atomic<int> succeeded = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 50; ++i)
    threads.emplace_back([&] {
      if (desk.sign_in("grant_type=client_credentials&scope=session-type:User" + by_quick)) ++succeeded;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(succeeded == 5);
  check_licences(desk, 5);
}

// [unsanitized]: its many starts would only take longer.
TEST_CASE("kill -9 amid sign-ins and logouts: the licences in use are the sessions that live", "[unsanitized]") {
  OAuthDesk desk({"--set", "licences=" + std::to_string(capacity)});
  const Pair admin = desk.pair("admin", "session-type:Analyst");
  for (int round = 0; round < 15; ++round) {
    INFO("round " << round);
    Log log;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) threads.emplace_back([&, i] { come_and_go(desk, desk.server(), i, log); });
    while (log.count < 30u + static_cast<std::size_t>(round)) std::this_thread::yield();
    desk.server().kill_at_once();
    for (std::thread& thread : threads) thread.join();
    check_licences(desk, capacity);
    desk.start();
    check_licences(desk, capacity);
    for (const Pair& each : log.closed) CHECK(desk.api(each.access, "GET", "").status == 401);
    // Also those whose answer was lost go home, so that the next round has its licences.
    const Told living = desk.api(admin.access, "GET", "session?$filter=Ref%20!=%201&$select=Ref");
    for (const json::Node& row : living.body.find("results")->items())
      CHECK(desk.api(admin.access, "DELETE", "session/" + row.find("Ref")->text()).status == 200);
    for (const Pair& each : log.opened) CHECK(desk.api(each.access, "GET", "").status == 401);
  }
}

TEST_CASE("who has a thousand sessions and more is switched off, deleted, or given a new password all the same") {
  OAuthDesk desk;
  const Pair admin = desk.pair("admin", "session-type:Analyst");
  Pair user = desk.pair("user");
  add_crowd(desk);
  CHECK(desk.api(user.access, "GET", "").status == 200);
  check_ends(desk, admin, "PUT", "person/4/deactivate", "{}", crowd + 1);
  CHECK(desk.api(user.access, "GET", "").status == 401);
  CHECK(desk.api(admin.access, "PUT", "person/4/activate", "{}").status == 200);
  CHECK(desk.api(user.access, "GET", "").status == 401);

  user = desk.pair("user");
  add_crowd(desk);
  check_ends(desk, admin, "PUT", "person/4/set-password", R"({"Password": "first-one"})", crowd + 1);
  CHECK(desk.api(user.access, "GET", "").status == 401);
  CHECK(desk.api(admin.access, "PUT", "person/4/set-password", R"({"Password": "callisto"})").status == 200);

  user = desk.pair("user");
  add_crowd(desk);
  check_ends(desk, user, "PUT", "person/4/set-password", R"({"Password": "second-one", "CurrentPassword": "callisto"})",
             crowd);
  CHECK(desk.api(user.access, "GET", "").status == 200);  // one's own stays

  const std::string leaver =
      "person/" + desk.api(admin.access, "POST", "person", R"({"LastName": "x", "LoginId": "leaver"})")["Ref"];
  CHECK(desk.api(admin.access, "PUT", leaver + "/set-password", R"({"Password": "callisto"})").status == 200);
  user = desk.pair("leaver");
  add_crowd(desk);
  check_ends(desk, admin, "DELETE", leaver, "", crowd + 1);
  CHECK(desk.api(user.access, "GET", "").status == 401);

  Pair program = desk.quick();
  add_crowd(desk);
  check_ends(desk, admin, "PUT", "client/4", R"({"Description": "still there"})", 0);
  check_ends(desk, admin, "PUT", "client/4", R"({"IsEnabled": false})", crowd + 1);
  CHECK(desk.api(program.access, "GET", "").status == 401);
  CHECK(desk.api(admin.access, "PUT", "client/4", R"({"IsEnabled": true})").status == 200);
  program = desk.quick();
  add_crowd(desk);
  check_ends(desk, admin, "DELETE", "client/4", "", crowd + 1);
  CHECK(desk.api(program.access, "GET", "").status == 401);
  CHECK(desk.api(admin.access, "GET", "").status == 200);
}
