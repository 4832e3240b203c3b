// A PostgreSQL server that is cut off, that takes no writes, and that another takes the place of. Each test returns at
// once where it is not installed, which has been warned of.
#include "tests/api/server_process.h"
#include "tests/support/database_relay.h"
#include "tests/support/postgres.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <functional>
#include <future>
#include <thread>
#include <vector>

using namespace callisto;
using namespace callisto::tests;

namespace {

bool comes_true(const std::function<bool()>& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // a poll: the condition above decides
  }
  return true;
}

struct Desk {
  explicit Desk(const std::string& url) : server(folder.path(), {"--samples", "--set", "database=" + url}) {
    client.emplace(server, server.token("analyst"));
  }
  int create() { return client->send("POST", "v1/incident", R"({"ShortDescription":"x"})").status; }
  int read() { return client->get("v1/call", {{"$top", "1"}}).status; }
  Answer ready() { return server.send("GET", "/readyz"); }

  TemporaryFolder folder;
  ServerProcess server;
  std::optional<Client> client;
};

}  // namespace

TEST_CASE("what is swallowed on the way to the database is 503, the probes answer, and all goes on by itself") {
  auto* postgres = test::Postgres::running();
  if (!postgres) return;
  test::DatabaseRelay relay(postgres->new_database());
  Desk desk(relay.url());
  REQUIRE(desk.create() == 200);
  relay.swallow(true);
  // More than there are threads for requests: /healthz and /metrics do not stand in their line.
  std::vector<std::future<int>> waiting;
  for (int i = 0; i < 600; ++i)
    waiting.push_back(std::async(std::launch::async, [&, i] { return i % 2 == 0 ? desk.read() : desk.create(); }));
  CHECK(desk.server.send("GET", "/healthz").status == 200);
  CHECK(desk.server.send("GET", "/metrics").status == 200);
  std::map<int, int> count;
  for (auto& one : waiting) ++count[one.get()];
  CHECK(count == std::map<int, int>{{503, 600}});
  CHECK(comes_true([&] { return desk.ready().status == 503; }));
  relay.swallow(false);
  CHECK(comes_true([&] { return desk.ready().status == 200 && desk.create() == 200 && desk.read() == 200; }));
}

TEST_CASE(
    "a hot standby in the place of the database costs writes 503, and promoted it serves them without a restart") {
  const auto primary = test::Postgres::make();
  if (!primary) return;
  const std::string url = primary->new_database();
  test::DatabaseRelay relay(url);
  Desk desk(relay.url());
  REQUIRE(desk.create() == 200);
  const auto standby = primary->make_standby();
  if (!standby) return;
  const std::string name = url.substr(url.find("@/") + 2, url.find('?') - url.find("@/") - 2);

  SECTION("at the start it is refused by its cause") {
    const TemporaryFolder folder;
    const Finished refused = run_program(
        {"--data", folder.path(), "--set", "database=" + standby->url_of(name), "serve", "--listen", "127.0.0.1:0"});
    INFO(refused.output);
    CHECK(refused.exit_status == 1);
    CHECK(refused.output.find("it is a hot standby") != std::string::npos);
    CHECK(refused.output.find("Name the primary") != std::string::npos);
  }
  SECTION("while it runs") {
    relay.lead_to(standby->url_of(name));
    CHECK(comes_true([&] { return desk.ready().status == 503; }));
    CHECK(desk.create() == 503);
    CHECK(comes_true([&] { return desk.read() == 200; }));
    standby->promote();
    CHECK(comes_true([&] { return desk.ready().status == 200 && desk.create() == 200 && desk.read() == 200; }));
  }
}
