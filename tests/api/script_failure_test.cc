// Scripts that fail, are slow or ask too much: what the client, the administrator and the metrics are told.
#include "desk.h"
#include "tests/support/metrics_text.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::Matches;
using Catch::Matchers::StartsWith;
using test::MetricsReader;

// Scripts of one's own beside the desk's.
class MyScripts {
 public:
  MyScripts() {
    write("call/actions/break.lua", R"(return action "break" {
  description = "Fails.", raises = "Broken",
  run = function(call)
    call.ShortDescription = "half done"
    local nothing = nil
    return nothing.field
  end,
})");
    write("call/actions/ask-much.lua", R"(return action "ask-much" {
  description = "Asks the database again and again.", raises = "Asked",
  optional = { integer "Times" {} , boolean "Catch" {} },
  run = function(call, input)
    for i = 1, input.Times do
      if input.Catch then pcall(desk.find, "call", 1000000 + i) else desk.find("call", 1000000 + i) end
    end
  end,
})");
    write("call/actions/turn.lua", R"(return action "turn" {
  description = "Never ends.", raises = "Turned",
  run = function(call)
    call.ShortDescription = "turning"
    while true do end
  end,
})");
    write("call/actions/half.lua", R"(return action "half" {
  description = "Refuses with half a character.", raises = "Halved",
  run = function(call) reject("no \195" .. string.rep("x", 100000)) end,
})");
    write("call/augmenters/Broken.lua", R"(return extension "Broken" {
  description = "Fails on each row.", returns = "Text", needs = { "Ref" },
  value = function(call) error("row " .. call.Ref) end,
})");
  }
  std::vector<std::string> arguments() const { return {"--set", "scripts=scripts," + folder_.path()}; }

 private:
  void write(const std::string& name, const char* text) const {
    const std::filesystem::path path = folder_.path() + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  TemporaryFolder folder_;
};

std::string reference_of(const Reply& reply) {
  CHECK(reply.status == 500);
  CHECK(reply["Type"] == "ScriptException");
  const std::string message = reply["Message"];
  CHECK_THAT(message, Matches("A script of this server failed\\. Quote reference [0-9a-f]{8} to its administrator\\."));
  const std::size_t at = message.find("reference ");
  return at == message.npos ? std::string() : message.substr(at + 10, 8);
}

// The row of that reference, which comes a moment after the answer.
json::Node kept(const Desk& desk, const std::string& reference) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (;;) {
    const Reply reply =
        desk.get("admin", "script-failure",
                 {{"$filter", "Reference == \"" + reference + "\""},
                  {"$select", "Reference,Date,Entity,Action,Person.LoginId,File,Line,Message,Traceback"}});
    REQUIRE(reply.status == 200);
    const auto rows = reply.body.find("results")->items();
    if (!rows.empty()) return rows[0];
    REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::string an_incident(const Desk& desk) {
  return desk.done("admin", "POST", "incident", R"({"ShortDescription":"whole"})")["Ref"];
}

}  // namespace

TEST_CASE("an action that fails leaves nothing but a row with its reference") {
  const MyScripts scripts;
  const Desk desk(scripts.arguments());
  const std::string ref = an_incident(desk);
  const std::string reference = reference_of(desk.send("admin", "PUT", "incident/" + ref + "/break", "{}"));
  const json::Node row = kept(desk, reference);
  CHECK(text_of(row, "Entity") == "incident");
  CHECK(text_of(row, "Action") == "break");
  CHECK(text_of(*row.find("Person"), "LoginId") == "ADMIN");
  CHECK_THAT(text_of(row, "File"), Contains("call/actions/break.lua"));
  CHECK(text_of(row, "Line") == "6");
  CHECK_THAT(text_of(row, "Message"), Contains("break.lua:6: attempt to index"));
  CHECK_THAT(text_of(row, "Traceback"), Contains("break.lua:6"));
  CHECK_THAT(text_of(row, "Date"), Matches("20[0-9-]{8}T[0-9:.]{12}Z"));
  CHECK(desk.get("admin", "incident/" + ref)["ShortDescription"] == "whole");
}

TEST_CASE("file and line of a failure are right however long the path is") {
  const TemporaryFolder folder;
  const std::vector<std::size_t> lengths{1, 20, 30, 31, 32, 45, 100, 200};
  std::string scripts = "scripts=scripts";
  for (const std::size_t length : lengths) {
    const std::string name = "fail-" + std::to_string(length);
    const std::filesystem::path path =
        folder.path() + "/" + std::string(length, 'x') + "/call/actions/" + name + ".lua";
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "return action \"" << name << "\" { description = \"Fails.\", raises = \"Failed\",\n"
                        << "  run = function()" << std::string(length, '\n') << "error(\"boom\") end }\n";
    scripts += "," + folder.path() + "/" + std::string(length, 'x');
  }
  const Desk desk({"--set", scripts});
  const std::string ref = an_incident(desk);
  for (const std::size_t length : lengths) {
    INFO(length);
    const std::string name = "fail-" + std::to_string(length), line = std::to_string(2 + length);
    const json::Node row = kept(desk, reference_of(desk.send("admin", "PUT", "incident/" + ref + "/" + name, "{}")));
    CHECK_THAT(text_of(row, "File"), EndsWith(std::string(length, 'x') + "/call/actions/" + name + ".lua"));
    CHECK(text_of(row, "Line") == line);
    CHECK_THAT(text_of(row, "Message"), Contains(name + ".lua:" + line + ": boom"));
    CHECK_THAT(text_of(row, "Traceback"), Contains(name + ".lua:" + line));
  }
}

TEST_CASE("an action that never ends is told with the line where it was stopped") {
  const MyScripts scripts;
  const Desk desk(scripts.arguments());
  const std::string ref = an_incident(desk);
  const json::Node row = kept(desk, reference_of(desk.send("admin", "PUT", "incident/" + ref + "/turn", "{}")));
  CHECK_THAT(text_of(row, "Message"), Contains("ran longer than"));
  CHECK(text_of(row, "Line") == "5");
}

TEST_CASE("what a script refuses with is text, and no longer than a client can read") {
  const MyScripts scripts;
  const Desk desk(scripts.arguments());
  const Reply reply = desk.send("admin", "PUT", "incident/" + an_incident(desk) + "/half", "{}");
  CHECK(reply.status == 400);
  CHECK_THAT(reply["Message"], StartsWith("no \xEF\xBF\xBDxxx"));
  CHECK(reply.raw.size() < 5000);
}

TEST_CASE("an augmenter that fails is told with its request; on every request it leaves a few rows alone") {
  const MyScripts scripts;
  Desk desk(scripts.arguments());
  const Query query{{"$select", "Ref,@Broken"}, {"$top", "5"}};
  const std::string first = reference_of(desk.get("analyst", "call", query));
  for (int i = 0; i < 40; ++i) CHECK(desk.get("analyst", "call", query).status == 500);
  const json::Node row = kept(desk, first);
  CHECK(text_of(row, "Action") == "@Broken");
  CHECK(text_of(row, "Entity") == "null");
  CHECK(text_of(*row.find("Person"), "LoginId") == "ANALYST");
  CHECK(text_of(row, "Line") == "3");
  const auto read = MetricsReader::read(desk.server().send("GET", "/metrics").body);
  CHECK(read.problem.empty());
  double failures = 0;
  for (const auto& sample : read.samples)
    if (sample.name == "callisto_script_failures_total") failures += sample.value;
  CHECK(failures == 41);
  CHECK(read.value("callisto_script_failures_left_out_total") >= 21);  // ten in a minute, of two at most
  CHECK(std::stoi(desk.get("admin", "script-failure", {{"$count", "true"}}).raw) <= 20);
}

TEST_CASE("what the log says of a script that fails ends with the request's id") {
  const MyScripts scripts;
  const TemporaryFolder folder;
  for (const bool json : {false, true}) {
    const std::string log = folder.path() + (json ? "/json" : "/text");
    auto arguments = scripts.arguments();
    arguments.insert(arguments.end(), {"--samples", "--set", json ? "log.format=json" : "log.format=text"});
    ServerProcess server(folder.path() + "/desk" + (json ? "1" : "2"), arguments, log);
    const Answer answer = server.send("GET", "/service.api/api/v1/call?$select=@Broken",
                                      {"Authorization: Bearer " + server.token("admin"), "X-Request-Id: mine"});
    CHECK(answer.status == 500);
    server.stop();
    std::ifstream file(log);
    std::string line;
    while (std::getline(file, line) && line.find("error") == line.npos) {}
    CHECK_THAT(line, Contains("Broken.lua:3"));
    CHECK_THAT(line, EndsWith(json ? ",\"request\":\"mine\"}" : " request=mine"));
    CHECK(std::getline(file, line).good());
    CHECK_THAT(line, Contains("GET"));
  }
}

TEST_CASE("script failures are for administrators and are nobody's to change") {
  const MyScripts scripts;
  const Desk desk(scripts.arguments());
  reference_of(desk.get("admin", "call", {{"$select", "Ref,@Broken"}, {"$top", "1"}}));
  for (const char* login : {"analyst", "user"}) CHECK(desk.get(login, "script-failure").status == 403);
  CHECK(desk.send("admin", "POST", "script-failure", R"({"Message":"mine"})").status == 405);
  CHECK(desk.send("admin", "PUT", "script-failure/1", R"({"Message":"mine"})").status == 405);
  CHECK(desk.send("admin", "DELETE", "script-failure/1").status == 405);
}

TEST_CASE("one script call that writes makes so many statements and no more, whatever it catches") {
  const MyScripts scripts;
  auto arguments = scripts.arguments();
  arguments.insert(arguments.end(), {"--set", "scripts.statements=50", "--set", "scripts.time_ms=5000"});
  const Desk desk(arguments);
  const std::string path = "incident/" + an_incident(desk) + "/ask-much";
  CHECK(desk.send("admin", "PUT", path, R"({"Times":40})").status == 200);
  CHECK(desk.send("admin", "PUT", path, R"({"Times":40})").status == 200);  // each call has its own
  for (const char* body : {R"({"Times":60})", R"({"Times":1000000,"Catch":true})"}) {
    INFO(body);
    const json::Node row = kept(desk, reference_of(desk.send("admin", "PUT", path, body)));
    CHECK_THAT(text_of(row, "Message"), Contains("scripts.statements"));
  }
}

TEST_CASE("Server-Timing is for administrators who ask") {
  const Desk desk;
  const ServerProcess::Headers asks{"X-Server-Timing: 1"};
  const std::string search = "call?$select=Ref,@AssignmentState&$top=20";
  const Reply read = desk.send("admin", "GET", search, {}, asks);
  REQUIRE(read.headers.count("server-timing") == 1);
  CHECK_THAT(
      read.headers.at("server-timing"),
      Matches(
          R"(db;dur=[0-9.]+, .*script;desc="@AssignmentState";dur=[0-9.]+, render;dur=[0-9.]+, total;dur=[0-9.]+)"));
  CHECK(read.raw == desk.send("admin", "GET", search).raw);
  CHECK(desk.send("admin", "GET", search + "&$inlinecount=true", {}, asks).status == 200);
  CHECK(desk.send("admin", "GET", search, {}, {}).headers.count("server-timing") == 0);
  CHECK(desk.send("admin", "GET", search, {}, {"X-Server-Timing: yes"}).headers.count("server-timing") == 0);
  CHECK(desk.send("analyst", "GET", search, {}, asks).headers.count("server-timing") == 0);
  const Reply written = desk.send("admin", "POST", "incident", R"({"ShortDescription":"timed"})",
                                  {"Content-Type: application/json", "X-Server-Timing: 1"});
  CHECK(written.status == 200);
  CHECK_THAT(written.headers.at("server-timing"), Contains("write;dur=") && Contains("total;dur="));
}
