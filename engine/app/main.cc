// The program: settings from file, environment and flags, then one command.
#include "engine/app/command_line.h"
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
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

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
  std::string file, data;
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
  if (!given.data.empty()) settings.data = given.data;
  return settings;
}

// The arguments of a process are shown to all users of the machine.
void warn_of_secrets(const Given& given) {
  for (const auto& [setting, variable] :
       {std::pair("sso.secret=", "CALLISTO_SSO_SECRET"), {"oidc.client_secret=", "CALLISTO_OIDC_CLIENT_SECRET"}})
    for (const std::string& assignment : given.assignments)
      if (assignment.starts_with(setting))
        log::warning("--set " + std::string(setting) +
                     "... can be read by everybody who lists processes (ps): give it by " + variable +
                     " in the environment, or in callisto.lua.");
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
  program.set_version_flag("--version", CALLISTO_VERSION);
  program.footer(settings_help());
  program.require_subcommand(1);
  program.fallthrough();
  Given given;
  program.add_option("--set", given.assignments, "A setting, NAME=VALUE; repeat it for more")->allow_extra_args(false);
  program.add_option("--data", given.data, "The data folder (default callisto-data)");
  program.add_option("--settings", given.file, "The settings file (default callisto.lua, if it exists)");
  app::CommandLine line{program};
  app::add_desk_commands(line);
  app::add_script_commands(line);
  app::add_account_commands(line);
  try {
    program.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    if (tell_unknown_command(program)) return 2;
    return written(program.exit(error) == 0 ? 0 : 2);
  }
  auto settings = read_settings(given);
  if (!settings) {
    std::fprintf(stderr, "callisto: %s\n", settings.error().message.c_str());
    return 2;
  }
  if (!line.listen.empty()) settings->listen = line.listen;
  log::configure(settings->log_level, settings->log_format == "json");
  warn_of_secrets(given);
  // A server's log goes elsewhere, and nobody may be listening by the time it stops.
  const int status = line.chosen(*settings);
  return program.got_subcommand("serve") ? status : written(status);
}

// glibc gives a thread that allocates an arena of its own and keeps what is freed; with a thread for each connection, a
// server that has sent large answers would hold hundreds of MiB (decisions/0017).
void keep_memory_small() {
  mallopt(M_ARENA_MAX, 4);
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  mallopt(M_TRIM_THRESHOLD, 256 * 1024);
}

// The system's own words for want of memory or threads name no cause.
std::string told(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error))
    return "there was not enough memory; the limits are: " + process_limits::of_memory();
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (system && system->code() == std::errc::resource_unavailable_try_again)
    return "a thread could not be made; the limits are: " + process_limits::of_threads();
  return error.what();
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
    std::fprintf(stderr, "callisto: %s\n", told(error).c_str());
    return 1;
  }
}
