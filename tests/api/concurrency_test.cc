// Many clients at once: nothing is lost, nothing is doubled, one of many wins.
#include "server_process.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace callisto;
using namespace callisto::tests;

constexpr const char* incidents = "/service.api/api/v1/incident";

ServerProcess::Headers json_headers(const std::string& token) {
  return {"Authorization: Bearer " + token, "Content-Type: application/json"};
}

std::string member(const Answer& answer, const char* name) {
  const auto body = json::parse(answer.body, json::Limits{32, 1'000'000});
  const json::Node* found = body ? body->find(name) : nullptr;
  return found ? found->text() : std::string();
}

// `count` threads that each call `work` with their number.
template <typename Work>
void at_once(int count, const Work& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("two hundred creates at once give two hundred keys and as many rows") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples"});
  const std::string token = server.token("analyst");
  std::vector<std::string> keys(200);
  at_once(20, [&](int thread) {
    for (int i = 0; i < 10; ++i)
      keys[static_cast<std::size_t>(thread * 10 + i)] =
          member(server.send("POST", incidents, json_headers(token), R"({"ShortDescription":"parallel"})"), "Ref");
  });
  CHECK(std::set<std::string>(keys.begin(), keys.end()).size() == 200);
  CHECK(std::count(keys.begin(), keys.end(), "") == 0);
  const Client client(server, token);
  CHECK(client.get("v1/incident", {{"$filter", "ShortDescription == \"parallel\""}, {"$count", "true"}}).body == "200");
  for (const std::string& key : keys)
    CHECK(client.get("v1/call-history", {{"$filter", "TicketId == " + key}, {"$count", "true"}}).body == "1");
}

// They share commits: what one had written before it failed must not stay with the others'.
TEST_CASE("of creates at once those whose script writes a lookup to nowhere fail, and leave nothing") {
  const TemporaryFolder folder, scripts;
  std::filesystem::create_directories(scripts.path() + "/problem/actions");
  std::ofstream(scripts.path() + "/problem/actions/create.lua") << R"(return action "create" {
    run = function(problem)
      desk.create("incident", { ShortDescription = "left behind" })
      problem.Priority = 99999
    end,
  })";
  const ServerProcess server(folder.path(), {"--samples", "--set", "scripts=scripts," + scripts.path()});
  const std::string token = server.token("analyst");
  std::atomic<int> made{0}, failed{0};
  at_once(20, [&](int thread) {
    const std::string url = thread % 2 ? "/service.api/api/v1/problem" : incidents;
    for (int i = 0; i < 10; ++i) {
      const Answer answer = server.send("POST", url, json_headers(token), R"({"ShortDescription":"beside"})");
      ++(answer.status == 200 ? made : failed);
    }
  });
  CHECK(made == 100);
  CHECK(failed == 100);
  const Client client(server, token);
  const auto count = [&](const std::string& title) {
    return client.get("v1/call", {{"$filter", "ShortDescription == \"" + title + "\""}, {"$count", "true"}}).body;
  };
  CHECK(count("beside") == "100");
  CHECK(count("left behind") == "0");
}

TEST_CASE("of fifty updates with one ETag exactly one wins, in every round") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples"});
  const std::string token = server.token("analyst");
  const Answer made =
      server.send("POST", incidents, json_headers(token), R"({"ShortDescription":"contended","Number1":0})");
  const std::string target = std::string(incidents) + "/" + member(made, "Ref");
  std::string etag = made.headers.at("etag");
  for (int round = 1; round <= 4; ++round) {
    std::atomic<int> won = 0, refused = 0;
    at_once(50, [&](int i) {
      auto headers = json_headers(token);
      headers.push_back("If-Match: " + etag);
      const Answer answer =
          server.send("PUT", target, headers, "{\"Number1\":" + std::to_string(round * 100 + i) + "}");
      if (answer.status == 200) ++won;
      if (answer.status == 400 && answer.body.find("\"NotAllowed\"") != std::string::npos) ++refused;
    });
    CHECK(won == 1);
    CHECK(refused == 49);
    const Answer now = server.send("GET", target, {"Authorization: Bearer " + token});
    etag = now.headers.at("etag");
    CHECK(member(now, "LastHistoryOrder") == std::to_string(round + 1));
  }
}

TEST_CASE("a POST sent again and again with one key makes one record") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples"});
  const std::string token = server.token("analyst");
  std::vector<std::string> keys(10);
  auto headers = json_headers(token);
  headers.push_back("Idempotency-Key: 9d2f");
  at_once(10, [&](int i) {
    keys[static_cast<std::size_t>(i)] =
        member(server.send("POST", incidents, headers, R"({"ShortDescription":"once"})"), "Ref");
  });
  CHECK(std::set<std::string>(keys.begin(), keys.end()).size() == 1);
  CHECK_FALSE(keys.front().empty());
  const Client client(server, token);
  CHECK(client.get("v1/incident", {{"$filter", "ShortDescription == \"once\""}, {"$count", "true"}}).body == "1");
  CHECK(server.send("POST", incidents, headers, R"({"ShortDescription":"other"})").status == 400);
}
