// What a server tells of itself to those who run it: its health, its audit log, scripts from memory, what is on disk
// against what runs, and to load that.
#include "desk.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;
namespace fs = std::filesystem;

// A desk whose scripts folder is a site's own beside the product's.
struct Site {
  Site() {
    fs::create_directories(folder / "call/actions");
    fs::create_directories(folder / "call/spec");
  }
  void write(const std::string& file, const std::string& text) const { std::ofstream(folder / file) << text; }
  test::TemporaryFolder folder, data;
  ServerProcess server{data.path(), {"--samples", "--set", "scripts=scripts," + folder.path()}};
  const std::string token = server.token("admin");
  const Client admin{server, token};
  std::string bearer() const { return "Authorization: Bearer " + token; }

  std::string text_of_last(const char* member) const {
    const auto told = admin.get_json("v1/$reload");
    const json::Node* last = told.find("last");
    return last && !last->is_null() ? last->find(member)->text() : std::string();
  }
  // Until the outcome of the reload that this asks for is there.
  json::Node reload(const std::string& query = {}) const {
    const std::string before = text_of_last("Started");
    const Answer asked = admin.send("POST", "v1/$reload" + query, {});
    INFO(asked.body);
    REQUIRE(asked.status == 202);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (text_of_last("Started") == before && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a poll: the condition above decides
    return *admin.get_json("v1/$reload").find("last");
  }
};

std::string all(const json::Node& list) {
  std::string text;
  for (const json::Node& each : list.items()) text += each.text() + "\n";
  return text;
}

}  // namespace

TEST_CASE("what a server tells of itself is for the right Administration, by GET alone but for a reload") {
  for (const char* path : {"v1/$health", "v1/$audit", "v1/$source?file=x", "v1/$changes", "v1/$specs", "v1/$reload"}) {
    INFO(path);
    const Answer refused = get("analyst", path);
    CHECK(refused.status == 403);
    CHECK(sample_server().send("GET", std::string("/service.api/api/") + path).status == 401);
    CHECK(sample_server().send("GET", std::string("/service.api/api/") + path).headers.count("www-authenticate") == 1);
    const Client admin(sample_server(), sample_server().token("admin"));
    CHECK(admin.send("DELETE", path, {}).status == 405);
    const bool is_reload = std::string(path) == "v1/$reload";
    CHECK(admin.send("OPTIONS", path, {}).headers.at("allow") ==
          (is_reload ? "GET, HEAD, OPTIONS, POST" : "GET, HEAD, OPTIONS"));
    if (!is_reload) CHECK(admin.send("POST", path, {}).status == 405);
  }
  CHECK(get("admin", "v1/call/$health").status == 404);
  CHECK(get("admin", "v2/$health").status == 404);
  CHECK(get("admin", "$HEALTH").status == 200);  // names match ignoring case, and a path without a version is the first
}

TEST_CASE("health: figures of the last hour with those of this moment") {
  const auto health = get_json("admin", "v1/$health");
  CHECK(health.find("database")->find("answers")->boolean());
  CHECK(health.find("database")->find("takesWrites")->boolean());
  CHECK(health.find("sendsWebhooks")->boolean());
  CHECK_FALSE(health.find("reloadFailed")->boolean());
  CHECK(std::stoi(health.find("licences")->find("inUse")->text()) > 0);
  const auto& figures = health.find("figures")->items();
  REQUIRE_FALSE(figures.empty());
  for (const char* name : {"requests", "failed", "mean", "slow", "waiting", "queue", "dueLag", "sessions"})
    CHECK(std::stod(figures.back().find(name)->text()) >= 0);
  CHECK(std::stoi(figures.back().find("sessions")->text()) > 0);
  std::string before;
  for (const json::Node& figure : figures) {
    CHECK(before <= figure.find("at")->text());
    before = figure.find("at")->text();
  }
}

TEST_CASE("the audit log is read from its newest line on, page by page, by event, person and time") {
  const test::TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples"});
  const Client admin(server, server.token("admin"));
  for (int i = 0; i < 7; ++i)
    CHECK(server
              .login("grant_type=password&client_id=sample-app&username=nobody" + std::to_string(i) +
                     "&password=no&scope=session-type:Analyst")
              .status == 400);
  const auto everything = admin.get_json("v1/$audit", {{"$top", "1000"}});
  const auto& lines = everything.find("results")->items();
  REQUIRE(lines.size() > 8);
  CHECK_FALSE(everything.find("_links"));
  for (std::size_t i = 1; i < lines.size(); ++i)
    CHECK(std::stoi(lines[i].find("sequence")->text()) == std::stoi(lines[i - 1].find("sequence")->text()) - 1);
  CHECK(lines.back().find("event")->text() == "log-started");
  // The same by pages of two, along the links.
  std::vector<std::string> paged;
  std::string path = "v1/$audit?$top=2&event=sign-in-refused&since=2020-01-01T00:00%2B02:00";
  for (int page = 0; page < 20 && !path.empty(); ++page) {
    const auto part = admin.get_json(path);
    CHECK(part.find("results")->items().size() <= 2);
    for (const json::Node& line : part.find("results")->items()) {
      CHECK(line.find("event")->text() == "sign-in-refused");
      paged.push_back(line.find("sequence")->text());
    }
    const json::Node* links = part.find("_links");
    path = links ? links->find("Next")->items().front().find("_self")->text().substr(4) : std::string();
  }
  CHECK(path.empty());
  CHECK(std::set<std::string>(paged.begin(), paged.end()).size() == 7);
  const auto of_admin = admin.get_json("v1/$audit", {{"person", "1"}});
  for (const json::Node& line : of_admin.find("results")->items()) {
    REQUIRE(line.find("person"));
    CHECK(line.find("person")->text() == "1");
  }
  CHECK(admin.get_json("v1/$audit", {{"since", "2999-01-01"}}).find("results")->items().empty());
  CHECK(admin.get_json("v1/$audit", {{"since", "2000-01-01"}}).find("results")->items().size() > 8);
  for (const char* wrong : {"event=none", "person=x", "person=0", "since=soon", "$top=0", "$top=1001", "$after=0",
                            "$after=3", "$after=x"}) {
    INFO(wrong);
    CHECK(admin.get(std::string("v1/$audit?") + wrong).status == 400);
  }
  const Client analyst(server, server.token("analyst"));
  CHECK(analyst.get("v1/$audit").status == 403);
  const auto denied = admin.get_json("v1/$audit", {{"event", "action-denied"}});
  CHECK(denied.find("results")->items().front().find("action")->text() == "$audit");
}

TEST_CASE("the source of a script comes from memory, whatever stands on disk") {
  const Site site;
  const std::string file = site.folder / "call/actions/greet.lua";
  site.write("call/actions/greet.lua",
             "return action \"greet\" {\n  run = function(call) call.Remarks = \"\\195\" end,\n}\n");
  CHECK(site.admin.get("v1/$source", {{"file", file}}).status == 404);  // not loaded yet
  CHECK(site.reload().find("Done")->boolean());
  const auto told = site.admin.get_json("v1/$source", {{"file", file}});
  CHECK(told.find("lines")->items().at(0).text() == "return action \"greet\" {");
  site.write("call/actions/greet.lua", "-- other\n");
  CHECK(site.admin.get_json("v1/$source", {{"file", file}}).find("lines")->items().size() == 4);
  for (const char* other : {"/etc/passwd", "scripts/../../etc/passwd", "scripts/call/actions/../actions/close.lua"})
    CHECK(site.admin.get("v1/$source", {{"file", other}}).status == 404);
  const auto files = site.admin.get_json("v1/$source");
  CHECK(all(*files.find("files")).find(file + "\n") != std::string::npos);
}

TEST_CASE("what is on disk is compared with what runs, and loaded when an administrator asks for it") {
  const Site site;
  const auto unchanged = site.admin.get_json("v1/$changes");
  CHECK(unchanged.find("loads")->boolean());
  CHECK(unchanged.find("changes")->items().empty());
  CHECK(unchanged.find("last")->is_null());
  site.write("call/actions/greet.lua",
             "return action \"greet\" { allowed = { Analyst = true }, ofered = \"State == 1\" }\n");
  const auto wrong = site.admin.get_json("v1/$changes");
  CHECK_FALSE(wrong.find("loads")->boolean());
  const json::Node& finding = wrong.find("findings")->items().front();
  CHECK(finding.find("message")->text() == "unknown option 'ofered' of action 'greet'");
  CHECK(finding.find("suggestion")->text() == "did you mean 'offered'?");
  CHECK(finding.find("line")->text() == "1");
  CHECK(finding.find("excerpt")->text().substr(std::stoul(finding.find("column")->text()) - 1,
                                               std::stoul(finding.find("length")->text())) == "ofered");
  const auto refused = site.reload();
  CHECK_FALSE(refused.find("Done")->boolean());
  CHECK(all(*refused.find("Problems")).find("ofered") != std::string::npos);
  CHECK(site.admin.get_json("v1/$health").find("reloadFailed")->boolean());
  CHECK(site.admin.get("v1/call/$greet").status == 404);
  site.write("call/actions/greet.lua",
             "return action \"greet\" { allowed = { Analyst = true }, offered = \"State == 1\" }\n");
  const auto right = site.admin.get_json("v1/$changes");
  CHECK(all(*right.find("changes")).find("greet") != std::string::npos);
  CHECK(site.reload().find("Done")->boolean());
  CHECK(site.admin.get("v1/call/$greet").status == 200);
  CHECK(site.admin.get_json("v1/$changes").find("changes")->items().empty());
  CHECK(site.reload("?force=true").find("Done")->boolean());
  CHECK(site.admin.send("POST", "v1/$reload?force=yes", {}).status == 400);
  const Client analyst(site.server, site.server.token("analyst"));
  CHECK(analyst.send("POST", "v1/$reload", {}).status == 403);
  const auto noted = site.admin.get_json("v1/$audit", {{"event", "scripts-changed"}, {"person", "1"}});
  CHECK(noted.find("results")->items().front().find("reason")->text() == "asked for, forced");
}

TEST_CASE("the specs of what is on disk run beside the server, and touch no data") {
  const Site site;
  const std::string count = site.admin.get("v1/call/$count").body;
  const auto all_pass = site.admin.get_json("v1/$specs");
  CHECK(all_pass.find("failed")->text() == "0");
  CHECK(std::stoi(all_pass.find("passed")->text()) > 100);
  CHECK_FALSE(all_pass.find("stopped")->boolean());
  CHECK(all_pass.find("failures")->items().empty());
  CHECK(all_pass.find("coverage")->find("sum")->text().starts_with("coverage: "));
  CHECK(site.admin.get("v1/call/$count").body == count);
  // A rule without a spec, and a spec that fails.
  site.write("call/actions/greet.lua",
             "return action \"greet\" { allowed = { Analyst = true }, offered = \"State == 1\" }\n");
  site.write(
      "call/spec/greet_spec.lua",
      "describe(\"greeting\", function()\n  it(\"counts\", function()\n    expect(1 + 1):equals(3)\n  end)\nend)\n");
  const auto one_fails = site.admin.get_json("v1/$specs");
  CHECK(one_fails.find("failed")->text() == "1");
  const json::Node& failure = one_fails.find("failures")->items().front();
  CHECK(failure.find("spec")->text() == "greeting > counts");
  CHECK(failure.find("file")->text().find("greet_spec.lua") != std::string::npos);
  CHECK(failure.find("line")->text() == "3");
  CHECK(failure.find("expected")->text() == "3");
  CHECK(failure.find("actual")->text() == "2");
  bool is_missing = false;
  for (const json::Node& file : one_fails.find("coverage")->find("missing")->items())
    is_missing = is_missing || (file.find("file")->text().find("greet.lua") != std::string::npos &&
                                all(*file.find("lines")).find("greet: no spec does it") != std::string::npos);
  CHECK(is_missing);
  CHECK(site.admin.get("v1/call/$greet").status == 404);  // nothing was loaded
  site.write("call/actions/greet.lua", "return action \"greet\" {");
  const Answer refused = site.admin.get("v1/$specs");
  CHECK(refused.status == 400);
  CHECK(refused.body.find("$changes") != std::string::npos);
}

TEST_CASE("specs that run keep neither a second request nor the end of the server") {
  Site site;
  site.write("call/spec/long_spec.lua",
             "for i = 1, 4000 do\n  it(\"counts to \" .. i, function()\n"
             "    local sum = 0\n    for n = 1, 2000000 do sum = sum + n % i end\n  end)\nend\n");
  std::optional<Answer> answer;
  std::thread asking([&] {
    do answer = site.server.try_send("GET", "/service.api/api/v1/$specs", {site.bearer()});
    while (answer && answer->status == 503);  // the comparison below was first
  });
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (site.admin.get("v1/$changes").status != 503 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a poll: the condition above decides
  CHECK(site.admin.get("v1/$specs").status == 503);
  CHECK(site.server.stop() == 0);
  asking.join();
  REQUIRE(answer);
  CHECK(answer->status == 200);
  CHECK(answer->body.find("\"stopped\":true") != std::string::npos);
}
