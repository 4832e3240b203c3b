// callisto reload and describe, as an administrator uses them beside a running server.
#include "desk.h"
#include "own_files.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;
namespace fs = std::filesystem;

Finished run(const std::vector<std::string>& arguments, const OwnFiles& own, const std::string& data) {
  return own.run(arguments, data);
}

void check(const Finished& finished, int status, const std::string& part) {
  INFO(finished.output);
  CHECK(finished.exit_status == status);
  CHECK(finished.output.find(part) != std::string::npos);
}

std::string content_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool knows_floor(const Desk& desk) {
  return desk.get("analyst", "call/$metadata").raw.find("\"name\":\"Floor\"") != std::string::npos;
}

constexpr const char* floor_property = "return add_to \"call\" { properties = { integer \"Floor\" } }";

}  // namespace

TEST_CASE("reload changes the running server, after a look at what it would change") {
  const OwnFiles own;
  Desk desk(own.settings());
  check(run({"reload", "--dry-run"}, own, desk.folder()), 0, "no change of the metadata or of any function\n");
  own.write("entities/call+floor.lua", floor_property);
  const Finished dry = run({"reload", "--dry-run"}, own, desk.folder());
  check(dry, 0, "call, incident, problem, service-request: property Floor added\n");
  check(dry, 0, " passed, 0 failed");
  CHECK_FALSE(knows_floor(desk));
  check(run({"reload"}, own, desk.folder()), 0, "reloaded\n");
  CHECK(knows_floor(desk));
  check(run({"reload", "--dry-run"}, own, desk.folder()), 0, "no change of the metadata or of any function\n");

  own.write("entities/call+floor.lua", "return add_to \"call\" { properties = { intger \"Floor\" } }");
  const std::string before = content_of(desk.folder() + "/reload.json");
  check(run({"reload"}, own, desk.folder()), 1, "call+floor.lua:1");
  check(run({"reload", "--dry-run"}, own, desk.folder()), 1, "call+floor.lua:1");
  CHECK(content_of(desk.folder() + "/reload.json") == before);  // the server was told nothing
  CHECK(knows_floor(desk));
}

TEST_CASE("a property whose values could not be read any more is refused, and what was there goes on serving") {
  const OwnFiles own;
  own.write("entities/call+floor.lua", floor_property);
  Desk desk(own.settings());
  own.write("entities/call+floor.lua", "return add_to \"call\" { properties = { text \"Floor\", integer \"Room\" } }");
  const std::string problem = "column Floor of table call is BIGINT in the database, not TEXT";
  check(run({"reload", "--dry-run"}, own, desk.folder()), 1, "refused: " + problem);
  const Finished refused = run({"reload"}, own, desk.folder());
  check(refused, 1, problem + "; give the property its former type, or another name");
  check(refused, 1, "still runs the previous");
  CHECK(desk.get("analyst", "call/$metadata").raw.find("\"name\":\"Room\"") == std::string::npos);
  check(run({"migrate", "--plan"}, own, desk.folder()), 1, "refused: " + problem);
}

TEST_CASE("a failed spec fails the dry run") {
  const OwnFiles own;
  Desk desk(own.settings());
  own.write("scripts/call/spec/wrong_spec.lua",
            "describe('a call', function() it('is new', function(desk) expect(1):equals(2) end) end)");
  check(run({"reload", "--dry-run"}, own, desk.folder()), 1, "FAILED a call > is new");
}

TEST_CASE("what the server alone finds wrong is told by reload") {
  const OwnFiles own;
  Desk desk(own.settings());
  const OwnFiles others;  // checked here, while the server reads its own
  own.write("entities/call+floor.lua", "return nothing");
  const Finished refused = run({"reload"}, others, desk.folder());
  check(refused, 1, "call+floor.lua");
  check(refused, 1, "still runs the previous");
}

TEST_CASE("reload says clearly when no server runs") {
  const OwnFiles own;
  const TemporaryFolder data;
  check(run({"reload"}, own, data.path()), 1, "no server runs");
  check(run({"reload", "--dry-run"}, own, data.path()), 1, "nothing to compare with");
  std::ofstream(data / "callisto.pid") << getpid() << "\n";  // what a killed server left, its number another's by now
  check(run({"reload"}, own, data.path()), 1, "no server runs");
}

TEST_CASE("serve --watch reloads by itself when a file changes") {
  const OwnFiles own;
  std::vector<std::string> arguments = own.settings();
  arguments.emplace_back("--watch");
  Desk desk(arguments);
  CHECK_FALSE(knows_floor(desk));
  own.write("entities/call+floor.lua", floor_property);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!knows_floor(desk) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(knows_floor(desk));
}

TEST_CASE("describe shows an entity with what it inherits and where that stands") {
  const OwnFiles own;
  const TemporaryFolder data;
  check(run({"describe"}, own, data.path()), 0, "\n  incident ");
  check(run({"describe", "incident"}, own, data.path()), 0, "/entities/common.lua:4]");
  check(run({"describe", "Incident", "--json"}, own, data.path()), 0, "{\"name\":\"incident\",");
  check(run({"describe", "--json"}, own, data.path()), 0, "{\"entities\":[{\"name\":");
  check(run({"describe", "incidnt"}, own, data.path()), 2, "did you mean 'incident'?");
}
