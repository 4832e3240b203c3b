// The program: settings from file, environment and flags, then one command.
#include "engine/app/command_line.h"
#include "engine/base/log.h"

#include <malloc.h>
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
  app::CommandLine line{program};
  app::add_desk_commands(line);
  app::add_script_commands(line);
  app::add_account_commands(line);
  try {
    program.parse(count, arguments);
  } catch (const CLI::ParseError& error) { return program.exit(error) == 0 ? 0 : 2; }
  auto settings = read_settings(given);
  if (!settings) {
    std::fprintf(stderr, "callisto: %s\n", settings.error().message.c_str());
    return 2;
  }
  if (!line.listen.empty()) settings->listen = line.listen;
  log::configure(settings->log_level, settings->log_format == "json");
  return line.chosen(*settings);
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
  keep_memory_small();
  try {
    return run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "callisto: %s\n", error.what());
    return 1;
  }
}
