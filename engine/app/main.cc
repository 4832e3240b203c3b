// The command line: flags to Settings and options, then one command. CLI11 stays inside this file.
#include "engine/app/commands.h"
#include "engine/base/log.h"
#include "engine/base/text.h"

#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>

namespace {

using namespace callisto;

std::string settings_help() {
  std::string text =
      "\nSettings (callisto.lua, then CALLISTO_NAME with '_' for '.' in the environment, then --set NAME=VALUE):\n";
  for (const auto& [name, meaning] : app::described_settings()) {
    text += "  " + std::string(name);
    text.append(name.size() < 27 ? 27 - name.size() : 1, ' ');
    text += std::string(meaning) + "\n";
  }
  return text;
}

struct Given {
  std::vector<std::string> assignments;
  std::string file, listen, data;
};

Result<app::Settings> read_settings(const Given& given) {
  app::Settings settings;
  if (!given.file.empty()) {
    CALLISTO_CHECK(app::set_from_file(settings, given.file));
  } else if (std::filesystem::exists("callisto.lua")) {
    CALLISTO_CHECK(app::set_from_file(settings, "callisto.lua"));
  }
  std::vector<std::string> environment;
  for (char** variable = environ; *variable; ++variable) environment.emplace_back(*variable);
  CALLISTO_CHECK(app::set_from_environment(settings, environment));
  for (const std::string& assignment : given.assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) return bad_format("--set " + assignment + ": write --set NAME=VALUE");
    CALLISTO_CHECK(app::set(settings, std::string_view(assignment).substr(0, equals),
                            std::string_view(assignment).substr(equals + 1)));
  }
  if (!given.listen.empty()) settings.listen = given.listen;
  if (!given.data.empty()) settings.data = given.data;
  return settings;
}

int run(int count, char** arguments) {
  CLI::App program("Callisto: a scriptable record server that describes itself.", "callisto");
  program.set_version_flag("--version", CALLISTO_VERSION);
  program.footer(settings_help());
  program.require_subcommand(1);
  program.fallthrough();
  Given given;
  program.add_option("--set", given.assignments, "A setting, NAME=VALUE; may be repeated")->allow_extra_args(false);
  program.add_option("--data", given.data, "The data folder (default callisto-data)");
  program.add_option("--settings", given.file, "The settings file (default callisto.lua, where there is one)");

  app::ServeOptions serve;
  auto* serve_command = program.add_subcommand("serve", "Serve the API");
  serve_command->add_option("--listen", given.listen, "Address and port (default 127.0.0.1:8080; port 0 picks one)");
  serve_command->add_flag("--samples", serve.samples, "Load the sample data into an empty database first");
  serve_command->add_flag("--watch", serve.watch, "Reload whenever an entity or a script changes; for development");

  app::CheckOptions check;
  auto* check_command = program.add_subcommand("check", "Load and bind entities and scripts; report every problem");
  auto* check_json = check_command->add_flag("--json", check.json, "Problems for editors, on standard output");
  auto* matrix = check_command->add_option("--matrix", check.entity, "Which state offers which action to whom");
  matrix->expected(0, 1)->type_name("[ENTITY]")->excludes(check_json);
  check_command
      ->add_flag("--database", check.database, "Instead: whether the database is whole; beside a running server too")
      ->excludes(check_json)
      ->excludes(matrix);
  check_command->footer(
      "Examples:\n"
      "  callisto check\n"
      "  callisto check --matrix call\n"
      "  callisto check --database --data DATA\n"
      "  callisto check --json | jq '.[] | select(.severity == \"error\")'\n\n"
      "Exit status: 0 the server would start (there may be warnings), 1 it would not, 2 wrong usage.");

  app::TestOptions test;
  std::string filter;
  auto* test_command = program.add_subcommand("test", "Run the specs of the scripts against the sample desk in memory");
  test_command->add_option("path", test.path, "A file or folder of specs (default: those of all scripts folders)");
  test_command->add_option("--filter", filter, "Only specs whose sentence has all of these words");
  test_command->add_option("--junit", test.junit, "Write the results to this file, as JUnit XML");
  test_command->add_flag("--watch", test.watch, "Run again whenever an entity, a script or a spec changes");
  test_command->add_flag("--random", test.random, "In a random order, whose seed is told");
  test_command->add_option("--seed", test.seed, "In the random order of this seed");
  test_command->footer(
      "Examples:\n"
      "  callisto test\n"
      "  callisto test scripts/call --filter \"closed offered\"\n"
      "  callisto test my/scripts --set scripts=scripts,my/scripts --watch\n"
      "  callisto test --random --junit results.xml\n\n"
      "scripts/README.md tells how specs are written. Exit status: 0 all passed, 1 some failed or none ran, 2 wrong "
      "usage.");

  app::ConsoleOptions console;
  auto* console_command = program.add_subcommand("console", "Ask a desk in Lua; a running server does not mind");
  console_command->add_option("--as", console.login, "The login of the person who asks")->capture_default_str();
  console_command->add_flag("--scratch", console.scratch, "The sample desk in memory, where everything may be written");
  console_command->footer(
      "Examples of what to type:\n"
      "  desk:search(\"call\", \"@IsOpen && Priority == 1\")\n"
      "  c = desk:find(\"call\", 7)         names without 'local' are kept\n"
      "  c:offers()\n"
      "  c:as(\"user\"):offers()\n"
      "  c:close { Description = \"Done.\" }     with --scratch only\n"
      "  desk:get(\"call\", { [\"$filter\"] = \"@IsOpen\", [\"$count\"] = \"true\" }).body\n"
      "  exit                              or Ctrl-D\n\n"
      "The words of desk and of records stand in scripts/README.md, \"Testing a desk\". For line editing and history:\n"
      "rlwrap callisto console. Exit status: 0; 1 the desk cannot be opened, or something failed that came through a\n"
      "pipe; 2 wrong usage.");

  app::DescribeOptions describe;
  auto* describe_command =
      program.add_subcommand("describe", "Show what entities and scripts say together, and where each part stands");
  describe_command->add_option("entity", describe.entity, "Its name, such as person (default: a list of all)");
  describe_command->add_flag("--json", describe.json, "All of it, for programs");
  describe_command->footer(
      "Examples:\n"
      "  callisto describe\n"
      "  callisto describe person\n"
      "  callisto describe person --json | jq '.properties[] | select(.required) | .name'\n"
      "  callisto describe --json > catalog.json");

  auto* openapi_command = program.add_subcommand("openapi", "Print the API of these entities as OpenAPI 3.1");
  openapi_command->footer(
      "Examples:\n"
      "  callisto openapi > openapi.json\n"
      "  callisto openapi --set base_url=https://desk.example.com | npx openapi-typescript > desk.d.ts\n\n"
      "A server answers the same at {api}/openapi.json.");

  app::StubsOptions stubs;
  auto* stubs_command =
      program.add_subcommand("stubs", "Write definitions of all words and entities for editors (Lua language server)");
  stubs_command->add_option("--output", stubs.output, "A file (default callisto.d.lua in the first scripts folder)");
  stubs_command->footer(
      "Examples:\n"
      "  callisto stubs\n"
      "  callisto stubs --set scripts=scripts,my/scripts --output my/scripts/callisto.d.lua");

  app::ReloadOptions reload;
  auto* reload_command =
      program.add_subcommand("reload", "Let the running server read its certificate, entities and scripts anew");
  reload_command->add_flag("--dry-run", reload.dry_run,
                           "Check, run the specs and show what would change, but tell no server");
  reload_command->footer(
      "Examples:\n"
      "  callisto reload --dry-run\n"
      "  callisto reload --data /var/lib/callisto\n\n"
      "They are checked here first; a problem is told and nothing happens. Then the server of the data folder checks\n"
      "them again and goes over to them between two requests. Exit status: 0 done, 1 a problem, a failed spec, or no\n"
      "server.");

  app::MigrateOptions migrate;
  auto* migrate_command = program.add_subcommand("migrate", "Bring the database to the declared entities");
  migrate_command->add_flag("--plan", migrate.plan, "Show what would change, change nothing");

  app::ImportOptions import;
  auto* import_command = program.add_subcommand("import", "Load foreign data: CSV, CSV.gz or JSON lines");
  import_command->add_option("file", import.file, "The file to load")->required();
  import_command->add_option("--map", import.map, "A Lua file that says how rows become records");
  import_command->add_option("--rejected", import.rejected, "Where refused rows are kept (default FILE.rejected)");

  import_command->footer(
      "Without --map the file must be one of `callisto export`; it is loaded as it is, into an empty desk.\n"
      "samples/import/README.md explains maps. Exit status: 0 all rows are in, 1 some were refused and kept in\n"
      "FILE.rejected, or nothing could be imported, 2 wrong usage. A run that was cut off goes on when it is "
      "repeated.");

  app::ExportOptions export_options;
  auto* export_command =
      program.add_subcommand("export", "Write rows as JSON lines, without loss; a running server does not mind");
  export_command->add_option("entity", export_options.entities, "Only the tables of these (default: the whole desk)");
  export_command->add_option("--output", export_options.output,
                             "A new file, for its owner alone (default: standard output)");
  export_command->footer(
      "A header, then a line for each row: all columns as they are stored, those of deleted rows and internal ones "
      "too.\n"
      "The whole desk has the hashes of passwords, secrets and tokens, so treat it as a secret. Sealed secrets stay\n"
      "sealed: they need the desk's secret.key. `callisto import FILE` loads it into an empty desk.");

  std::string backup_folder;
  auto* backup_command =
      program.add_subcommand("backup", "Copy the desk into a folder; a running server does not mind");
  backup_command->add_option("folder", backup_folder, "A new folder")->required();
  backup_command->footer(
      "The copy is the desk of one moment: all that was answered before is in it. It holds desk.db, secret.key and "
      "the\n"
      "audit log. To restore: callisto serve --data FOLDER.");

  app::CopyOptions copy;
  auto* copy_command = program.add_subcommand("copy", "Move a whole desk into another database, of another kind too");
  copy_command->add_option("--from", copy.from, "sqlite:PATH or postgresql://USER@HOST/NAME")->required();
  copy_command->add_option("--to", copy.to, "The same; without rows: a new one")->required();
  copy_command->footer(
      "Examples:\n"
      "  callisto copy --from sqlite:callisto-data/desk.db --to postgresql://desk@db.example.com/desk\n"
      "  callisto copy --from postgresql://desk@db.example.com/desk --to sqlite:desk.db\n\n"
      "Passwords come from PGPASSWORD or ~/.pgpass, as for psql: one in a url is there for all to see who can list\n"
      "processes. The copy is the desk of one moment; a server may be at work on the source, but what it changes\n"
      "afterwards is not copied, so stop it first when it is to move for good. No server may run on the target. Both\n"
      "sides are read again and compared, table by table, before anything of the copy is there: it is whole, or the\n"
      "target has empty tables at most. The desk's secret.key is no part of a database: take it along.\n"
      "Exit status: 0 copied and found equal, 1 nothing copied, 2 wrong usage.");

  app::PersonOptions person;
  auto* person_command = program.add_subcommand("person", "The people who sign in")->require_subcommand(1);
  auto* person_add = person_command->add_subcommand("add", "Add one; the password is read from standard input");
  person_add->add_option("login", person.login, "The login name")->required();
  person_add->add_option("--first-name", person.first_name);
  person_add->add_option("--last-name", person.last_name, "Default: the login name");
  person_add->add_flag("--analyst", person.analyst, "May open sessions of type Analyst");
  person_add->add_flag("--administrator", person.administrator, "All rights, all partitions; an analyst too");
  person_add->add_option("--role", person.roles, "The name of a role to give; may be repeated")
      ->allow_extra_args(false);
  auto* person_password =
      person_command->add_subcommand("password", "Set a new one, read from standard input; ends a lock");
  person_password->add_option("login", person.login, "The login name")->required();

  app::ClientOptions client;
  auto* client_command =
      program.add_subcommand("client", "The programs that people sign in with")->require_subcommand(1);
  auto* client_add = client_command->add_subcommand("add", "Add one, or replace the one of this id");
  client_add->add_option("id", client.id, "The client_id")->required();
  client_add->add_option("--name", client.name, "A name for people");
  client_add->add_flag("--secret", client.secret, "It has a secret, read from standard input");
  client_add->add_option("--description", client.description, "What it is for");
  client_add->add_option("--grants", client.grants, "Default password,refresh_token")
      ->delimiter(',')
      ->check(CLI::IsMember({"password", "refresh_token", "authorization_code", "client_credentials"}));
  client_add->add_option("--redirect-uri", client.redirect_uris, "May be repeated");
  client_add->add_option("--session-type", client.session_type, "Any (default), User or Analyst")
      ->check(CLI::IsMember({"Any", "User", "Analyst"}));
  client_add->add_option("--role", client.role, "The role whose partitions it sees when it signs in for itself");
  auto* client_list = client_command->add_subcommand("list", "Show them; a running server does not mind");
  auto* client_disable = client_command->add_subcommand("disable", "Refuse one and all of its sessions from now on");
  client_disable->add_option("id", client.id, "The client_id")->required();

  app::SessionOptions session;
  auto* session_command = program.add_subcommand("session", "Who is signed in")->require_subcommand(1);
  auto* session_list = session_command->add_subcommand("list", "Show all; a running server does not mind");
  auto* session_end = session_command->add_subcommand("end", "End one and free its licence");
  session_end->add_option("ref", session.ref, "Its REF, as the list shows it")->required();
  session_command->footer("While a server runs, administrators end sessions by DELETE {api}/v1/session/REF.");

  app::WebhookOptions webhook;
  auto* webhook_command = program.add_subcommand("webhook", "Who is told of events")->require_subcommand(1);
  auto* webhook_list = webhook_command->add_subcommand("list", "Show all; a running server does not mind");
  auto* webhook_test = webhook_command->add_subcommand("test", "Let a Ping wait for the server's next start");
  webhook_test->add_option("ref", webhook.ref, "The webhook's REF, as the list shows it")->required();
  auto* webhook_redeliver =
      webhook_command->add_subcommand("redeliver", "Let a delivery be sent again at the server's next start");
  webhook_redeliver->add_option("ref", webhook.ref, "The delivery's Ref")->required();
  auto* webhook_preview = webhook_command->add_subcommand(
      "preview", "Print what would be sent for an event of a record, as JSON; a running server does not mind");
  webhook_preview->add_option("ref", webhook.ref, "The webhook's REF")->required();
  webhook_preview->add_option("--entity", webhook.entity, "The record's entity, as urls name it")->required();
  webhook_preview->add_option("--ref", webhook.key, "The record's Ref")->required();
  webhook_preview->add_option("--event", webhook.event, "The event, such as Closed")->required();
  webhook_command->footer(
      "While a server runs, test and redeliver are actions of the API: PUT {api}/v1/webhook/REF/test and\n"
      "PUT {api}/v1/webhook-delivery/REF/redeliver. Receivers' guide: webhooks/README.md.");

  std::vector<std::string> audit_files;
  app::AuditListOptions audit_list;
  auto* audit_command =
      program.add_subcommand("audit", "The log of sign-ins, refusals and changes of rights")->require_subcommand(1);
  auto* verify_command = audit_command->add_subcommand("verify", "Check that the log is as it was written");
  verify_command->add_option("files", audit_files, "Files of one chain, oldest first (default DATA/audit.jsonl)");
  verify_command->footer(
      "Exit status: 0 good; 1 broken, with the first line that is altered, removed, inserted or torn, or the log\n"
      "cannot be read. Note the last hash elsewhere: whoever can write the whole data folder can make a new chain.");
  auto* list_command = audit_command->add_subcommand("list", "Print lines of the log, which are JSON");
  list_command->add_option("file", audit_list.file, "Default DATA/audit.jsonl");
  list_command->add_option("--event", audit_list.event, "Such as sign-in-refused");
  list_command->add_option("--since", audit_list.since, "A date such as 2026-03-15 or 2026-03-15T07:00Z");
  list_command->add_option("--person", audit_list.person, "The Ref of a person");
  list_command->footer("Events: " + app::audit_events());

  try {
    program.parse(count, arguments);
  } catch (const CLI::ParseError& error) { return program.exit(error) == 0 ? 0 : 2; }
  auto settings = read_settings(given);
  if (!settings) {
    std::fprintf(stderr, "callisto: %s\n", settings.error().message.c_str());
    return 2;
  }
  log::configure(settings->log_level, settings->log_format == "json");
  if (*serve_command) return app::serve(*settings, serve);
  if (*check_command) {
    check.matrix = matrix->count() > 0;
    return app::check(*settings, check);
  }
  if (*test_command) {
    for (const std::string_view word : text::split(filter, ' '))
      if (!word.empty()) test.words.emplace_back(word);
    return app::test(*settings, test);
  }
  if (*console_command) return app::console(*settings, console);
  if (*describe_command) return app::describe(*settings, describe);
  if (*openapi_command) return app::openapi(*settings);
  if (*stubs_command) return app::stubs(*settings, stubs);
  if (*reload_command) return app::reload(*settings, reload);
  if (*migrate_command) return app::migrate(*settings, migrate);
  if (*import_command)
    return import.map.empty() ? app::import_export(*settings, import.file) : app::import(*settings, import);
  if (*export_command) return app::export_rows(*settings, export_options);
  if (*copy_command) return app::copy(*settings, copy);
  if (*backup_command) return app::backup(*settings, backup_folder);
  if (*person_add) return app::person_add(*settings, person);
  if (*person_password) return app::person_password(*settings, person);
  if (*client_add) return app::client_add(*settings, client);
  if (*client_list) return app::client_list(*settings);
  if (*client_disable) return app::client_disable(*settings, client);
  if (*session_list) return app::session_list(*settings);
  if (*session_end) return app::session_end(*settings, session);
  if (*webhook_list) return app::webhook_list(*settings);
  if (*webhook_test) return app::webhook_test(*settings, webhook);
  if (*webhook_redeliver) return app::webhook_redeliver(*settings, webhook);
  if (*webhook_preview) return app::webhook_preview(*settings, webhook);
  if (*verify_command) return app::audit_verify(*settings, audit_files);
  if (*list_command) return app::audit_list(*settings, audit_list);
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "callisto: %s\n", error.what());
    return 1;
  }
}
