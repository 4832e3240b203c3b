// kill -9 in the middle of events: every change that was acknowledged is told, and what comes twice is the same to the
// byte.
#include "tests/faults/knobs.h"
#include "webhook_desk.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;
using test::Received;

const int desks = std::max(1, test::fault_count(1));  // more in ./dev faults
constexpr int rounds = 25;
constexpr int events = 500;
constexpr int writers = 4;

struct Acknowledged {
  std::mutex mutex;
  std::set<std::string> refs;
};

// Until the server is gone, or all are made.
void create(const ServerProcess& server, const std::string& token, Acknowledged& all) {
  const ServerProcess::Headers headers{"Authorization: Bearer " + token, "Content-Type: application/json"};
  for (int i = 0; i < events / writers; ++i) {
    const auto answer =
        server.try_send("POST", "/service.api/api/v1/incident", headers, R"({"ShortDescription":"killed"})");
    if (!answer || answer->status != 200) return;
    const std::lock_guard lock(all.mutex);
    all.refs.insert(text_at(answer->body, {"Ref"}));
  }
}

// By id: the bodies that came under it.
std::map<std::string, std::set<std::string>> bodies_of(const std::vector<Received>& all) {
  std::map<std::string, std::set<std::string>> bodies;
  for (const Received& each : all) bodies[each.header("webhook-id")].insert(each.body);
  return bodies;
}

std::set<std::string> told(const std::vector<Received>& all) {
  std::set<std::string> refs;
  for (const Received& each : all) refs.insert(text_at(each.body, {"Call", "Ref"}));
  return refs;
}

// What the server says of the deliveries of some of these records.
std::string states_of(const ServerProcess& server, const std::set<std::string>& refs) {
  const Client admin(server, server.token("admin"));
  std::string states;
  for (const std::string& ref : refs) {
    const Answer answer = admin.get("v1/webhook-delivery", {{"$filter", "EntityRef == " + ref},
                                                            {"$select", "Ref,Status,Attempts,CreatedDate,Error"}});
    states += ref + ": " + answer.body + "\n";
    if (states.size() > 2000) break;
  }
  return states;
}

// How many changes were acknowledged, and told.
std::size_t kill_one_desk() {
  test::WebhookReceiver receiver;
  TemporaryFolder folder;
  Acknowledged acknowledged;
  {
    const ServerProcess server(folder.path(), {"--samples"});
    const Client admin(server, server.token("admin"));
    REQUIRE(admin
                .send("POST", "v1/webhook",
                      R"({"PayloadUrl":")" + receiver.url() +
                          R"(","Secret":"some-secret","CoreEntityType":"Call","PayloadSelect":"Ref"})")
                .status == 200);
  }
  for (int round = 0; round < rounds; ++round) {
    ServerProcess server(folder.path(), {});
    const std::string token = server.token("analyst");
    const std::size_t before = receiver.received().size();
    std::vector<std::thread> threads;
    for (int i = 0; i < writers; ++i) threads.emplace_back([&] { create(server, token, acknowledged); });
    // Somewhere in the middle, another place each round; or, where the killed one still has its lease, before the
    // first.
    receiver.wait_for(before + 5 + static_cast<std::size_t>(round % 25) * 7, std::chrono::seconds(10));
    server.kill_at_once();
    for (std::thread& thread : threads) thread.join();
  }
  const ServerProcess server(folder.path(), {});
  // As long as some come: a machine at work may take its time for thousands.
  constexpr std::chrono::seconds silence(60);
  auto end = std::chrono::steady_clock::now() + silence;
  std::size_t fewest = acknowledged.refs.size() + 1;
  std::set<std::string> missing;
  for (;;) {
    const std::vector<Received> all = receiver.received();
    missing = acknowledged.refs;
    for (const std::string& ref : told(all)) missing.erase(ref);
    if (missing.size() < fewest) end = std::chrono::steady_clock::now() + silence;
    fewest = std::min(fewest, missing.size());
    if (missing.empty() || std::chrono::steady_clock::now() >= end) break;
    receiver.wait_for(all.size() + 1);  // than those that were looked at
  }
  INFO(acknowledged.refs.size() << " acknowledged, " << missing.size() << " never told");
  INFO(states_of(server, missing));
  CHECK(missing.empty());
  CHECK(acknowledged.refs.size() > static_cast<std::size_t>(rounds));
  for (const auto& [id, bodies] : bodies_of(receiver.received())) CHECK(bodies.size() == 1);
  return acknowledged.refs.size();
}

// [unsanitized]: its many starts would only take longer.
TEST_CASE("after a kill -9 every acknowledged change is told", "[webhooks][unsanitized]") {
  std::size_t checked = 0;
  for (int desk = 0; desk < desks; ++desk) {
    checked += kill_one_desk();
    test::say_progress("kill -9 amid events: %d of %d, %zu acknowledged changes told", (desk + 1) * rounds,
                       desks * rounds, checked);
  }
}

}  // namespace
