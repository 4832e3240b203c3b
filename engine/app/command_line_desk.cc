// Commands for those who run a desk and its data.
#include "engine/app/command_line.h"
#include "engine/app/commands.h"
#include "engine/app/data_folder.h"
#include "engine/app/health.h"
#include "engine/app/shown_settings.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace callisto::app {

namespace {

void add_serve(CommandLine& line) {
  const auto options = std::make_shared<ServeOptions>();
  auto* serve_command = line.program.add_subcommand("serve", "Serve the API");
  serve_command->add_option("--listen", line.listen, "Address and port (default 127.0.0.1:8080; port 0 picks one)");
  auto* samples =
      serve_command->add_flag("--samples", options->samples, "Load the sample data into an empty database first");
  serve_command
      ->add_flag_callback(
          "--no-starter", [options] { options->starter = false; },
          "Leave an empty database without the lists that the rules know")
      ->excludes(samples);
  serve_command->add_flag("--new", is_new_desk_wanted(),
                          "Begin a new desk even beside the files of one whose database is gone");
  serve_command->add_flag("--watch", options->watch, "Reload whenever an entity or a script changes; for development");
  serve_command->add_option(
      "--wait", options->wait_seconds,
      "Seconds to wait for a PostgreSQL server that cannot be reached or takes no writes yet (default 0)");
  line.runs(serve_command, serve, options);
}

void add_health(CommandLine& line) {
  const auto options = std::make_shared<HealthOptions>();
  auto* health_command = line.program.add_subcommand("health", "Ask the server of this machine whether it can serve");
  health_command->add_flag("--alive", options->alive, "Only whether it answers");
  health_command->add_option("--timeout", options->seconds, "Seconds to wait for its answer (default 5)")
      ->check(CLI::Range(1, 600));
  health_command->footer(
      "Asks /readyz, or /healthz with --alive, at the address of the setting listen: for a container's HEALTHCHECK "
      "and\n"
      "for scripts. Exit status: 0 it is well, 1 it is not or there is none, 2 wrong usage.");
  line.runs(health_command, health, options);
}

int print_settings(const GivenSettings& given, bool as_json) {
  const std::string text = as_json ? settings_as_json(given) : settings_as_lua(given);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

void add_settings(CommandLine& line) {
  const auto as_json = std::make_shared<bool>(false);
  auto* settings_command = line.program.add_subcommand("settings", "Show every setting and where it came from");
  settings_command->add_flag("--json", *as_json, "For programs");
  settings_command->footer(
      "What `callisto serve` with the same options, in the same folder and environment would use: a settings file,\n"
      "with the place of each line behind it. Secrets are masked: '********', or a url without its password.");
  settings_command->callback([&line, as_json] {
    line.chosen = [&line, as_json](const Settings&) { return print_settings(line.given, *as_json); };
  });
}

void add_migrate(CommandLine& line) {
  const auto options = std::make_shared<MigrateOptions>();
  auto* migrate_command = line.program.add_subcommand("migrate", "Bring the database to the declared entities");
  migrate_command->add_flag("--plan", options->plan, "Show what would change, change nothing");
  line.runs(migrate_command, migrate, options);
}

int import_either(const Settings& settings, const ImportOptions& options) {
  return options.map.empty() ? import_export(settings, options.file) : import(settings, options);
}

void add_import(CommandLine& line) {
  const auto options = std::make_shared<ImportOptions>();
  auto* import_command = line.program.add_subcommand("import", "Load foreign data: CSV, CSV.gz or JSON lines");
  import_command->add_option("file", options->file, "The file to load")->required();
  import_command->add_option("--map", options->map, "A Lua file that says how rows become records");
  import_command->add_option("--rejected", options->rejected, "Where refused rows are kept (default FILE.rejected)");
  import_command->footer(
      "Without --map the file must be one of `callisto export`; it is loaded as it is, into an empty desk.\n"
      "samples/import/README.md explains maps. Exit status: 0 all rows are in, 1 some were refused and kept in\n"
      "FILE.rejected, or nothing could be imported, 2 wrong usage. A run that was cut off goes on when it is "
      "repeated.");
  line.runs(import_command, import_either, options);
}

void add_export(CommandLine& line) {
  const auto options = std::make_shared<ExportOptions>();
  auto* export_command =
      line.program.add_subcommand("export", "Write rows as JSON lines, without loss; a running server does not mind");
  export_command->add_option("entity", options->entities, "Only the tables of these (default: the whole desk)");
  export_command->add_option("--output", options->output,
                             "A new file, for its owner alone (default, and -: standard output)");
  export_command->footer(
      "A header, then a line for each row: all columns as they are stored, those of deleted rows and internal ones "
      "too.\n"
      "The whole desk has the hashes of passwords, secrets and tokens, so treat it as a secret. Sealed secrets stay\n"
      "sealed: they need the desk's secret.key. `callisto import FILE` loads it into an empty desk.");
  line.runs(export_command, export_rows, options);
}

void add_backup(CommandLine& line) {
  const auto folder = std::make_shared<std::string>();
  auto* backup_command =
      line.program.add_subcommand("backup", "Copy the desk into a folder; a running server does not mind");
  backup_command->add_option("folder", *folder, "A new folder")->required();
  backup_command->footer(
      "The copy is the desk of one moment: all that was answered before is in it. It holds desk.db, secret.key and "
      "the\n"
      "audit log. To restore: callisto serve --data FOLDER.\n"
      "The copy is looked through. Exit status: 0 it is whole, 1 nothing was copied, or the desk's database is "
      "damaged:\n"
      "then its copy is FOLDER.damaged and no backup.");
  backup_command->callback(
      [&line, folder] { line.chosen = [folder](const Settings& settings) { return backup(settings, *folder); }; });
}

void add_record(CommandLine& line) {
  const auto options = std::make_shared<RecordOptions>();
  auto* record_command =
      line.program.add_subcommand("record", "Have the running server keep what it is asked, for `callisto shadow`");
  record_command->add_option("--minutes", options->minutes, "It ends after so many")
      ->check(CLI::Range(1, 7 * 24 * 60))
      ->capture_default_str();
  record_command->add_option("--mib", options->mib, "Or once its requests take so much space")
      ->check(CLI::Range(1, 64 * 1024))
      ->capture_default_str();
  record_command->footer(
      "DATA/recording gets a copy of the desk as it is now, and a line for each request that comes from then on and "
      "is\n"
      "signed in: who asked, what, and the status of the answer. Tokens are not in it, and passwords and secrets stand "
      "in\n"
      "it as asterisks; all else of the desk is, so treat it as a backup. Bodies of more than 64 KiB and files are "
      "left\n"
      "out. Of several servers of one database it is that of the data folder which records. Ctrl-C ends it earlier; "
      "where\n"
      "this command is killed, the server ends it after those minutes.\n"
      "Exit status: 0 recorded, 1 not, 2 wrong usage.");
  line.runs(record_command, record, options);
}

void add_copy(CommandLine& line) {
  const auto options = std::make_shared<CopyOptions>();
  auto* copy_command =
      line.program.add_subcommand("copy", "Move a whole desk into another database, of another kind too");
  copy_command->add_option("--from", options->from, "sqlite:PATH or postgresql://USER@HOST/NAME")->required();
  copy_command->add_option("--to", options->to, "The same; without rows: a new one")->required();
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
  line.runs(copy_command, copy, options);
}

void add_purge(CommandLine& line) {
  const auto options = std::make_shared<PurgeOptions>();
  auto* purge_command = line.program.add_subcommand("purge", "Remove for good what was deleted long ago");
  purge_command->add_option("--older-than", options->older_than, "Deleted so long ago: 12h, 90d, 8w")->required();
  purge_command->add_option("--entity", options->entity, "Only records of this entity and its children (default: all)");
  purge_command->add_flag("--dry-run", options->dry_run, "Show what would go; a running server does not mind");
  purge_command->footer(
      "Deleted records stay stored, so that an administrator can restore them. Purged, they are gone, with their\n"
      "history and the bytes of their files; a backup made before still has them. What another record refers to\n"
      "stays until that is gone. The audit log says what was purged. A server that has the desk open must be\n"
      "stopped first. Exit status: 0 done, 1 nothing or not all was purged, 2 wrong usage.");
  line.runs(purge_command, purge, options);
}

}  // namespace

void add_desk_commands(CommandLine& line) {
  add_serve(line);
  add_settings(line);
  add_health(line);
  add_migrate(line);
  add_import(line);
  add_export(line);
  add_backup(line);
  add_record(line);
  add_copy(line);
  add_purge(line);
}

}  // namespace callisto::app
