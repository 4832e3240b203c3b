// The command line itself: output that does not get through, commands that do not exist, what the environment says.
#include "server_process.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include "tests/support/paths.h"

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
