// A start looks whether the desk that its data folder tells of is still there, and whether others may read it.
#include "server_process.h"

#include "engine/storage/database.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Contains;
namespace fs = std::filesystem;

const std::vector<std::string> quick{"--set", "listen=127.0.0.1:0", "--data"};

// Of a start that must fail.
Finished refused(const std::string& data, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"serve"};
  arguments.insert(arguments.end(), quick.begin(), quick.end());
  arguments.push_back(data);
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments);
}

void make_without_tables(const std::string& path) { CHECK(storage::Database::open({.url = "sqlite:" + path})); }

}  // namespace

TEST_CASE("a desk in memory is new at each start, on the same data folder too", "[sqlite]") {
  const TemporaryFolder folder;
  for (int start = 0; start < 3; ++start) {
    const ServerProcess server(folder.path(), {"--samples", "--set", "database=sqlite::memory:"});
    CHECK(server.send("GET", "/readyz").status == 200);
    CHECK_FALSE(server.token("analyst").empty());
  }
  CHECK_FALSE(fs::exists(folder.path() + "/desk.db"));
  CHECK_FALSE(fs::exists(":memory:"));
}

TEST_CASE("a desk whose database is gone is told, and does not become a new one by itself", "[sqlite]") {
  const TemporaryFolder folder;
  const std::string data = folder.path() + "/desk", database = data + "/desk.db";
  { ServerProcess first(data, {}); }
  for (const std::string gone : {"removed", "emptied", "without tables", "elsewhere"}) {
    INFO(gone);
    fs::remove(database + "-wal");
    fs::remove(database);
    if (gone == "emptied") std::ofstream(database).flush();
    if (gone == "without tables") make_without_tables(database);
    if (fs::exists(database)) fs::permissions(database, fs::perms::owner_read | fs::perms::owner_write);
    std::vector<std::string> more;
    if (gone == "elsewhere") more = {"--set", "database=sqlite:" + folder.path() + "/other.db"};
    const Finished told = refused(data, more);
    CHECK(told.exit_status == 1);
    CHECK_THAT(told.output, Contains("audit.jsonl, audit.head, secret.key, catalog.json"));
    CHECK_THAT(told.output, Contains("callisto serve --new"));
    CHECK(fs::exists(database) == (gone == "emptied" || gone == "without tables"));
  }
  for (const char* only : {"audit.jsonl", "secret.key", "catalog.json"}) {
    const std::string other = folder.path() + "/only-" + only;
    fs::create_directory(other);
    fs::copy_file(data + "/" + only, other + "/" + only);
    INFO(only);
    CHECK(refused(other).exit_status == 1);
  }
  ServerProcess again(data, {"--new"});
  CHECK(again.stop() == 0);
  ServerProcess as_ever(data, {});  // the new one is there now
}

TEST_CASE("a new desk is no news but in the log", "[sqlite]") {
  const TemporaryFolder folder;
  const std::string log = folder.path() + "/log";
  fs::create_directories(folder.path() + "/desk/lost+found");  // a mount of its own
  { ServerProcess first(folder.path() + "/desk", {}, log); }
  std::ifstream file(log);
  CHECK_THAT(std::string(std::istreambuf_iterator<char>(file), {}),
             Contains("a new desk is made: database sqlite:" + folder.path() + "/desk/desk.db"));
}

TEST_CASE("a desk on PostgreSQL that was emptied is told as well", "[nodes]") {
  if (!is_on_postgres()) return;
  const TemporaryFolder folder;
  const std::string data = folder.path() + "/desk";
  { ServerProcess first(data, {}); }
  const std::string other = database_url(folder.path() + "/another");
  const Finished told = refused(data, {"--set", "database=" + other});
  CHECK(told.exit_status == 1);
  CHECK_THAT(told.output, Contains("holds no desk"));
}

TEST_CASE("what anybody may read or write is refused with the mend", "[sqlite]") {
  const TemporaryFolder folder;
  const std::string data = folder.path() + "/desk";
  { ServerProcess first(data, {}); }
  for (const auto& [name, mode, mend] : {std::tuple("", 0777, "chmod o-w "),
                                         {"", 0702, "chmod o-w "},
                                         {"/secret.key", 0604, "chmod o-rwx "},
                                         {"/secret.key", 0602, "chmod o-rwx "},
                                         {"/desk.db", 0644, "chmod o-rwx "},
                                         {"/audit.jsonl", 0666, "chmod o-rwx "}}) {
    const std::string path = data + name;
    struct stat before {};
    REQUIRE(stat(path.c_str(), &before) == 0);
    chmod(path.c_str(), static_cast<mode_t>(mode));
    const Finished told = refused(data);
    INFO(path << " " << told.output);
    CHECK(told.exit_status == 1);
    CHECK_THAT(told.output, Contains(mend + path));
    chmod(path.c_str(), before.st_mode & 07777U);
  }
  REQUIRE(chmod(data.c_str(), 0755) == 0);
  REQUIRE(chmod((data + "/secret.key").c_str(), 0640) == 0);  // a group is somebody's choice
  ServerProcess fine(data, {});
  CHECK(fine.stop() == 0);
}

TEST_CASE("an address that cannot be listened on is told with its reason", "[sqlite]") {
  const TemporaryFolder folder;
  const auto told = [&](const std::string& listen) {
    return run_program({"serve", "--data", folder.path(), "--listen", listen}).output;
  };
  CHECK_THAT(told("desk.invalid:0"), Contains("'desk.invalid' is no address and no name that this machine knows"));
  CHECK_THAT(told("192.0.2.1:0"), Contains("'192.0.2.1' is no address of this machine"));
  ServerProcess other(folder.path() + "/other", {});
  CHECK_THAT(told(other.base_url().substr(7)), Contains("another program uses this port"));
}
