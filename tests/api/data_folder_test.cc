// A data folder has one server, whatever its database; what one that was killed left behind hinders nobody.
#include "server_process.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace {

using namespace callisto::tests;
using Catch::Matchers::Contains;

std::string content(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<std::string> with_database(const TemporaryFolder& folder, const std::string& name) {
  return {"--set", "database=sqlite:" + (folder / name)};
}

Finished second_server(const TemporaryFolder& folder, const std::string& database) {
  return run_program({"serve", "--set", "listen=127.0.0.1:0", "--data", folder / "data", "--set",
                      "database=sqlite:" + (folder / database)});
}

}  // namespace

TEST_CASE("a second server on a data folder is refused, with another database too", "[sqlite]") {
  const TemporaryFolder folder;
  const std::string data = folder / "data", pid_file = data + "/callisto.pid";
  ServerProcess server(data, with_database(folder, "a.db"));
  const std::string process = std::to_string(server.process());
  for (const char* database : {"a.db", "b.db"}) {
    const Finished second = second_server(folder, database);
    CHECK(second.exit_status == 1);
    CHECK_THAT(second.output, Contains("another server runs on the data folder " + data) && Contains("--data") &&
                                  Contains(pid_file + " is locked by process " + process + "\n"));
  }
  CHECK(content(pid_file) == process + "\n");
  CHECK(run_program({"audit", "verify", "--data", data}).exit_status == 0);
  CHECK(server.stop() == 0);
  CHECK(content(pid_file).empty());
}

TEST_CASE("commands work beside the server of a data folder", "[sqlite]") {
  const TemporaryFolder folder;
  const std::string data = folder / "data";
  const ServerProcess server(data, {});
  const std::vector<std::vector<std::string>> commands{{"check"},
                                                       {"check", "--database"},
                                                       {"reload"},
                                                       {"backup", folder / "copy"},
                                                       {"export", "--output", folder / "rows"},
                                                       {"audit", "list"},
                                                       {"audit", "verify"},
                                                       {"session", "list"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.end(), {"--data", data});
    const Finished finished = run_program(command);
    INFO(command.front() << ": " << finished.output);
    CHECK(finished.exit_status == 0);
  }
  const ServerProcess copy(folder / "copy", {});  // which brings no lock along
  CHECK(copy.send("GET", "/readyz").status == 200);
}

TEST_CASE("a server that was killed leaves its data folder to the next", "[sqlite]") {
  const TemporaryFolder folder;
  const std::string data = folder / "data";
  std::string killed;
  {
    ServerProcess server(data, with_database(folder, "a.db"));
    killed = std::to_string(server.process()) + "\n";
    server.kill_at_once();
  }
  CHECK(content(data + "/callisto.pid") == killed);
  CHECK_THAT(run_program({"reload", "--data", data}).output, Contains("no server runs on " + data));
  const ServerProcess next(data, with_database(folder, "a.db"));
  CHECK(content(data + "/callisto.pid") == std::to_string(next.process()) + "\n");
  CHECK(run_program({"reload", "--data", data}).exit_status == 0);
}
