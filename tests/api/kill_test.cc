// kill -9 while clients write: what was acknowledged is there afterwards, and no action is there by half.
#include "server_process.h"
#include "tests/faults/knobs.h"

#include <signal.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace callisto;
using namespace callisto::tests;

const int desks = std::max(1, test::fault_count(1));  // more in ./dev faults
constexpr int rounds = 25;
constexpr int writers = 8;

std::string member(const std::string& text, const char* name) {
  const auto body = json::parse(text, json::Limits{32, 1'000'000});
  const json::Node* found = body ? body->find(name) : nullptr;
  return found ? found->text() : std::string();
}

struct Acknowledged {
  std::string ref;
  bool closed = false;
};

// Creates calls and closes each, until the server is gone.
void write_until_killed(const ServerProcess& server, const std::string& token, std::mutex& mutex,
                        std::vector<Acknowledged>& all, std::atomic<int>& count) {
  const ServerProcess::Headers headers{"Authorization: Bearer " + token, "Content-Type: application/json"};
  const std::string calls = "/service.api/api/v1/incident";
  for (;;) {
    const auto made = server.try_send("POST", calls, headers, R"({"ShortDescription":"killed","ReceivingGroup":1})");
    if (!made || made->status != 200) return;
    const std::string ref = member(made->body, "Ref");
    std::size_t index = 0;
    {
      const std::lock_guard lock(mutex);
      index = all.size();
      all.push_back({ref, false});
      ++count;
    }
    const auto closed = server.try_send("PUT", calls + "/" + ref + "/close", headers, R"({"Description":"done"})");
    if (!closed || closed->status != 200) return;
    const std::lock_guard lock(mutex);
    all[index].closed = true;
  }
}

// Every record has as many history rows as it says, and a closed one was closed by an action that left its row.
void check_whole(const Client& client) {
  const json::Node page = client.get_json("v1/incident", {{"$filter", "ShortDescription == \"killed\""},
                                                          {"$select", "Ref,State,LastHistoryOrder,ClosedDate"},
                                                          {"$top", "100000"}});
  std::size_t rows = 0;
  for (const json::Node& row : page.find("results")->items()) {
    const bool closed = row.find("State")->text() == "2";
    CHECK(row.find("LastHistoryOrder")->text() == (closed ? "3" : "2"));
    CHECK(row.find("ClosedDate")->is_null() != closed);
    rows += closed ? 3 : 2;
  }
  const Answer history = client.get("v1/incident", {{"$filter", "ShortDescription == \"killed\""},
                                                    {"$innerJoin", "H:CallHistory(TicketId==Ref)"},
                                                    {"$count", "true"}});
  CHECK(history.body == std::to_string(rows));
}

// How many writes were acknowledged, and found again.
std::size_t kill_one_desk() {
  const TemporaryFolder folder;
  std::vector<Acknowledged> all;
  std::mutex mutex;
  for (int round = 0; round < rounds; ++round) {
    INFO("round " << round);
    ServerProcess server(folder.path(), {"--samples"});
    const std::string token = server.token("admin");
    std::atomic<int> count = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < writers; ++i)
      threads.emplace_back([&] { write_until_killed(server, token, mutex, all, count); });
    while (count < 20 + round % 50) std::this_thread::yield();
    server.kill_at_once();
    for (std::thread& thread : threads) thread.join();
  }
  const ServerProcess server(folder.path(), {"--samples"});
  const Client client(server, server.token("admin"));
  check_whole(client);
  for (const Acknowledged& each : all) {
    const Answer answer = client.get("v1/incident/" + each.ref, {{"$select", "State"}});
    INFO(each.ref << " " << answer.body.substr(0, 200));
    CHECK(answer.status == 200);
    if (each.closed) CHECK(member(answer.body, "State") == "2");
  }
  return all.size();
}

}  // namespace

// [unsanitized]: its many starts would only take longer.
TEST_CASE("kill -9 under a write load loses nothing that was acknowledged and leaves nothing by half",
          "[unsanitized]") {
  std::size_t checked = 0;
  for (int desk = 0; desk < desks; ++desk) {
    checked += kill_one_desk();
    test::say_progress("kill -9: %d of %d, %zu acknowledged writes checked", (desk + 1) * rounds, desks * rounds,
                       checked);
  }
}
