// The command line itself: output that does not get through, commands that do not exist, what the environment says.
#include "server_process.h"
#include "tests/support/paths.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace {

using namespace callisto::tests;
using Catch::Matchers::Contains;

// The program in a shell's words, so that its streams can be led anywhere. What it says of problems is the output.
Finished in_shell(const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string errors = folder.path() + "/errors";
  const std::string line = "cd '" + callisto::test::source_folder() + "' && { '" + std::string(program()) + "' " +
                           arguments + "; } 2>'" + errors + "'";
  const int status = std::system(line.c_str());
  std::ifstream file(errors, std::ios::binary);
  return {WEXITSTATUS(status), {std::istreambuf_iterator<char>(file), {}}};
}

}  // namespace

TEST_CASE("output that cannot be written is a failure, and told") {
  for (const char* arguments : {"openapi", "describe", "describe incident --json", "check", "--help", "--version"})
    for (const char* target : {" >/dev/full", " >&-"}) {
      const Finished finished = in_shell(std::string(arguments) + target);
      INFO(arguments << target << ": " << finished.output);
      CHECK(finished.exit_status == 1);
      CHECK_THAT(finished.output, Contains("callisto: the output cannot be written"));
    }
  CHECK(in_shell("check >/dev/null").exit_status == 0);
  CHECK(in_shell("describe nosuch >/dev/full").exit_status != 0);
}

TEST_CASE("check refuses the settings that serve refuses, in the same words") {
  const TemporaryFolder folder;
  std::vector<std::string> arguments{"--data", folder / "data"};
  for (const char* setting : {"listen=8080", "webhooks.schedule=5", "http.trusted_proxies=nginx", "tls.key=/nowhere",
                              "oidc.issuer=https://login.example", "database=mysql://host/desk"})
    arguments.insert(arguments.end(), {"--set", setting});
  const auto run = [&](std::vector<std::string> command) {
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_program(command);
  };
  const Finished checked = run({"check"}), served = run({"serve"});
  CHECK(checked.exit_status == 1);
  CHECK(served.exit_status == 1);
  CHECK(checked.output == served.output + "6 problems\n");
  CHECK_FALSE(std::filesystem::exists(folder / "data"));
}

TEST_CASE("a command that does not exist is named, with the one that was meant", "[sqlite]") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"nosuch"}, "callisto: there is no command 'nosuch'; `callisto --help` lists them\n"},
      {{"exprot", "--data", "x"},
       "callisto: there is no command 'exprot'; did you mean 'export'? `callisto --help` lists them\n"},
      {{"--data", "x", "ser\x1b[2Jve"}, "callisto: there is no command 'ser\\u001b[2Jve'; `callisto --help` lists"},
      {{"client", "lst"},
       "callisto: there is no command 'client lst'; did you mean 'client list'? `callisto client --help` lists them\n"},
      {{}, "A subcommand is required"},
      {{"client"}, "A subcommand is required"},
      {{"export", "--outptu", "x"}, "--outptu"},
  };
  for (const auto& [arguments, said] : cases) {
    const Finished finished = run_program(arguments);
    CHECK(finished.exit_status == 2);
    CHECK_THAT(finished.output, Contains(said));
  }
}

TEST_CASE("settings are shown with where they came from, and no secret is") {
  const TemporaryFolder folder;
  std::ofstream(folder / "callisto.lua")
      << "return { [\"server.name\"] = \"Desk\", [\"oidc.client_secret\"] = \"hunter2\" }\n";
  std::ofstream(folder / "sso") << "hunter3\n";
  const std::string out = folder / "out";
  const std::string line = "cd '" + folder.path() + "' && CALLISTO_SSO_SECRET_FILE=sso CALLISTO_LICENCES=3 '" +
                           std::string(program()) + "' settings --set database=postgresql://desk:hunter4@db/desk " +
                           "--data elsewhere >" + out + " 2>&1";
  REQUIRE(std::system(line.c_str()) == 0);
  std::ifstream file(out, std::ios::binary);
  const std::string shown{std::istreambuf_iterator<char>(file), {}};
  for (const char* each :
       {"-- Settings file: callisto.lua\n", "[\"server.name\"] = \"Desk\", ", "-- callisto.lua:1\n",
        "-- [\"sso.secret\"] = \"********\",", "-- CALLISTO_SSO_SECRET_FILE=sso\n", "licences = 3, ",
        "-- CALLISTO_LICENCES\n", "-- database = \"postgresql://desk@db/desk\",", "data = \"elsewhere\", ",
        "-- --data\n",
        "warning --set database=... can be read by everybody who lists processes (ps): give it by CALLISTO_DATABASE"})
    CHECK_THAT(shown, Contains(each));
  CHECK_THAT(shown, !Contains("hunter"));
  CHECK_FALSE(std::filesystem::exists(folder / "elsewhere"));
  CHECK_THAT(run_program({"settings", "--json"}).output, Contains(R"({"name":"listen","value":["127.0.0.1:8080"],)"));
}

TEST_CASE("the version tells the program's name, its commit and its libraries") {
  const std::string told = run_program({"--version"}).output;
  CHECK(std::regex_match(told, std::regex("callisto \\d+\\.\\d+\\.\\d+, commit ([0-9a-f]{12}|unknown)\n"
                                          "libraries:( [A-Za-z0-9]+ \\d+[^ ,]*,){12} zlib \\d[^ ]*\n")));
  // Where this checkout is one of Git, the commit is that of the last configuring of it.
  if (std::filesystem::exists(callisto::test::source_folder() + "/.git")) CHECK_THAT(told, !Contains("unknown"));
}

TEST_CASE("check draws the states of an entity, as SVG or for Mermaid, and says what cannot be drawn") {
  const Finished svg = run_program({"check", "--diagram", "incident"});
  CHECK(svg.exit_status == 0);
  CHECK(svg.output.find("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"") != std::string::npos);
  CHECK(svg.output == run_program({"check", "--diagram", "incident"}).output);
  const Finished text = run_program({"check", "--diagram", "incident", "--mermaid"});
  CHECK(text.exit_status == 0);
  CHECK(text.output.find("stateDiagram-v2\n") != std::string::npos);
  CHECK(text.output.find(" : Reopen\n") != std::string::npos);
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"check", "--diagram", "incidnt"}, "'incidnt' is no entity; did you mean 'incident'?"},
      {{"check", "--diagram", "organization"}, "'organization' has no states"},
      {{"check", "--mermaid"}, "--diagram"},
      {{"check", "--diagram", "call", "--matrix"}, "--matrix"},
  };
  for (const auto& [arguments, told] : wrong) {
    const Finished refused = run_program(arguments);
    INFO(refused.output);
    CHECK(refused.exit_status == 2);
    CHECK(refused.output.find(told) != std::string::npos);
  }
}
