// callisto backup: beside a server that writes, and restored.
#include "desk.h"
#include "engine/storage/database.h"

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;

constexpr const char* incidents = "/service.api/api/v1/incident";

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 0777 : 0;
}

// By the program's own connection, which knows the collations of the indexes.
std::string integrity_of(const std::string& folder) {
  const auto database = storage::Database::open({.url = "sqlite:" + folder + "/desk.db", .read_only = true});
  REQUIRE(database);
  const auto connection = (*database)->connect_reader();
  REQUIRE(connection);
  auto cursor = (*connection)->query(Sql("PRAGMA integrity_check"), {});
  REQUIRE(cursor);
  REQUIRE((*cursor)->step());
  return std::string((*cursor)->text(0));
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Clients that write until they are told to stop; the Refs of what was acknowledged.
class Writers {
 public:
  Writers(const ServerProcess& server, const std::string& token) {
    for (int i = 0; i < 6; ++i)
      threads_.emplace_back([this, &server, token] {
        while (!stopping_) {
          const auto answer =
              server.try_send("POST", incidents, {"Authorization: Bearer " + token, "Content-Type: application/json"},
                              R"({"ShortDescription":"under load"})");
          const auto body =
              answer && answer->status == 200 ? json::parse(answer->body) : Result<json::Node>(internal(""));
          if (!body) continue;
          const std::lock_guard lock(mutex_);
          acknowledged_.insert(text_of(*body, "Ref"));
        }
      });
  }
  ~Writers() {
    stopping_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  std::set<std::string> acknowledged() {
    const std::lock_guard lock(mutex_);
    return acknowledged_;
  }
  void wait_for(std::size_t count) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (acknowledged().size() < count) {
      REQUIRE(std::chrono::steady_clock::now() < end);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

 private:
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::set<std::string> acknowledged_;
  std::vector<std::thread> threads_;
};

}  // namespace

TEST_CASE("what a desk keeps is its owner's alone, whatever the umask of whoever starts it", "[sqlite]") {
  const TemporaryFolder folder;
  const mode_t before = umask(0022);
  const ServerProcess server(folder.path() + "/desk", {"--samples"});
  umask(before);
  std::set<std::string> names;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path() + "/desk")) {
    INFO(file.path());
    names.insert(file.path().filename());
    CHECK((mode_of(file.path()) & 077) == 0);
  }
  for (const char* name : {"desk.db", "desk.db-wal", "desk.db-shm", "secret.key", "audit.jsonl"})
    CHECK(names.count(name) == 1);
}

TEST_CASE("a backup made under load has every change that was acknowledged before it began", "[sqlite]") {
  const TemporaryFolder folder;
  const std::string backup = folder.path() + "/backups/one";
  const ServerProcess server(folder.path() + "/desk", {"--samples"});
  std::set<std::string> before;
  {
    Writers writers(server, server.token("analyst"));
    writers.wait_for(100);
    before = writers.acknowledged();
    const Finished finished = run_program({"backup", backup, "--data", folder.path() + "/desk"});
    INFO(finished.output);
    CHECK(finished.exit_status == 0);
    CHECK_THAT(finished.output, Contains("callisto serve --data " + backup));
    const std::size_t then = writers.acknowledged().size();
    writers.wait_for(then + 20);  // the server goes on
  }
  CHECK(mode_of(backup) == 0700);
  CHECK(mode_of(backup + "/desk.db") == 0600);
  CHECK(mode_of(backup + "/secret.key") == 0600);
  CHECK(integrity_of(backup) == "ok");
  CHECK(run_program({"audit", "verify", "--data", backup}).exit_status == 0);

  const ServerProcess restored(backup, {});
  const Client client(restored, restored.token("analyst"));
  std::size_t found = 0;
  for (const std::string& ref : before) found += client.get("v1/incident/" + ref).status == 200 ? 1 : 0;
  CHECK(found == before.size());
  // Whole actions: each call has the history of its creation.
  const std::string made =
      client.get("v1/incident", {{"$filter", "ShortDescription == \"under load\""}, {"$count", "true"}}).body;
  CHECK(std::stoul(made) >= before.size());
  const std::string history = client
                                  .get("v1/call-history", {{"$innerJoin", "Made:Incident(Ref == TicketId)"},
                                                           {"$filter", "Made.ShortDescription == \"under load\""},
                                                           {"$count", "true"}})
                                  .body;
  CHECK(history == made);
}

TEST_CASE("a restored desk goes on: keys are not given again, secrets have their key, sessions are those of the moment",
          "[sqlite]") {
  const TemporaryFolder folder;
  const std::string data = folder.path() + "/desk", backup = folder.path() + "/copy";
  std::string token, ref;
  {
    const ServerProcess server(data, {"--samples"});
    token = server.token("admin");
    const Client client(server, token);
    ref = text_of(*json::parse(client.send("POST", "v1/incident", R"({"ShortDescription":"last"})").body), "Ref");
    REQUIRE(run_program({"backup", backup, "--data", data}).exit_status == 0);
  }
  CHECK(contents(backup + "/secret.key") == contents(data + "/secret.key"));
  const ServerProcess restored(backup, {});
  const Client client(restored, token);  // the session is a row like any other
  const Answer made = client.send("POST", "v1/incident", R"({"ShortDescription":"next"})");
  REQUIRE(made.status == 200);
  CHECK(std::stoll(text_of(*json::parse(made.body), "Ref")) == std::stoll(ref) + 1);
}

TEST_CASE("a backup of a damaged database is told and has another name", "[sqlite]") {
  const TemporaryFolder folder;
  const std::string data = folder / "desk";
  { const ServerProcess server(data, {"--samples"}); }
  const std::string whole = contents(data + "/desk.db");
  constexpr std::size_t page_bytes = 4096;
  const std::size_t pages = whole.size() / page_bytes;
  REQUIRE(pages > 300);
  std::size_t found = 0;
  for (std::size_t page = 2; page < pages; page += pages / 10) {
    const std::string backup = folder / ("page " + std::to_string(page) + "?%41");  // no special characters of a url
    {
      std::fstream file(data + "/desk.db", std::ios::in | std::ios::out | std::ios::binary);
      file << whole;
      file.seekp(static_cast<std::streamoff>(page * page_bytes)) << std::string(page_bytes, '\x5a');
    }
    const Finished finished = run_program({"backup", backup, "--data", data});
    INFO(page << ": " << finished.output);
    if (finished.exit_status == 0) continue;  // inside a large value: nothing tells that it was another
    ++found;
    CHECK(finished.exit_status == 1);
    if (finished.output.find("callisto: the database is damaged") !=
        std::string::npos) {  // what tables it has: no copy
      CHECK_THAT(finished.output, Contains("`callisto check --database`") && Contains("serve --data COPY"));
      CHECK_FALSE(std::filesystem::exists(backup));
      continue;
    }
    CHECK_THAT(finished.output, Contains("desk.db is damaged") && Contains("serve --data BACKUP") &&
                                    Contains("callisto export ENTITY --data " + backup + ".damaged\n"));
    CHECK_FALSE(std::filesystem::exists(backup));
    // The first page counts changes.
    const auto rows = [](const std::string& path) { return contents(path + "/desk.db").substr(page_bytes); };
    CHECK((rows(backup + ".damaged") == rows(data)));
    CHECK(contents(backup + ".damaged/secret.key") == contents(data + "/secret.key"));
  }
  CHECK(found >= 5);
}

TEST_CASE("a backup of a desk that nobody serves, and what is refused", "[sqlite]") {
  const TemporaryFolder folder;
  const std::string data = folder.path() + "/desk";
  { const ServerProcess server(data, {"--samples"}); }
  CHECK(run_program({"backup", folder.path() + "/a/", "--data", data}).exit_status == 0);
  CHECK(std::filesystem::exists(folder.path() + "/a/desk.db"));
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/a/desk.db-shm"));

  const Finished again = run_program({"backup", folder.path() + "/a", "--data", data});
  CHECK(again.exit_status == 1);
  CHECK_THAT(again.output, Contains("exists") && Contains("new folder"));

  std::filesystem::remove(data + "/secret.key");
  const Finished without_key = run_program({"backup", folder.path() + "/b", "--data", data});
  CHECK(without_key.exit_status == 1);
  CHECK_THAT(without_key.output, Contains("secret.key"));
  CHECK(run_program({"backup", folder.path() + "/c", "--data", folder.path() + "/nothing"}).exit_status == 1);
  CHECK(run_program({"backup", "--data", data}).exit_status == 2);
  // Nothing is left of what failed.
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++entries;
  CHECK(entries == 2);
}
