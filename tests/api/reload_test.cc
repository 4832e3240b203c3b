// Entities and scripts changed while the server runs: SIGHUP takes them in whole or not at all.
#include "desk.h"
#include "tests/support/paths.h"

#include <signal.h>
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;
namespace fs = std::filesystem;

// Folders of a site's own, outside the product's tree.
class Site {
 public:
  Site() {
    fs::create_directories(folder_ / "entities");
    fs::create_directories(folder_ / "scripts/call/actions");
    fs::create_directories(folder_ / "scripts/call/augmenters");
    const auto product = [](const char* name) { return test::source_folder() + "/" + name; };
    desk_.emplace(std::vector<std::string>{"--set", "entities=" + product("entities") + "," + (folder_ / "entities"),
                                           "--set", "scripts=" + product("scripts") + "," + (folder_ / "scripts"),
                                           "--set", "oauth.access_seconds=86400"});
  }

  void write(const std::string& path, const std::string& text) const { std::ofstream(folder_ / path) << text; }
  void remove(const std::string& path) const { fs::remove(folder_ / path); }

  // The outcome: what DATA/reload.json says of the run that this begins.
  json::Node reload() {
    const std::string path = desk_->folder() + "/reload.json";
    const std::string before = read(path);
    kill(desk_->server().process(), SIGHUP);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    std::string after = before;
    while (after == before && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a poll: the condition above decides
      after = read(path);
    }
    REQUIRE(after != before);
    const auto parsed = json::parse(after, {});
    REQUIRE(parsed);
    return *parsed;
  }
  Desk& desk() { return *desk_; }

 private:
  static std::string read(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  test::TemporaryFolder folder_;
  std::optional<Desk> desk_;
};

const char* const applaud = R"(return action "applaud" {
  description = "Says that this was done well.",
  offered     = "State != 0",
  raises      = "Applauded",
  run = function(call) call.Applause = (call.Applause or 0) + 1 end,
}
)";

TEST_CASE("a property, an action and an augmenter go live without a restart", "[reload]") {
  Site site;
  const std::string ref = site.desk().refs("analyst", "incident", {{"$filter", "State == 2"}, {"$top", "1"}}).at(0);
  CHECK(site.desk().send("analyst", "PUT", "incident/" + ref + "/applaud", "{}").status == 404);
  site.write("entities/call+applause.lua",
             "return add_to \"call\" { properties = { integer \"Applause\" { readonly = true } } }\n");
  site.write("scripts/call/actions/applaud.lua", applaud);
  site.write("scripts/call/augmenters/IsApplauded.lua",
             "return condition \"IsApplauded\" { filter = \"Applause > 0\" }\n");
  CHECK(text_of(site.reload(), "Done") == "true");
  CHECK(site.desk().done("analyst", "PUT", "incident/" + ref + "/applaud", "{}")["Applause"] == "1");
  CHECK(site.desk().refs("analyst", "incident", {{"$filter", "@IsApplauded"}}) == std::vector<std::string>{ref});
  CHECK(site.desk().get("analyst", "incident/" + ref).actions().count("Applaud") == 1);

  site.remove("scripts/call/actions/applaud.lua");
  CHECK(text_of(site.reload(), "Done") == "true");
  CHECK(site.desk().send("analyst", "PUT", "incident/" + ref + "/applaud", "{}").status == 404);
}

TEST_CASE("the records of an entity that leaves the desk are kept, not shown as others, and come back with it",
          "[reload]") {
  Site site;
  const char* const path = "entities/vehicle.lua";
  const std::string vehicle =
      "return entity \"vehicle\" { extends = \"asset\", description = \"What people drive.\" }\n";
  site.write(path, vehicle);
  REQUIRE(text_of(site.reload(), "Done") == "true");
  Desk& desk = site.desk();
  const std::string ref = desk.done("analyst", "POST", "vehicle", R"({"AssetRef":"V1","Name":"Van"})")["Ref"];
  const auto all = [&] { return desk.refs("analyst", "asset", {{"$top", "1000"}}); };
  const std::size_t before = all().size();
  REQUIRE(desk.send("analyst", "GET", "asset/" + ref).status == 200);

  site.remove(path);
  REQUIRE(text_of(site.reload(), "Done") == "true");
  CHECK(desk.send("analyst", "GET", "asset/" + ref).status == 404);
  CHECK(all().size() == before - 1);
  CHECK(desk.refs("analyst", "asset", {{"$filter", "AssetRef == \"V1\""}}).empty());

  site.write(path, vehicle);
  REQUIRE(text_of(site.reload(), "Done") == "true");
  CHECK(desk.get("analyst", "asset/" + ref)["Name"] == "Van");
  CHECK(all().size() == before);
}

TEST_CASE("a bad script leaves what was there in place, and says where it is wrong", "[reload]") {
  Site site;
  site.write("entities/call+applause.lua",
             "return add_to \"call\" { properties = { integer \"Applause\" { readonly = true } } }\n");
  site.write("scripts/call/actions/applaud.lua", applaud);
  CHECK(text_of(site.reload(), "Done") == "true");
  for (const char* wrong : {"return action \"applaud\" { ofered = \"State != 0\" }\n", "return action \"applaud\" {\n",
                            "return action \"applaud\" { offered = \"Sate != 0\" }\n"}) {
    site.write("scripts/call/actions/applaud.lua", wrong);
    const json::Node outcome = site.reload();
    CHECK(text_of(outcome, "Done") == "false");
    const auto& problems = outcome.find("Problems")->items();
    REQUIRE_FALSE(problems.empty());
    CHECK(problems.front().text().find("applaud.lua:") != std::string::npos);
    const std::string ref = site.desk().refs("analyst", "incident", {{"$filter", "State == 2"}, {"$top", "1"}}).at(0);
    CHECK(site.desk().send("analyst", "PUT", "incident/" + ref + "/applaud", "{}").status == 200);
  }
  site.write("scripts/call/actions/applaud.lua", applaud);
  CHECK(text_of(site.reload(), "Done") == "true");
}

std::size_t resident_kib(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6));
  return 0;
}

// The number of rounds is small here, where it is about correctness; CALLISTO_RELOADS asks for more.
TEST_CASE("reloads under load fail no request and leave no memory behind", "[reload][unsanitized]") {
  Site site;
  const char* asked = std::getenv("CALLISTO_RELOADS");
  const int rounds = asked ? std::atoi(asked) : 20;
  const std::string token = site.desk().server().token("analyst");
  std::atomic<bool> stopping = false;
  std::atomic<int> done = 0, failed = 0;
  // Written to is one record alone, so that the desk and what SQLite keeps of it do not grow.
  const std::string record = "/service.api/api/v1/incident/" +
                             site.desk().done("analyst", "POST", "incident", R"({"ShortDescription":"x"})")["Ref"];
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      const ServerProcess::Headers headers{"Authorization: Bearer " + token, "Content-Type: application/json"};
      while (!stopping) {
        const auto answer = i == 0
                                ? site.desk().server().try_send("PUT", record, headers, R"({"ShortDescription":"y"})")
                                : site.desk().server().try_send("GET", "/service.api/api/v1/incident?$top=5", headers);
        ++(answer && answer->status == 200 ? done : failed);
      }
    });
  for (int i = 0; i < 5; ++i) site.reload();  // warm
  const std::size_t before = resident_kib(site.desk().server().process());
  for (int i = 0; i < rounds; ++i) CHECK(text_of(site.reload(), "Done") == "true");
  stopping = true;
  for (std::thread& thread : threads) thread.join();
  const std::size_t after = resident_kib(site.desk().server().process());
  INFO(done << " requests, " << before << " KiB before, " << after << " KiB after");
  if (asked) WARN(done << " requests, " << before << " KiB before, " << after << " KiB after");
  CHECK(failed == 0);
  CHECK(done > rounds);
  CHECK(after < before + before / 2 + 20'000);
}

}  // namespace
