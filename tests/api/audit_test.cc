// The audit log of a running server: what leaves a line, and that the command checks it.
#include "server_process.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using namespace callisto;
using namespace callisto::tests;

std::string log_of(const TemporaryFolder& folder) { return folder.path() + "/audit.jsonl"; }

// The lines of one event, parsed; every line must parse.
std::vector<json::Node> lines(const TemporaryFolder& folder, std::string_view event) {
  std::vector<json::Node> found;
  std::ifstream file(log_of(folder));
  for (std::string line; std::getline(file, line);) {
    INFO(line);
    auto node = json::parse(line);
    REQUIRE(node);
    REQUIRE(node->find("event"));
    if (node->find("event")->text() == event) found.push_back(*std::move(node));
  }
  return found;
}

std::string text_of(const json::Node& line, std::string_view name) {
  const json::Node* node = line.find(name);
  return node ? node->text() : "(none)";
}

std::string last(const TemporaryFolder& folder, std::string_view event, std::string_view name) {
  const auto found = lines(folder, event);
  REQUIRE_FALSE(found.empty());
  return text_of(found.back(), name);
}

std::string password_form(const std::string& login, const std::string& password) {
  return "client_id=sample-app&grant_type=password&username=" + login + "&password=" + password +
         "&scope=session-type:User";
}

const std::vector<std::string> verify{"audit", "verify", "--data"};

Finished run(std::vector<std::string> arguments, const TemporaryFolder& folder) {
  arguments.push_back(folder.path());
  return run_program(arguments);
}

}  // namespace

TEST_CASE("a sign-in, a refusal, a denied action and a change each leave their line, before the answer") {
  const TemporaryFolder folder;
  ServerProcess server(folder.path(), {"--samples"});
  CHECK(last(folder, "server-started", "reason") == "listening on " + server.base_url());

  CHECK(server.login(password_form("user", "callisto")).status == 200);
  CHECK(last(folder, "sign-in", "client") == "sample-app");
  CHECK(last(folder, "sign-in", "address") == "127.0.0.1");
  const std::string person = last(folder, "sign-in", "person"), session = last(folder, "sign-in", "session");

  CHECK(server.login(password_form("user", "not-the-password")).status == 400);
  CHECK(last(folder, "sign-in-refused", "reason") == "wrong password");
  CHECK(last(folder, "sign-in-refused", "person") == person);
  CHECK(server.login(password_form("a%0D%0A%22%7Bb%F0%9F%8C%99", "x")).status == 400);
  CHECK(last(folder, "sign-in-refused", "login") == "a\r\n\"{b\xF0\x9F\x8C\x99");

  const Client user(server, server.token("user", "session-type:User"));
  CHECK(user.send("PUT", "v1/group/1", R"({"Name": "1"})").status == 403);
  REQUIRE(lines(folder, "action-denied").size() == 1);
  CHECK(last(folder, "action-denied", "person") == person);
  CHECK(last(folder, "action-denied", "entity") == "group");
  CHECK(last(folder, "action-denied", "key") == "1");
  CHECK(last(folder, "action-denied", "action") == "update");
  CHECK(last(folder, "action-denied", "session") != session);
  CHECK(user.send("PUT", "v1/person/" + person + "/deactivate", "{}").status == 403);
  CHECK(last(folder, "action-denied", "action") == "deactivate");
  CHECK(user.get("v1/person/999999").status == 404);
  CHECK(lines(folder, "action-denied").size() == 2);

  const Client admin(server, server.token("admin"));
  CHECK(admin.send("PUT", "v1/person/2", R"({"IsActive": "wrong"})").status == 400);
  CHECK(lines(folder, "person-changed").empty());
  CHECK(admin.send("PUT", "v1/person/2", R"({"Phone": "1"})").status == 200);
  REQUIRE(lines(folder, "person-changed").size() == 1);
  CHECK(last(folder, "person-changed", "key") == "2");
  CHECK(last(folder, "person-changed", "reason").find("IsActive=true") != std::string::npos);

  CHECK(run(verify, folder).exit_status == 0);  // beside the server
  CHECK(server.stop() == 0);
  CHECK(last(folder, "server-stopped", "reason") == "signal 15");
  const Finished verified = run(verify, folder);
  CHECK(verified.exit_status == 0);
  CHECK(verified.output.find("are unchanged") != std::string::npos);
}

TEST_CASE("neither tokens nor passwords nor secrets stand in the log") {
  const TemporaryFolder folder;
  ServerProcess server(folder.path(), {"--samples"});
  const auto signed_in = json::parse(server.login(password_form("user", "callisto")).body);
  REQUIRE(signed_in);
  server.login(password_form("user", "wr0ng-passw0rd"));
  server.login(password_form("user", "callisto") + "&client_secret=s3cret");
  server.login("client_id=sample-app&grant_type=refresh_token&refresh_token=" + text_of(*signed_in, "refresh_token"));
  std::ifstream file(log_of(folder));
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  for (const std::string& secret : {text_of(*signed_in, "access_token"), text_of(*signed_in, "refresh_token"),
                                    std::string("wr0ng-passw0rd"), std::string("s3cret"), std::string("callisto\"")})
    CHECK(bytes.find(secret) == std::string::npos);
  CHECK(bytes.find("sign-in-refused") != std::string::npos);
}

TEST_CASE("the chain goes on over a killed server, the command line and a renamed file") {
  const TemporaryFolder folder;
  {
    ServerProcess server(folder.path(), {"--samples"});
    server.login(password_form("user", "callisto"));
    server.kill_at_once();
  }
  REQUIRE(run_program({"person", "add", "--administrator", "--data", folder.path(), "ada"}, "correct horse\n")
              .exit_status == 0);
  CHECK(last(folder, "person-changed", "reason").starts_with("ADA, Administrator, by the command line, user "));
  REQUIRE(run_program({"client", "add", "--data", folder.path(), "app"}).exit_status == 0);
  CHECK(last(folder, "client-changed", "reason").starts_with("app, "));
  const std::string old = folder.path() + "/old.jsonl";
  std::filesystem::rename(log_of(folder), old);
  {
    ServerProcess server(folder.path(), {});
    server.login(password_form("user", "callisto"));
  }
  CHECK(run(verify, folder).exit_status == 0);
  CHECK(run_program({"audit", "verify", "--data", folder.path(), old, log_of(folder)}).exit_status == 0);
  CHECK(run_program({"audit", "verify", "--data", folder.path(), log_of(folder), old}).exit_status == 1);
}

TEST_CASE("audit verify names the first line that is not as it was, list filters") {
  const TemporaryFolder folder;
  {
    ServerProcess server(folder.path(), {"--samples"});
    server.login(password_form("user", "callisto"));
  }
  const Finished listed =
      run_program({"audit", "list", "--event", "sign-in", "--since", "2020-01-01", "--data", folder.path()});
  CHECK(listed.exit_status == 0);
  CHECK(std::count(listed.output.begin(), listed.output.end(), '\n') == 1);
  CHECK(run_program({"audit", "list", "--since", "2100-01-01", "--data", folder.path()}).output.empty());
  CHECK(run_program({"audit", "list", "--event", "nonsense", "--data", folder.path()}).exit_status == 2);
  CHECK(run_program({"audit", "list", "--since", "yesterday", "--data", folder.path()}).exit_status == 2);
  CHECK(run_program({"audit", "verify", "--help"}).exit_status == 0);

  std::ifstream file(log_of(folder));
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  bytes.replace(bytes.find("sample-app"), 10, "simple-app");
  std::ofstream(log_of(folder)) << bytes;
  const Finished broken = run(verify, folder);
  CHECK(broken.exit_status == 1);
  CHECK(broken.output.find("audit.jsonl:3: altered") != std::string::npos);
  std::filesystem::remove(log_of(folder));
  CHECK(run(verify, folder).exit_status == 1);
}

TEST_CASE("a change of what scripts allow leaves a line, reloaded or made while no server ran") {
  const TemporaryFolder folder, scripts;
  const auto arguments = [&](std::vector<std::string> before) {
    before.insert(before.end(), {"--set", "scripts=scripts," + scripts.path()});
    return before;
  };
  const auto write_action = [&](const std::string& text) {
    std::filesystem::create_directories(scripts.path() + "/call/actions");
    std::ofstream(scripts.path() + "/call/actions/greet.lua") << "return action \"greet\" { " << text << " }";
  };
  { const ServerProcess server(folder.path(), arguments({})); }
  CHECK(lines(folder, "scripts-changed").empty());
  write_action("allowed = { Analyst = true }");
  {
    const ServerProcess server(folder.path(), arguments({}));
    CHECK(last(folder, "scripts-changed", "reason").starts_with("found at the start: "));
    CHECK(last(folder, "scripts-changed", "reason").find("greet") != std::string::npos);
    write_action("allowed = { Analyst = true, User = true }");
    CHECK(run_program(arguments({"reload", "--data", folder.path()})).exit_status == 0);
    CHECK(last(folder, "scripts-changed", "reason").starts_with("reloaded: "));
    CHECK(last(folder, "scripts-changed", "reason").find("greet") != std::string::npos);
    CHECK(run_program(arguments({"reload", "--data", folder.path()})).exit_status == 0);
    // What a function does shows in no metadata.
    for (const std::string body : {"reject \"no\"", "reject \"never\""}) {
      write_action("allowed = { Analyst = true }, run = function() " + body + " end");
      CHECK(run_program(arguments({"reload", "--data", folder.path()})).exit_status == 0);
    }
    CHECK(last(folder, "scripts-changed", "reason") ==
          "reloaded: " + scripts.path() + "/call/actions/greet.lua: its text has changed");
  }
  { const ServerProcess server(folder.path(), arguments({})); }
  CHECK(lines(folder, "scripts-changed").size() == 4);
  CHECK(run(verify, folder).exit_status == 0);
}
