// Commands for people who run a desk and its data.
#include "engine/app/command_line.h"
#include "engine/app/commands.h"
#include "engine/app/health.h"
#include "engine/app/opening/data_folder.h"
#include "engine/app/opening/shown_settings.h"

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
  serve_command
      ->add_option("--listen", line.listen,
                   "Address and port, or unix:PATH; repeat it for more (default 127.0.0.1:8080; port 0 picks one)")
      ->allow_extra_args(false);
  auto* samples =
      serve_command->add_flag("--samples", options->samples, "Load the sample data into an empty database first");
  serve_command
      ->add_flag_callback(
          "--no-starter", [options] { options->starter = false; },
          "Do not fill an empty database with the lists that the rules use")
      ->excludes(samples);
  serve_command->add_flag("--new", is_new_desk_wanted(),
                          "Begin a new desk even beside the files of a desk whose database is gone");
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
      "Asks /readyz, or /healthz with --alive, where the server of the data folder listens, else at the first\n"
      "address of the setting listen: for a container's HEALTHCHECK and for scripts. Exit status: 0 it is well, 1 it "
      "is not or there is none, 2 wrong usage.");
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
  auto* migrate_command = line.program.add_subcommand("migrate", "Migrate the database to the declared entities");
  migrate_command->add_flag("--plan", options->plan, "Only show what would change");
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
      "Without --map, FILE must come from `callisto export`; it is loaded as it is, into an empty desk.\n"
      "samples/import/README.md explains maps. Exit status: 0 all rows are in; 1 some were refused and kept in\n"
      "FILE.rejected, or nothing could be imported; 2 wrong usage. Repeat an interrupted run, and it continues.");
  line.runs(import_command, import_either, options);
}

void add_export(CommandLine& line) {
  const auto options = std::make_shared<ExportOptions>();
  auto* export_command =
      line.program.add_subcommand("export", "Write rows as JSON lines, without loss; works beside a running server");
  export_command->add_option("entity", options->entities, "Only the tables of these (default: the whole desk)");
  export_command->add_option("--output", options->output,
                             "A new file that only its owner may read (default, and -: standard output)");
  export_command->footer(
      "Writes a header, then one line per row with all columns as they are stored, internal ones and deleted rows\n"
      "too. An export of the whole desk has the hashes of passwords, secrets and tokens, so treat it as a secret.\n"
      "Sealed secrets stay sealed: they need the desk's secret.key. `callisto import FILE` loads it into an empty\n"
      "desk.");
  line.runs(export_command, export_rows, options);
}

void add_backup(CommandLine& line) {
  const auto folder = std::make_shared<std::string>();
  auto* backup_command =
      line.program.add_subcommand("backup", "Copy the desk into a folder; works beside a running server");
  backup_command->add_option("folder", *folder, "A new folder")->required();
  backup_command->footer(
      "The copy shows the desk at one moment, with everything that was answered before. It holds desk.db,\n"
      "secret.key and the audit log. To restore: callisto serve --data FOLDER.\n"
      "The copy is checked for damage. Exit status: 0 it is whole; 1 nothing was copied, or the desk's database is\n"
      "damaged: then its copy is FOLDER.damaged and no backup.");
  backup_command->callback(
      [&line, folder] { line.chosen = [folder](const Settings& settings) { return backup(settings, *folder); }; });
}

void add_record(CommandLine& line) {
  const auto options = std::make_shared<RecordOptions>();
  auto* record_command =
      line.program.add_subcommand("record", "Make the running server keep its requests, for `callisto shadow`");
  record_command->add_option("--minutes", options->minutes, "The recording ends after so many minutes")
      ->check(CLI::Range(1, 7 * 24 * 60))
      ->capture_default_str();
  record_command->add_option("--mib", options->mib, "Or once its requests take so many MiB")
      ->check(CLI::Range(1, 64 * 1024))
      ->capture_default_str();
  record_command->footer(
      "DATA/recording gets a copy of the desk as it is now, and a line for each later request that is signed in:\n"
      "who asked, what, and the status of the answer. The lines contain no tokens, and asterisks for passwords and\n"
      "secrets, but everything else of the desk, so treat them as a backup. Files and bodies of more than 64 KiB\n"
      "are left out. If several servers share a database, the one of this data folder records. Ctrl-C ends the\n"
      "recording earlier; if this command is killed, the server ends it after those minutes.\n"
      "Exit status: 0 recorded, 1 not, 2 wrong usage.");
  line.runs(record_command, record, options);
}

void add_copy(CommandLine& line) {
  const auto options = std::make_shared<CopyOptions>();
  auto* copy_command =
      line.program.add_subcommand("copy", "Copy a whole desk into another database, also of another kind");
  copy_command->add_option("--from", options->from, "sqlite:PATH or postgresql://USER@HOST/NAME")->required();
  copy_command->add_option("--to", options->to, "The same; a new database, without rows")->required();
  copy_command->footer(
      "Examples:\n"
      "  callisto copy --from sqlite:callisto-data/desk.db --to postgresql://desk@db.example.com/desk\n"
      "  callisto copy --from postgresql://desk@db.example.com/desk --to sqlite:desk.db\n"
      "\n"
      "Passwords come from PGPASSWORD or ~/.pgpass, as for psql: everybody who can list processes sees one in a\n"
      "url. The copy shows the desk at one moment. A server may run on the source, but its later changes are not\n"
      "copied, so stop it first to move for good. No server may run on the target. Both sides are read again and\n"
      "compared, table by table, before the copy appears: it is whole, or the target has only empty tables. The\n"
      "desk's secret.key is not part of a database: take it along.\n"
      "Exit status: 0 copied and found equal, 1 nothing copied, 2 wrong usage.");
  line.runs(copy_command, copy, options);
}

void add_purge(CommandLine& line) {
  const auto options = std::make_shared<PurgeOptions>();
  auto* purge_command = line.program.add_subcommand("purge", "Remove for good what was deleted long ago");
  purge_command
      ->add_option("--older-than", options->older_than, "How long ago a record must have been deleted: 12h, 90d, 8w")
      ->required();
  purge_command->add_option("--entity", options->entity, "Only records of this entity and its children (default: all)");
  purge_command->add_flag("--dry-run", options->dry_run, "Only show what would go; works beside a running server");
  purge_command->footer(
      "Deleted records stay stored, so that an administrator can restore them. Purged records are gone, with their\n"
      "history and the bytes of their files; an earlier backup still has them. A record that another one refers to\n"
      "stays until that one is gone. The audit log says what was purged. Stop a server that has the desk open\n"
      "first.\n"
      "Exit status: 0 done, 1 nothing or not all was purged, 2 wrong usage.");
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
