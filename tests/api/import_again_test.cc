// Imports that are run again, killed, starved of space, or meet a server.
#include "import_desk.h"

#include "engine/storage/database.h"
#include "tests/support/paths.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>
#include <filesystem>

namespace {

using namespace callisto;
using namespace callisto::tests;

constexpr int groups = 6'000;

// Nothing in it tells one record from another, so only the journal can know what is done.
constexpr std::string_view map = R"(return import {
  group_by = "number",
  record "incident" {
    ShortDescription = "number", Number1 = "count",
    Location = find_or_create "location" { by = "Name", Name = "place" },
  },
  rows "call-history" { TicketId = parent, Order = position, Description = "number" },
})";

// Two rows a group, the second one far away; every thousandth group is bad; a hundred places.
std::string many_groups() {
  std::string text = "number,place,count\n";
  for (int i = 0; i < groups; ++i) text += std::to_string(i) + ",p" + std::to_string(i % 100) + ",1\n";
  for (int i = 0; i < groups; ++i)
    text += std::to_string(i) + ",p" + std::to_string(i % 100) + (i % 1000 == 7 ? ",x\n" : ",1\n");
  return text;
}

// How far the journal says that an import has come, 0 where there is none yet.
std::int64_t groups_done(const ImportDesk& desk) {
  const auto database = storage::Database::open({.url = database_url(desk.data()), .read_only = true});
  if (!database) return 0;
  const auto reader = (*database)->connect_reader();
  if (!reader) return 0;
  const auto cursor = (*reader)->query(Sql("SELECT groups_done FROM import_progress"), {});
  const auto found = cursor ? (*cursor)->step() : Result<bool>(false);
  return found && *found ? (*cursor)->integer(0) : 0;
}

// The import as a process of its own, silent.
pid_t start(const ImportDesk& desk, rlim_t most_bytes) {
  const std::string data = desk.data(), file = desk.path("data.csv"), map_file = desk.path("map.lua");
  const std::string output = desk.path("output");
  const std::string database = database_url(data);
  const pid_t process = fork();
  if (process != 0) return process;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setenv("CALLISTO_DATABASE", database.c_str(), 1);
  const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(out, 1);
  dup2(out, 2);
  signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit fails then, as on a full disk
  const rlimit limit{most_bytes, most_bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
  if (chdir(test::source_folder().c_str()) == 0)
    execl(program(), program(), "--data", data.c_str(), "import", file.c_str(), "--map", map_file.c_str(), nullptr);
  _exit(127);
}

// Runs the rest of an import that stopped after some of its groups, and counts everything.
void check_rest(const ImportDesk& desk) {
  const std::int64_t done = groups_done(desk);
  CHECK(done > 0);
  CHECK(done < groups);
  const Finished rest = desk.import("data.csv");
  INFO(rest.output);
  CHECK(rest.exit_status == 1);
  check_holds(rest.output,
              {"continuing where an earlier run stopped, after " + std::to_string(done) + " of 6000 groups\n",
               "5994 incident records, 11988 call-history records, 100 location records imported, 12 rows rejected\n"});
  CHECK(desk.rows(Sql("SELECT count(DISTINCT ShortDescription) || '|' || count(*) FROM call")) == "5994|5994\n");
  CHECK(desk.rows(Sql("SELECT count(*) FROM call_history")) == "11988\n");
  CHECK(desk.rows(Sql("SELECT count(*) || '|' || count(DISTINCT Name) FROM location")) == "100|100\n");
  const std::string rejected = desk.content("data.csv.rejected");
  CHECK(rejected.starts_with("number,place,count\n7,p7,1\n1007,p7,1\n"));
  CHECK(rejected.ends_with("\n4007,p7,x\n5007,p7,x\n"));

  const Finished again = desk.import("data.csv");
  CHECK(again.exit_status == 1);
  CHECK(again.output.starts_with("already complete, nothing to do: 5994 incident records,"));
  CHECK(desk.rows(Sql("SELECT count(*) FROM call")) == "5994\n");
}

}  // namespace

TEST_CASE("an import that was killed goes on where it was") {
  const ImportDesk desk;
  desk.write("map.lua", map).write("data.csv", many_groups());
  const pid_t process = start(desk, RLIM_INFINITY);
  int status = 0;
  while (groups_done(desk) < 1000 && waitpid(process, &status, WNOHANG) == 0) poll(nullptr, 0, 2);
  kill(process, SIGKILL);
  waitpid(process, &status, 0);
  CHECK_FALSE(std::filesystem::exists(desk.path("data.csv.rejected")));
  check_rest(desk);
}

TEST_CASE("an import that has no more space says so without SQL, and goes on when it has", "[sqlite]") {
  const ImportDesk desk;
  desk.write("map.lua", map).write("data.csv", many_groups());
  const pid_t process = start(desk, rlim_t{3} * 1024 * 1024);
  int status = 0;
  waitpid(process, &status, 0);
  CHECK(WEXITSTATUS(status) == 1);
  const std::string said = desk.content("output");
  check_holds(said, {"callisto: the import stopped because the database failed: ",
                     "What was done so far is kept; run the same command again to continue.\n"});
  CHECK(said.find("INSERT") == std::string::npos);
  check_rest(desk);
}

TEST_CASE("while a server has the desk open nothing is imported", "[sqlite]") {
  const ImportDesk desk;
  desk.write("map.lua", "return import { record 'location' { Name = 'name' } }").write("data.csv", "name\na\n");
  {
    const ServerProcess server(desk.data(), {});
    const Finished finished = desk.import("data.csv");
    CHECK(finished.exit_status == 1);
    check_holds(finished.output,
                {"callisto: another server is using this database: ",
                 "callisto: nothing was imported; a server that has the desk open must be stopped first\n"});
  }
  CHECK(desk.import("data.csv").output == "1 location record imported, 0 rows rejected\n");
}

TEST_CASE("an import is known again by map and data, packed or not, whatever the files are called") {
  const ImportDesk desk;
  CHECK(desk.import_csv("return import { record 'location' { Name = 'name' } }", "name\na\n").exit_status == 0);
  CHECK(desk.write("other.csv", "name\na\n").import("other.csv").output ==
        "already complete, nothing to do: 1 location record imported, 0 rows rejected\n");
  CHECK(desk.write("other.csv", "name\na\nb\n").import("other.csv").output ==
        "2 location records imported, 0 rows rejected\n");
  CHECK(desk.rows(Sql("SELECT Name FROM location ORDER BY Ref")) == "a\na\nb\n");
}

TEST_CASE("rejected rows go where they are wanted, and nothing is lost where they cannot") {
  const ImportDesk desk;
  const std::string map_text = "return import { record 'location' { Name = 'name' } }";
  desk.write("map.lua", map_text).write("data.csv", "name,size\na,1\nb\n");
  const Finished failed = desk.import("data.csv", {"--rejected", desk.path("absent/folder")});
  CHECK(failed.exit_status == 1);
  check_holds(failed.output, {"1 location record imported, 1 row rejected\n",
                              "absent/folder cannot be written; name another file "
                              "with --rejected and run the import again\n"});
  const Finished again = desk.import("data.csv", {"--rejected", desk.path("elsewhere")});
  CHECK(again.exit_status == 1);
  CHECK(desk.content("elsewhere") == "name,size\nb\n");
  CHECK(desk.content("data.csv.rejected").empty());
}

TEST_CASE("a file of rejected rows is this import's and whole, or is not said to be") {
  const ImportDesk desk;
  const std::string map_text = "return import { record 'location' { Name = 'name' } }";
  desk.write("map.lua", map_text).write("data.csv", "name,size\na,1\nb\n");
  desk.write("data.csv.rejected", "of another import\n");
  check_holds(desk.import("data.csv").output,
              {"the rejected rows are in data.csv.rejected: fix them and import that file\n"});
  CHECK(desk.content("data.csv.rejected") == "name,size\nb\n");
  check_holds(desk.import("data.csv").output,
              {"the rejected rows are in data.csv.rejected: fix them and import that file\n"});

  for (const char* other : {"name,size\nb,2\n", "name,si"}) {
    const Finished changed = desk.write("data.csv.rejected", other).import("data.csv");
    CHECK(changed.exit_status == 1);
    check_holds(changed.output, {"data.csv.rejected is left as it is: it is not, or no longer, what this import "
                                 "rejected; --rejected NAME keeps those rows in another file\n"});
    CHECK(changed.output.find("fix them and import that file") == std::string::npos);
    CHECK(desk.content("data.csv.rejected") == other);
  }
  std::filesystem::remove(desk.path("data.csv.rejected"));
  check_holds(desk.import("data.csv").output,
              {"the rejected rows are in data.csv.rejected: fix them and import that file\n"});
  CHECK(desk.content("data.csv.rejected") == "name,size\nb\n");

  const Finished good = desk.write("data.csv", "name,size\na,1\nb,2\n").import("data.csv");
  CHECK(good.exit_status == 0);
  check_holds(good.output, {"data.csv.rejected is from an earlier import; this one rejected no row\n"});
  CHECK(desk.content("data.csv.rejected") == "name,size\nb\n");

  std::filesystem::create_symlink("data.csv", desk.path("link"));
  std::filesystem::create_directory(desk.path("folder"));
  for (const char* name : {"link", "folder"}) {
    const Finished refused = desk.import("data.csv", {"--rejected", desk.path(name)});
    CHECK(refused.exit_status == 2);
  }
}
