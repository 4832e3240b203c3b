// What a running desk was asked: kept without values, logged where it is slow, and turned into lines of entity files.
#include "desk.h"
#include "engine/base/file_lock.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using namespace callisto;
using namespace callisto::tests;

std::string whole(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string thousand() {
  std::string batch = "[";
  for (int i = 0; i < 1000; ++i) {
    if (i > 0) batch += ',';
    batch += R"({"ShortDescription": "call )" + std::to_string(i) + R"(", "Impact": 2, "Urgency": )" +
             std::to_string(1 + i % 3) + "}";
  }
  return batch + "]";
}

const Query question{{"$filter", "Urgency == 2"}, {"$orderby", "ClosedDate"}, {"$top", "30"}};

}  // namespace

TEST_CASE("$explain says how many rows are looked at, what was weighed, and the line that would help") {
  const Desk desk;
  Query explained = question;
  explained.emplace_back("$explain", "true");
  const Reply reply = desk.get("admin", "call", explained);
  REQUIRE(reply.status == 200);
  const json::Node* rows = reply.body.find("Rows");
  CHECK(std::stoi(text_of(*rows, "RowsExamined")) >= std::stoi(text_of(*rows, "Rows")));
  CHECK(std::stoi(text_of(*rows, "Rows")) > 0);
  CHECK(text_of(*reply.body.find("Choice"), "Chosen") == "in order");
  CHECK(text_of(*reply.body.find("Index"), "Line") == R"(index { "Urgency", "ClosedDate" })");
  CHECK(text_of(*reply.body.find("Index"), "Entity") == "call");
  const Reply led = desk.get("admin", "call", {{"$filter", "@IsOpen"}, {"$orderby", "DueDate"}, {"$explain", "true"}});
  CHECK(led.body.find("Index") == nullptr);  // an index is there for it
}

TEST_CASE("a slow request is logged with the form of its question and its plan, and counted; no value is told") {
  const TemporaryFolder folder;
  const std::string log = folder / "log";
  {
    const ServerProcess server(folder / "data", {"--samples", "--set", "log.slow_ms=1", "--set", "log.level=info"},
                               log);
    const Client client(server, server.token("admin"));
    for (int round = 0; round < 5; ++round) CHECK(client.send("POST", "v1/incident/$batch", thousand()).status == 200);
    for (int turn = 0; turn < 5; ++turn)
      client.get("v1/call", {{"$filter", R"(ShortDescription != "it's secret\n->  a word" && Urgency != 9)"},
                             {"$orderby", "Solution"},
                             {"$top", "5000"}});
    CHECK(server.send("GET", "/metrics").body.find("callisto_slow_requests_total 0") == std::string::npos);
  }
  const std::string lines = whole(log);
  const std::size_t slow = lines.find("slow: GET call took ");
  REQUIRE(slow != lines.npos);
  const std::string line = lines.substr(slow, lines.find('\n', slow) - slow);
  CHECK(line.find("ShortDescription != {Text ShortDescription}") != line.npos);
  CHECK(line.find("plan: ") != line.npos);
  CHECK(line.find("request=") != line.npos);
  for (const char* part : {"secret", "a word"}) CHECK(lines.find(part) == lines.npos);
}

TEST_CASE("callisto advise proposes the index that what was asked needs, measured on a copy") {
  Desk desk;
  for (int round = 0; round < 6; ++round)
    REQUIRE(desk.send("analyst", "POST", "incident/$batch", thousand())["Failed"] == "0");
  const Query counted{{"$filter", "Urgency == 2 && Impact == 2"}, {"$count", "true"}};
  for (int i = 0; i < 3; ++i) CHECK(desk.get("admin", "call", counted).status == 200);
  CHECK(desk.get("admin", "call", {{"$filter", "ShortDescription == \"a private text\""}}).status == 200);
  const std::string data = desk.folder();
  desk.server().stop();

  const std::string asked = whole(data + "/asked.jsonl");
  CHECK(asked.find(R"x("Filter":"(Urgency == {Lookup Urgency} && Impact == {Lookup Impact})")x") != asked.npos);
  CHECK(asked.find("private") == asked.npos);

  std::filesystem::create_directories(data + "/advise/of a killed command");
  {
    const auto lock = FileLock::take(data + "/advise/lock", "held by this test");
    REQUIRE(lock);
    const Finished beside = run_program({"advise", "--data", data});
    CHECK(beside.exit_status == 1);
    CHECK(beside.output.find("callisto advise is at work on this desk already") != std::string::npos);
    CHECK(std::filesystem::exists(data + "/advise/of a killed command"));  // what may be another's stays
  }
  const Finished advised = run_program({"advise", "--data", data});
  INFO(advised.output);
  CHECK(advised.exit_status == 0);
  CHECK(advised.output.find(R"(index { "Urgency", "Impact" })") != std::string::npos);
  CHECK(advised.output.find("asked 3 times") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(data + "/advise"));
}

TEST_CASE("callisto advise says what is missing") {
  const TemporaryFolder folder;
  const Finished none = run_program({"advise", "--data", folder.path()});
  CHECK(none.exit_status == 1);
}
