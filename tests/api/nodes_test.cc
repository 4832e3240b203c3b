// Two servers of one desk: what one does the other knows, and no fault of one or of the database loses anything that
// was acknowledged. Skipped, with a warning, where PostgreSQL is not installed.
#include "nodes.h"

#include "engine/storage/database.h"
#include "tests/support/paths.h"
#include "tests/support/webhook_receiver.h"

#include <signal.h>
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;

const std::string api = "/service.api/api/v1/";

std::string member(const Answer& answer, const char* name) {
  const auto body = json::parse(answer.body, json::Limits{32, 1'000'000});
  const json::Node* found = body ? body->find(name) : nullptr;
  return found ? found->text() : std::string();
}

ServerProcess::Headers headers(const std::string& token) {
  return {"Authorization: Bearer " + token, "Content-Type: application/json"};
}

// A poll: the condition decides, the time only how long a failure takes.
bool comes_true(const std::function<bool()>& condition, int seconds = 30) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

std::int64_t number(const std::string& url, const Sql& sql) {
  const auto database = storage::Database::open({.url = url, .read_only = true});
  REQUIRE(database);
  const auto connection = (*database)->connect_reader();
  REQUIRE(connection);
  const auto row = (*connection)->query(sql, {});
  REQUIRE(row);
  REQUIRE((*row)->step());
  return (*row)->integer(0);
}

// How long a node stands still at least: CALLISTO_STANDSTILL, in seconds; beyond 30 its leases run out.
std::chrono::seconds standstill() {
  const char* seconds = std::getenv("CALLISTO_STANDSTILL");
  return std::chrono::seconds(seconds ? std::atoi(seconds) : 0);
}

// Threads that create incidents at the given nodes, as long as it lives, and know which were acknowledged.
class Load {
 public:
  Load(Nodes& nodes, std::size_t count, const std::string& token) {
    for (std::size_t i = 0; i < count * 3; ++i)
      threads_.emplace_back([this, &nodes, node = i % count, token] {
        while (!stopping_) write(*nodes.share(node), token);
      });
  }
  ~Load() { stop(); }

  void stop() {
    stopping_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }
  std::set<std::string> acknowledged() {
    const std::lock_guard lock(mutex_);
    return acknowledged_;
  }
  std::size_t count() { return acknowledged().size(); }
  std::map<int, int> refused() {
    const std::lock_guard lock(mutex_);
    return refused_;
  }

 private:
  void write(const ServerProcess& server, const std::string& token) {
    const auto answer =
        server.try_send("POST", api + "incident", headers(token), R"({"ShortDescription":"load","ReceivingGroup":1})");
    const std::lock_guard lock(mutex_);
    if (!answer || answer->status != 200) {
      ++refused_[answer ? answer->status : 0];
      return;
    }
    // Where the database goes away behind the commit, the answer is the link alone.
    const std::string self = member(*answer, "_self");
    acknowledged_.insert(self.substr(self.rfind('/') + 1));
  }

  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::set<std::string> acknowledged_;
  std::map<int, int> refused_;
  std::vector<std::thread> threads_;
};

std::set<std::string> refs_at(const ServerProcess& server, const std::string& token) {
  std::set<std::string> refs;
  const Client client(server, token);
  const json::Node page = client.get_json(
      "v1/incident", {{"$filter", "ShortDescription == \"load\""}, {"$select", "Ref"}, {"$top", "100000"}});
  for (const json::Node& row : page.find("results")->items()) refs.insert(row.find("Ref")->text());
  return refs;
}

bool contains_all(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

}  // namespace

TEST_CASE("two nodes are one desk: tokens, records, ends of sessions and reloads of one count at the other",
          "[nodes]") {
  auto* postgres = test::Postgres::running();
  if (!postgres) return;
  const TemporaryFolder scripts;
  std::filesystem::create_directories(scripts.path() + "/call/augmenters");
  const std::string product = test::source_folder() + "/scripts";
  Nodes nodes(*postgres, {"--set", "scripts=" + product + "," + scripts.path()});
  nodes.start();
  nodes.start();
  const Answer signed_in = nodes[0].login(
      "client_id=sample-app&grant_type=password&username=analyst&password=callisto&scope=session-type:Analyst");
  const std::string token = member(signed_in, "access_token");

  const Answer made = nodes[0].send("POST", api + "incident", headers(token), R"({"ShortDescription":"seen by both"})");
  REQUIRE(made.status == 200);
  const std::string record = api + "incident/" + member(made, "Ref");
  CHECK(member(nodes[1].send("GET", record, headers(token)), "ShortDescription") == "seen by both");
  REQUIRE(nodes[1].send("PUT", record + "/close", headers(token), R"({"Description":"done"})").status == 200);
  const Answer closed = nodes[0].send("GET", record, headers(token));
  CHECK(member(closed, "State") == "2");
  CHECK(closed.body.find("reopen") != std::string::npos);

  SECTION("a reload") {
    std::ofstream(scripts.path() + "/call/augmenters/Greeting.lua") << R"(return extension "Greeting" {
  description = "A greeting.",
  returns = "Text",
  needs = { "State" },
  values = function(calls)
    local all = {}
    for i in ipairs(calls) do all[i] = "hello" end
    return all
  end,
}
)";
    kill(nodes[0].process(), SIGHUP);
    for (std::size_t node : {0U, 1U}) {
      INFO("node " << node);
      CHECK(comes_true([&] {
        return nodes[node].send("GET", record + "?$select=@Greeting", headers(token)).body.find("hello") !=
               std::string::npos;
      }));
    }
  }
  SECTION("a session that ends") {
    REQUIRE(nodes[0]
                .send("POST", "/service.web/oauth/logout",
                      {"Authorization: Bearer " + token, "Content-Type: application/x-www-form-urlencoded"},
                      "token=" + member(signed_in, "refresh_token"))
                .status == 200);
    CHECK(nodes[0].send("GET", record, headers(token)).status == 401);
    // API rules 6: within a second.
    CHECK(comes_true([&] { return nodes[1].send("GET", record, headers(token)).status == 401; }, 3));
  }
}

TEST_CASE("a node with another secret key than its desk's does not start, and says what to do", "[nodes]") {
  auto* postgres = test::Postgres::running();
  if (!postgres) return;
  Nodes nodes(*postgres);
  nodes.start();
  const TemporaryFolder stranger;
  const Finished finished = run_program(
      {"serve", "--set", "listen=127.0.0.1:0", "--data", stranger.path(), "--set", "database=" + nodes.url()});
  CHECK(finished.exit_status == 1);
  CHECK_THAT(finished.output, Catch::Contains("secret.key of the desk's other servers"));
}

TEST_CASE("commands work beside the servers of a desk on PostgreSQL, and count at once", "[nodes]") {
  auto* postgres = test::Postgres::running();
  if (!postgres) return;
  Nodes nodes(*postgres);
  nodes.start();
  const std::string token = nodes[0].token("analyst");
  const std::vector<std::string> where{"--data", nodes.folder(0), "--set", "database=" + nodes.url()};
  const auto run = [&](std::vector<std::string> arguments, std::string_view input = {}) {
    arguments.insert(arguments.end(), where.begin(), where.end());
    return run_program(arguments, input);
  };
  CHECK_THAT(run({"session", "list"}).output, Catch::Contains("ANALYST"));
  CHECK(run({"session", "end", "1"}).exit_status == 0);
  CHECK(comes_true([&] { return nodes[0].send("GET", api + "call?$top=1", headers(token)).status == 401; }, 3));
  CHECK(run({"person", "add", "carla", "--analyst"}, "secret-words\n").exit_status == 0);
  CHECK(nodes[0]
            .login("client_id=sample-app&grant_type=password&username=carla&password=secret-words&scope="
                   "session-type:Analyst")
            .status == 200);
  const Finished verified = run({"audit", "verify"});  // server and commands wrote by turns
  INFO(verified.output);
  CHECK(verified.exit_status == 0);
}

TEST_CASE("of two uses of a refresh token at two nodes at once one wins, and licences are counted once", "[nodes]") {
  auto* postgres = test::Postgres::running();
  if (!postgres) return;
  Nodes nodes(*postgres, {"--set", "licences=40"});  // of which one person may hold a quarter
  nodes.start();
  nodes.start();
  const std::string who = "client_id=sample-app&grant_type=password&username=analyst&password=callisto&scope=";
  for (int round = 0; round < 10; ++round) {
    const Answer signed_in = nodes[0].login(who + "session-type:Analyst");
    REQUIRE(signed_in.status == 200);
    const std::string form =
        "client_id=sample-app&grant_type=refresh_token&refresh_token=" + member(signed_in, "refresh_token");
    std::atomic<int> won = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&, i] { won += nodes[static_cast<std::size_t>(i % 2)].login(form).status == 200 ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
    CHECK(won == 1);
  }
  static const Sql counted("SELECT in_use FROM licence_pool"),
      live("SELECT COUNT(*) FROM \"session\" WHERE \"IsActive\" = 1");
  CHECK(number(nodes.url(), counted) == 10);
}

TEST_CASE(
    "a node that is killed or stands still loses nothing that was acknowledged, and its webhooks go on at the other",
    "[nodes]") {
  auto* postgres = test::Postgres::running();
  if (!postgres) return;
  test::WebhookReceiver receiver;
  Nodes nodes(*postgres, {"--set", "oauth.access_seconds=7200"});
  nodes.start();
  nodes.start();
  const std::string admin = nodes[0].token("admin"), token = nodes[0].token("analyst");
  const Answer hook = nodes[0].send(
      "POST", api + "webhook", headers(admin),
      R"({"Name":"all","CoreEntityType":"Call","Secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw","PayloadUrl":")" +
          receiver.url() + "\"}");
  INFO(hook.body);
  REQUIRE(hook.status == 200);

  Load load(nodes, 2, token);
  REQUIRE(comes_true([&] { return load.count() >= 50; }));
  for (int round = 0; round < (standstill().count() > 0 ? 1 : 3); ++round) {
    nodes[0].kill_at_once();
    const std::size_t before = load.count();
    CHECK(comes_true([&] { return load.count() >= before + 30; }));  // the other goes on
    nodes.restart(0);
    kill(nodes[1].process(), SIGSTOP);
    const auto until = std::chrono::steady_clock::now() + standstill();
    const std::size_t then = load.count();
    CHECK(comes_true([&] { return load.count() >= then + 30 && std::chrono::steady_clock::now() >= until; }, 300));
    kill(nodes[1].process(), SIGCONT);
  }
  load.stop();
  const auto acknowledged = load.acknowledged();
  CHECK(contains_all(refs_at(nodes[0], token), acknowledged));
  CHECK(refs_at(nodes[0], token) == refs_at(nodes[1], token));
  if (standstill().count() > 0) WARN(acknowledged.size() << " acknowledged");
  std::set<std::string> told;
  std::size_t read = 0;
  CHECK(comes_true(
      [&] {
        const auto received = receiver.received();
        for (; read < received.size(); ++read) {
          const auto body = json::parse(received[read].body);
          const json::Node* call = body ? body->find("Call") : nullptr;
          if (const json::Node* ref = call ? call->find("Ref") : nullptr) told.insert(ref->text());
        }
        return contains_all(told, acknowledged);
      },
      120));
}

TEST_CASE("while PostgreSQL is away requests are 503; when it is back all goes on by itself and nothing is lost",
          "[nodes]") {
  const auto postgres = test::Postgres::make();
  if (!postgres) return;
  Nodes nodes(*postgres);
  nodes.start();
  nodes.start();
  const std::string token = nodes[0].token("analyst");
  Load load(nodes, 2, token);
  for (int round = 0; round < 2; ++round) {
    const std::size_t before = load.count();
    REQUIRE(comes_true([&] { return load.count() >= before + 30; }));
    postgres->stop();
    CHECK(comes_true([&] { return nodes[1].send("GET", api + "incident?$top=1", headers(token)).status == 503; }));
    CHECK(comes_true([&] { return nodes[0].send("GET", "/readyz").status == 503; }));
    postgres->restart();
    CHECK(comes_true([&] { return nodes[0].send("GET", "/readyz").status == 200; }));
  }
  const std::size_t last = load.count();
  CHECK(comes_true([&] { return load.count() >= last + 30; }));
  load.stop();
  for (const auto& [status, count] : load.refused()) CHECK((status == 503 && count > 0));
  CHECK(contains_all(refs_at(nodes[0], token), load.acknowledged()));
}
