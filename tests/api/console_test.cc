// callisto console, with lines from a pipe: the desk in memory may be written, that of a data folder may not, and a
// running server does not mind.
#include "server_process.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Contains;

Finished scratch(const std::string& lines, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"console", "--scratch"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments, lines);
}

// A file of the samples, once for each test that needs a server of its own.
struct Beside {
  TemporaryFolder folder;
  ServerProcess server{folder / "data", {"--samples"}};
  Finished ask(const std::string& lines, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"console", "--data", folder / "data"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, lines);
  }
};

}  // namespace

TEST_CASE("the console shows values, keeps names and goes on after an error") {
  struct Row {
    const char *lines, *output;
    int status;
  };
  const Row rows[] = {
      {"1 + 1\n", "2\n", 0},
      {"\"a\", nil, true\n", "\"a\"\nnil\ntrue\n", 0},
      {"{}\n", "{}\n", 0},
      {"{ 1, { b = null, ['a b'] = \"x\" } }\n", "{\n  1,\n  { [\"a b\"] = \"x\", b = null }\n}\n", 0},
      {"x = 5\nlocal y = 6\nx\ny\n", "5\nconsole:1: unknown word 'y'\n", 1},
      {"function twice(n)\n\n  return 2 * n\nend\ntwice(21)\n", "42\n", 0},
      {"print(1, \"two\", nil)\n", "1\ttwo\tnil\n", 0},
      {"exit\n1 + 1\n", "", 0},
      {"\n  \n", "", 0},
      {"", "", 0},
      {"1 +\n", "the input ended before the last piece did\n", 1},
      {"x = = 1\n2\n", "console:1: unexpected symbol near '='\n2\n", 1},
      {"nowhere.name\n2\n", "console:1: unknown word 'nowhere'\n2\n", 1},
      {"io\ndofile\n", "console:1: 'io' is not available to scripts\nconsole:1: 'dofile' is not available to scripts\n",
       1},
      {"error { }\n", "table", 1},
      {"string.format = 1\n", "console:1: 'string' cannot be changed by a script\n", 1},
      {"while true do end\n2\n", "ran longer than 10000 ms\n2\n", 1},
  };
  for (const Row& row : rows) {
    INFO(row.lines);
    const Finished finished = scratch(row.lines);
    if (std::string_view(row.output) == "table") CHECK_THAT(finished.output, Contains("table"));
    else CHECK(finished.output == row.output);
    CHECK(finished.exit_status == row.status);
  }
}

TEST_CASE("a desk in memory may be written and is what specs have") {
  const Finished finished = scratch(
      "c = desk:call { State = 1, ShortDescription = \"Printer\" }\n"
      "c:offers()[1]\n"
      "c:close { Description = \"Done.\" }.State\n"
      "c\n"
      "desk:events(c)\n"
      "c:reopen { Reason = 1 }\n"
      "desk:now()\n"
      "c.Titel\n"
      "desk:find(\"cal\", 1)\n");
  CHECK_THAT(finished.output, Contains("\n2\ncall "));
  CHECK_THAT(finished.output, Contains("  ShortDescription = \"Printer\","));
  CHECK_THAT(finished.output, Contains("\"Closed\""));
  CHECK_THAT(finished.output, Contains("2026-12-01T09:00:00.000Z\n"));
  CHECK_THAT(finished.output, Contains("call has no property 'Titel'"));
  CHECK_THAT(finished.output, Contains("there is no entity 'cal'; did you mean 'call'?"));
  CHECK(finished.exit_status == 1);
}

TEST_CASE("the console sees a desk as the person of --as does") {
  CHECK(scratch("desk.me.LoginId\n", {"--as", "user"}).output == "\"USER\"\n");
  const Finished nobody = scratch("1\n", {"--as", "nobody-here"});
  CHECK_THAT(nobody.output, Contains("nobody has the login 'nobody-here'"));
  CHECK(nobody.exit_status == 1);
  CHECK(run_program({"console", "--help"}).output.find("desk:search") != std::string::npos);
  CHECK(run_program({"console", "--sratch"}).exit_status == 2);
}

TEST_CASE("beside a running server the console reads, and changes nothing") {
  const Beside desk;
  const Finished read = desk.ask(
      "list = desk:search(\"call\", \"State == 1\")\n"
      "#list > 0\n"
      "list[1].State\n"
      "desk:get(\"call\", { [\"$top\"] = 1 }).status\n");
  INFO(read.output);
  CHECK(read.output == "true\n1\n200\n");
  CHECK(read.exit_status == 0);
  for (const char* line :
       {"desk:call { State = 1 }", "desk:create(\"call\", { ShortDescription = \"x\" })",
        "desk:search(\"call\", \"State == 1\")[1]:close { Description = \"x\" }", "desk:advance \"1d\"",
        "desk:run_due()", "desk:put(\"call/1/close\", {})", "desk:send(\"DELETE call/1\")"}) {
    const Finished finished = desk.ask(std::string(line) + "\n");
    INFO(line << ": " << finished.output);
    CHECK_THAT(finished.output,
               Contains("this desk can only be read; callisto console --scratch has one that can be written"));
    CHECK(finished.exit_status == 1);
  }
  TemporaryFolder empty;
  CHECK(run_program({"console", "--data", empty / "none"}, "1\n").exit_status == 1);
}
