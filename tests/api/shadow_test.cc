// callisto record and callisto shadow: what a desk was asked, asked again by other rules.
#include "desk.h"
#include "own_files.h"
#include "tests/support/paths.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace {

using namespace callisto::tests;
using namespace callisto;
using Catch::Matchers::Contains;

std::string whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// `callisto record` beside a server, from its first line to the last.
class Recording {
 public:
  explicit Recording(const std::string& data) : folder_(data + "/recording") {
    process_ = fork();
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (chdir(test::source_folder().c_str()) == 0)
        execl(program(), program(), "record", "--data", data.c_str(), "--set",
              ("database=" + database_url(data)).c_str(), nullptr);
      _exit(127);
    }
    while (!std::filesystem::exists(folder_ + "/requests.jsonl")) {
      REQUIRE(waitpid(process_, nullptr, WNOHANG) == 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  ~Recording() {
    if (process_ > 0) kill(process_, SIGKILL), waitpid(process_, nullptr, 0);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  std::string end() {  // what was recorded
    kill(process_, SIGINT);
    int status = 0;
    waitpid(std::exchange(process_, -1), &status, 0);
    CHECK(status == 0);
    return whole(folder_ + "/requests.jsonl");
  }

 private:
  const std::string folder_;
  pid_t process_ = -1;
};

Finished shadow(const std::string& data, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"shadow", "--data", data});
  return run_program(arguments);
}

std::set<int> lines_told(const std::string& output) {
  std::set<int> lines;
  for (std::size_t at = output.find("line "); at != output.npos; at = output.find("\nline ", at + 1))
    lines.insert(std::stoi(output.substr(output.find(' ', at) + 1)));
  return lines;
}

// A thousand requests as people make them, each with what the candidate's rules would change of its answer.
class Work {
 public:
  explicit Work(const Desk& desk) : desk_(desk) {}

  void run() {
    for (int i = 0; i < 167; ++i) {
      const bool blocked = i % 2 == 1, charged = i % 3 == 0;
      const Reply made = ask("analyst", "POST", "incident",
                             R"({"ShortDescription": "print )" + std::to_string(i) + R"(", "User": 11, "Impact": )" +
                                 (blocked ? "2" : "1") + (charged ? R"(, "CustomString1": "A 7"})" : "}"),
                             blocked, false);
      const std::string call = "call/" + made["Ref"];
      ask("analyst", "GET", call, {}, blocked, false);
      ask("analyst", "PUT", call + "/close", i % 5 == 0 ? "{}" : R"({"Description": "done"})", blocked, !charged);
      ask("admin", "GET", call, {}, blocked, false);
      ask("analyst", i % 4 < 2 ? "PUT" : "GET", i % 4 < 2 ? call + "/reopen" : call, i % 4 < 2 ? "{}" : "", blocked,
          i % 4 < 2 && blocked);
      ask("user", "GET", "call?$top=3&$filter=" + std::string(i % 2 ? "%40IsOpen" : "State%20==%202"), {}, false,
          false);
    }
  }
  const std::set<int>& differing() const { return differing_; }
  int asked() const { return asked_; }

 private:
  // `refused`: the candidate refuses it where it was done, and a reopening in other words where it was not.
  Reply ask(const char* login, const char* method, const std::string& path, const std::string& body, bool blocked,
            bool refused) {
    Reply reply = desk_.send(login, method, path, body);
    ++asked_;
    const bool is_refused = refused && (reply.status == 200 || path.ends_with("/reopen"));
    if (is_refused || (blocked && reply.actions().count("Reopen") != 0)) differing_.insert(asked_);
    return reply;
  }

  const Desk& desk_;
  std::set<int> differing_;
  int asked_ = 0;
};

}  // namespace

TEST_CASE("a shadow run of a thousand requests tells exactly the answers that a changed rule means") {
  const Desk desk;
  OwnFiles site;
  site.write("scripts/call/actions/close+cost.lua", "return add_to \"close\" { needs = { \"CustomString1\" } }\n");
  site.write("scripts/call/actions/reopen+impact.lua", "return add_to \"reopen\" { offered = \"Impact == 1\" }\n");
  for (const char* login : {"analyst", "admin", "user"}) desk.get(login, "call/1");  // signed in before
  Recording recording(desk.folder());
  Work work(desk);
  work.run();
  const std::string lines = recording.end();
  REQUIRE(std::count(lines.begin(), lines.end(), '\n') == work.asked());
  CHECK(work.asked() > 1000);
  CHECK(work.differing().size() > 100);

  const std::string product = test::source_folder() + "/scripts";
  const Finished same = shadow(desk.folder(), {"--scripts", product});
  INFO(same.output);
  CHECK(same.exit_status == 0);
  CHECK_THAT(same.output, Contains("0 of " + std::to_string(work.asked()) + " answers differ."));
  CHECK_THAT(same.output, !Contains("another status"));

  const Finished told = shadow(desk.folder(), {"--all", "--scripts", product, site.folder() + "/scripts"});
  CHECK(told.exit_status == 1);
  CHECK(lines_told(told.output) == work.differing());
  CHECK_THAT(told.output, Contains("status: 200 -> 400 "));
  CHECK_THAT(told.output, Contains("event: Closed of incident: raised -> not raised"));
  CHECK_THAT(told.output, Contains("body: _actions.Reopen: [{"));

  const Finished kinds = shadow(desk.folder(), {"--scripts", product, site.folder() + "/scripts"});
  CHECK_THAT(kinds.output, Contains("PUT call/{id}/close   "));
  CHECK_THAT(kinds.output, Contains(std::to_string(work.differing().size()) + " of "));
}

TEST_CASE("a recording has no token and no secret, and says what it leaves out") {
  const Desk desk;
  const std::string token = desk.server().token("admin");
  Recording recording(desk.folder());
  desk.send(
      "admin", "POST", "webhook",
      R"({"Name": "w", "CallbackUrl": "http://127.0.0.1:9/x", "CoreEntityType": "Call", "secret": "hush-hush-hush"})");
  desk.send("admin", "PUT", "person/3/set-password",
            R"({"Password": "quietly quiet", "a": [{"Secret": "hush-hush"}]})");
  desk.send("admin", "POST", "incident", R"({"Description": ")" + std::string(70'000, 'x') + "\"}");
  desk.send("admin", "POST", "incident", R"({"password": hush-hush)");
  desk.send("admin", "PUT", "person/3", R"({"Pass\u0077ord": "hush-hush"})");
  desk.send("admin", "PUT", "person/3", "{'Password': 'hush-hush'}");
  desk.send("admin", "PUT", "person/3", "Password=hush-hush");
  desk.send("admin", "PUT", "person/3", "<password>hush-hush</password>");
  desk.server().send("GET", "/service.api/api/v1/call/1?access_token=" + token, {"Authorization: Bearer " + token});
  desk.server().send("GET", "/service.api/api/v1/call/1", {"Authorization: Bearer hush-hush"});
  const std::string lines = recording.end();
  CHECK_THAT(lines, !Contains("hush") && !Contains("quiet") && !Contains(token) && !Contains("xxxx"));
  CHECK_THAT(lines, Contains("********") && Contains("longer than 64 KiB") && Contains("is no JSON"));
  namespace fs = std::filesystem;
  for (const char* name : {"/recording/requests.jsonl", "/recording/desk.db"})
    CHECK((fs::status(desk.folder() + name).permissions() & (fs::perms::group_all | fs::perms::others_all)) ==
          fs::perms::none);
  const Finished told = shadow(desk.folder(), {"--scripts", test::source_folder() + "/scripts"});
  CHECK_THAT(told.output, Contains("1 requests were left out: its body is longer than 64 KiB."));
}

TEST_CASE("what cannot be recorded or asked again is told with the mend") {
  const TemporaryFolder nothing;
  const Finished no_server = run_program({"record", "--data", nothing.path()});
  CHECK(no_server.exit_status == 1);
  CHECK_THAT(no_server.output, Contains("no server runs on " + nothing.path()) && Contains("callisto serve"));
  const Finished no_recording = shadow(nothing.path(), {});
  CHECK(no_recording.exit_status == 2);
  CHECK_THAT(no_recording.output, Contains("`callisto record` makes one"));
  CHECK(run_program({"record", "--minutes", "0"}).exit_status == 2);

  const Desk desk;
  Recording recording(desk.folder());
  desk.get("user", "call/1");
  recording.end();
  const Finished again = run_program({"record", "--data", desk.folder()});
  CHECK(again.exit_status == 1);
  CHECK_THAT(again.output, Contains("already. Move it elsewhere, or remove it."));
  std::ofstream(desk.folder() + "/recording/requests.jsonl", std::ios::app) << "half a li";
  OwnFiles site;
  site.write("scripts/call/actions/close+cost.lua", "return add_to \"close\" { needs = { \"Costt\" } }\n");
  CHECK_THAT(shadow(desk.folder(), {"--scripts", test::source_folder() + "/scripts"}).output,
             Contains("left out: the line cannot be read"));
  const Finished broken =
      shadow(desk.folder(), {"--scripts", test::source_folder() + "/scripts", site.folder() + "/scripts"});
  CHECK(broken.exit_status == 2);
  CHECK_THAT(broken.output, Contains("close+cost.lua:1"));
}
