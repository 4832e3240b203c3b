// The program: settings from file, environment and flags, then one command.
#include "engine/app/command_line.h"
#include "engine/app/opening/shown_settings.h"
#include "engine/app/version.h"
#include "engine/base/access_log.h"
#include "engine/base/escape.h"
#include "engine/base/log.h"
#include "engine/base/process_limits.h"
#include "engine/base/text.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace {

using namespace callisto;

std::string settings_help() {
  std::string text =
      "\nSettings (callisto.lua, then CALLISTO_NAME with '_' for '.' in the environment, then --set NAME=VALUE).\n"
      "A secret may stand in a file, CALLISTO_NAME_FILE, or be a systemd credential of its name. `callisto settings`\n"
      "prints all with where they came from:\n";
  for (const app::SettingDescription& each : app::described_settings()) {
    text += "  " + std::string(each.name);
    text.append(each.name.size() < 27 ? 27 - each.name.size() : 1, ' ');
    text += std::string(each.meaning) + "\n";
  }
  return text;
}

// The arguments of a process are shown to all users of the machine.
void warn_of_secrets(const app::GivenSettings& given) {
  for (const app::SettingDescription& each : app::described_settings())
    if (each.is_secret && given.source_of(each.name).kind == "argument" && app::holds_secret(given.settings, each.name))
      log::warning("--set " + std::string(each.name) +
                   "=... can be read by everybody who lists processes (ps): give it by " + app::variable_of(each.name) +
                   " or " + app::variable_of(each.name) + "_FILE in the environment, or in callisto.lua.");
}

// What was printed and did not get through is a failure too: a script would go on with half of it.
int written(int status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "callisto: the output cannot be written%s%s\n", errno ? ": " : "",
               errno ? std::strerror(errno) : "");
  return status == 0 ? 1 : status;
}

// A file that is opened later must not become the standard output that the caller has closed.
void keep_standard_streams_apart() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDONLY);
}

// The parser itself would say no more than that there is none. False where that is not what is wrong.
bool tell_unknown_command(const CLI::App& program) {
  const CLI::App* app = &program;
  std::string parent, shown = "callisto";
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
    parent += app->get_name() + " ";
    shown += " " + app->get_name();
  }
  const auto known = app->get_subcommands([](const CLI::App*) { return true; });
  const std::vector<std::string> rest = program.remaining(true);
  if (known.empty() || rest.empty() || rest.front().starts_with('-')) return false;
  std::vector<std::string_view> names;
  for (const CLI::App* each : known) names.emplace_back(each->get_name());
  const std::string near = text::nearest(rest.front(), names);
  std::fprintf(stderr, "callisto: there is no command %s; %s`%s --help` lists them\n",
               text::quoted(escaped(parent + rest.front())).c_str(),
               near.empty() ? "" : ("did you mean '" + parent + near + "'? ").c_str(), shown.c_str());
  return true;
}

int run(int count, char** arguments) {
  CLI::App program("Callisto: a scriptable record server that describes itself.", "callisto");
  program.set_version_flag("--version", app::version_text());
  program.footer(settings_help());
  program.require_subcommand(1);
  program.fallthrough();
  app::GivenSettings given;
  app::Arguments told;
  program.add_option("--set", told.assignments, "A setting, NAME=VALUE; repeat it for more")->allow_extra_args(false);
  program.add_option("--data", told.data, "The data folder (default callisto-data)");
  program.add_option("--settings", told.file, "The settings file (default callisto.lua, else the installed program's)");
  app::CommandLine line{program, given};
  app::add_desk_commands(line);
  app::add_script_commands(line);
  app::add_account_commands(line);
  try {
    program.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    if (tell_unknown_command(program)) return 2;
    return written(program.exit(error) == 0 ? 0 : 2);
  }
  if (const auto read = app::read_settings(given, told); !read) {
    std::fprintf(stderr, "callisto: %s\n", read.error().message.c_str());
    return 2;
  }
  app::Settings& settings = given.settings;
  if (!line.listen.empty()) settings.listen = line.listen;
  log::configure(settings.log_level, settings.log_format == "json");
  warn_of_secrets(given);
  // A server's log goes elsewhere, and nobody may be listening by the time it stops.
  const int status = line.chosen(settings);
  return program.got_subcommand("serve") ? status : written(status);
}

// glibc gives a thread that allocates an arena of its own and keeps what is freed; with a thread for each connection, a
// server that has sent large answers would hold hundreds of MiB (decisions/0017).
void keep_memory_small() {
  mallopt(M_ARENA_MAX, 4);
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  mallopt(M_TRIM_THRESHOLD, 256 * 1024);
}

}  // namespace

int main(int count, char** arguments) {
  signal(SIGXFSZ, SIG_IGN);  // a limit of file size (ulimit -f) is then an error like a full disk
  umask(077);                // SQLite makes its files by it, and they hold hashes of passwords; before any thread
  keep_memory_small();
  keep_standard_streams_apart();
  try {
    return run(count, arguments);
  } catch (const std::exception& error) {
    log::flush();
    std::fprintf(stderr, "callisto: %s\n", process_limits::words_of(error).c_str());
    return 1;
  }
}
