// Commands for people who write entities and scripts.
#include "engine/app/command_line.h"
#include "engine/app/commands.h"
#include "engine/base/text.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace callisto::app {

namespace {

void add_check(CommandLine& line) {
  const auto options = std::make_shared<CheckOptions>();
  auto* check_command =
      line.program.add_subcommand("check", "Load and bind entities and scripts; report every problem");
  auto* format = check_command->add_option("--format", options->format,
                                           "Problems on standard output: json for programs, github for annotations in "
                                           "its workflows, sarif (2.1.0) for code scanning");
  format->check(CLI::IsMember({"text", "json", "github", "sarif"}));
  const auto as_json = std::make_shared<bool>(false);
  auto* check_json = check_command->add_flag("--json", *as_json, "The same as --format json")->excludes(format);
  auto* matrix = check_command->add_option("--matrix", options->entity, "Which state offers which action to whom");
  matrix->expected(0, 1)->type_name("[ENTITY]")->excludes(check_json)->excludes(format);
  auto* diagram = check_command->add_option("--diagram", options->diagram,
                                            "Which action leads from which state to which, as a picture (SVG)");
  diagram->type_name("ENTITY")->excludes(check_json)->excludes(format)->excludes(matrix);
  check_command
      ->add_flag("--mermaid", options->mermaid, "With --diagram: as text for Mermaid, which draws it in documents")
      ->needs(diagram);
  check_command
      ->add_flag("--database", options->database,
                 "Instead: check the database for damage; works beside a running server")
      ->excludes(check_json)
      ->excludes(format)
      ->excludes(diagram)
      ->excludes(matrix);
  check_command->footer(
      "Examples:\n"
      "  callisto check\n"
      "  callisto check --matrix call\n"
      "  callisto check --diagram call > call.svg\n"
      "  callisto check --diagram call --mermaid >> README.md\n"
      "  callisto check --database --data DATA\n"
      "  callisto check --format sarif > check.sarif\n"
      "  callisto check --json | jq '.[] | select(.severity == \"error\")'\n\n"
      "Exit status: 0 the server would start (there may be warnings), 1 it would not, 2 wrong usage.");
  check_command->callback([&line, options, matrix, as_json] {
    if (*as_json) options->format = "json";
    options->matrix = matrix->count() > 0;
    line.chosen = [options](const Settings& settings) { return check(settings, *options); };
  });
}

void add_test(CommandLine& line) {
  const auto options = std::make_shared<TestOptions>();
  const auto filter = std::make_shared<std::string>();
  auto* test_command =
      line.program.add_subcommand("test", "Run the specs of the scripts against the sample desk in memory");
  test_command->add_option("path", options->path, "A file or folder of specs (default: those of all scripts folders)");
  test_command->add_option("--filter", *filter, "Only specs whose sentence has all of these words");
  test_command->add_option("--junit", options->junit, "Write the results to this file, as JUnit XML");
  auto* watch_flag =
      test_command->add_flag("--watch", options->watch, "Run again whenever an entity, a script or a spec changes");
  test_command->add_flag("--random", options->random, "In a random order; its seed is shown");
  test_command->add_option("--seed", options->seed, "In the random order of this seed");
  test_command->add_flag("--coverage", options->coverage,
                         "Show which code, actions, states and filters no spec reached");
  test_command->add_option("--lcov", options->lcov, "Write the coverage to this file, as lcov's tools read it");
  test_command->add_option("--report", options->report,
                           "Write a page (HTML) of everything the specs promise to this file");
  auto* mutate_flag = test_command->add_flag(
      "--mutate", options->mutate,
      "Change each rule, one at a time, and show the changes that no spec notices; about half a second each");
  mutate_flag->excludes(watch_flag);
  test_command->add_option("--rules", options->rules, "With --mutate: change only this file or folder of scripts")
      ->needs(mutate_flag);
  test_command->footer(
      "Examples:\n"
      "  callisto test\n"
      "  callisto test scripts/call --filter \"closed offered\"\n"
      "  callisto test my/scripts --set scripts=scripts,my/scripts --watch\n"
      "  callisto test --random --junit results.xml\n"
      "  callisto test --coverage --lcov coverage.info\n"
      "  callisto test --mutate --rules scripts/call/actions\n"
      "  callisto test --mutate --report promises.html\n"
      "\n"
      "scripts/README.md explains how to write specs. Exit status: 0 all passed, 1 some failed or none ran, 2 wrong "
      "usage.");
  test_command->callback([&line, options, filter] {
    for (const std::string_view word : text::split(*filter, ' '))
      if (!word.empty()) options->words.emplace_back(word);
    line.chosen = [options](const Settings& settings) { return test(settings, *options); };
  });
}

void add_advise(CommandLine& line) {
  const auto options = std::make_shared<AdviseOptions>();
  auto* advise_command =
      line.program.add_subcommand("advise", "Find `index` lines that would make the desk's queries faster");
  advise_command->add_option("--from", options->from,
                             "The asked queries (default: DATA/asked.jsonl, which a server writes)");
  advise_command->add_option("--questions", options->questions, "How many of the slowest queries to try (default 30)");
  advise_command->add_option("--most", options->most, "How many indexes to try (default 8)");
  advise_command->footer(
      "Each index is made on a copy of the database and measured there: queries before and after, its size, and\n"
      "its cost per write. The copy takes as much room again: in DATA/advise, or with PostgreSQL in the schema\n"
      "callisto_advise, which the database user must be allowed to create. It is removed at the end; what a killed\n"
      "command leaves, the next one removes. The desk is not changed, and a server may be running. Queries are kept\n"
      "without their values. entities/README.md says where the lines go.\n"
      "\n"
      "Exit status: 0 done, 1 nothing was asked yet or the copy could not be made, 2 wrong usage.");
  line.runs(advise_command, advise, options);
}

void add_shadow(CommandLine& line) {
  const auto options = std::make_shared<ShadowOptions>();
  auto* shadow_command = line.program.add_subcommand(
      "shadow", "Repeat recorded requests by other rules, and show each answer that differs");
  shadow_command->add_option("--scripts", options->scripts, "All script folders of the candidate")
      ->type_name("FOLDER...");
  shadow_command->add_option("--entities", options->entities, "All entity folders of the candidate (default: today's)")
      ->type_name("FOLDER...");
  shadow_command->add_option("--recording", options->recording,
                             "A folder that `callisto record` made (default: DATA/recording)");
  shadow_command->add_flag("--all", options->all,
                           "Show each answer that differs, instead of each kind with an example");
  shadow_command->footer(
      "Examples:\n"
      "  callisto record --minutes 60\n"
      "  callisto shadow --scripts candidate/scripts\n"
      "  callisto shadow --scripts scripts my/scripts --all\n"
      "\n"
      "Each request is repeated twice on one copy of the desk, with the clock at its time: by the candidate's\n"
      "rules, which is then undone, and by today's, which stays. Statuses, bodies and events are compared. So only\n"
      "the rules make answers differ, never what an earlier request left behind. The desk is not changed, and\n"
      "nothing is sent.\n"
      "Exit status: 0 no answer differs, 1 some do, 2 wrong usage, or it could not be done.");
  line.runs(shadow_command, shadow, options);
}

void add_console(CommandLine& line) {
  const auto options = std::make_shared<ConsoleOptions>();
  auto* console_command = line.program.add_subcommand("console", "Ask a desk in Lua; works beside a running server");
  console_command->add_option("--as", options->login, "The login of the person who asks")->capture_default_str();
  console_command->add_flag("--scratch", options->scratch,
                            "Use the sample desk in memory, where you may write everything");
  console_command->footer(
      "Examples of what to type:\n"
      "  desk:search(\"call\", \"@IsOpen && Priority == 1\")\n"
      "  c = desk:find(\"call\", 7)         names without 'local' are kept\n"
      "  c:offers()\n"
      "  c:as(\"user\"):offers()\n"
      "  c:close { Description = \"Done.\" }     with --scratch only\n"
      "  desk:get(\"call\", { [\"$filter\"] = \"@IsOpen\", [\"$count\"] = \"true\" }).body\n"
      "  exit                              or Ctrl-D\n"
      "\n"
      "The words of desk and of records are in scripts/README.md, \"Testing a desk\". At a terminal, Tab\n"
      "completes names, and ~/.callisto_history keeps the lines, but those that begin with a blank.\n"
      "Exit status: 0; 1 the desk cannot be opened, or input from a pipe failed; 2 wrong usage.");
  line.runs(console_command, console, options);
}

void add_describe(CommandLine& line) {
  const auto options = std::make_shared<DescribeOptions>();
  auto* describe_command = line.program.add_subcommand(
      "describe", "Show what entities and scripts say together, and where each part is written");
  describe_command->add_option("entity", options->entity, "Its name, such as person (default: a list of all)");
  describe_command->add_flag("--json", options->json, "Everything, as JSON for programs");
  describe_command->footer(
      "Examples:\n"
      "  callisto describe\n"
      "  callisto describe person\n"
      "  callisto describe person --json | jq '.properties[] | select(.required) | .name'\n"
      "  callisto describe --json > catalog.json");
  line.runs(describe_command, describe, options);
}

void add_openapi(CommandLine& line) {
  const auto choice = std::make_shared<OpenApiChoice>();
  auto* openapi_command = line.program.add_subcommand("openapi", "Print the API of these entities as OpenAPI");
  openapi_command->add_option("--version", choice->version, "3.1, or 3.0 for tools that read nothing newer")
      ->check(CLI::IsMember({"3.1", "3.0"}))
      ->capture_default_str();
  openapi_command->footer(
      "Examples:\n"
      "  callisto openapi > openapi.json\n"
      "  callisto openapi --version 3.0 > openapi-3.0.json\n"
      "  callisto openapi --set base_url=https://desk.example.com | npx openapi-typescript > desk.d.ts\n\n"
      "A server answers the same at {api}/openapi.json.");
  line.runs(openapi_command, openapi, choice);
}

void add_stubs(CommandLine& line) {
  const auto options = std::make_shared<StubsOptions>();
  auto* stubs_command = line.program.add_subcommand(
      "stubs", "Write definitions of all words and entities for editors (Lua language server)");
  stubs_command->add_option("--output", options->output, "A file (default callisto.d.lua in the first scripts folder)");
  stubs_command->footer(
      "Examples:\n"
      "  callisto stubs\n"
      "  callisto stubs --set scripts=scripts,my/scripts --output my/scripts/callisto.d.lua");
  line.runs(stubs_command, stubs, options);
}

void add_reload(CommandLine& line) {
  const auto options = std::make_shared<ReloadOptions>();
  auto* reload_command =
      line.program.add_subcommand("reload", "Make the running server read its certificate, entities and scripts anew");
  reload_command->add_flag("--force", options->force,
                           "Reload even if active webhooks lose words that they use, and then deliver nothing");
  reload_command->add_flag("--dry-run", options->dry_run,
                           "Check, run the specs and show what would change, but do not reload");
  reload_command->footer(
      "Examples:\n"
      "  callisto reload --dry-run\n"
      "  callisto reload --data /var/lib/callisto\n"
      "\n"
      "The command checks them first and reports problems without reloading. Then the data folder's server checks\n"
      "them again and switches to them between two requests. Exit status: 0 done; 1 a problem, a failed spec, or\n"
      "no server; 2 wrong usage.");
  line.runs(reload_command, reload, options);
}

}  // namespace

void add_script_commands(CommandLine& line) {
  add_check(line);
  add_test(line);
  add_advise(line);
  add_shadow(line);
  add_console(line);
  add_describe(line);
  add_openapi(line);
  add_stubs(line);
  add_reload(line);
}

}  // namespace callisto::app
