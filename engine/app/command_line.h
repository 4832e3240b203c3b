// The command line: each file of command_line_*.cc adds its commands, and parsing chooses one of them. CLI11 stays
// inside these and main.cc.
#pragma once

#include "engine/app/opening/given_settings.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace callisto::app {

struct CommandLine {
  CLI::App& program;
  const GivenSettings& given;                       // read before a command is run
  std::vector<std::string> listen = {};             // serve's own; empty: the setting
  std::function<int(const Settings&)> chosen = {};  // once parsed; returns the exit status

  // `command`, where it is given, calls `function`.
  template <typename Options>
  void runs(CLI::App* command, int (*function)(const Settings&, const Options&), std::shared_ptr<Options> options) {
    command->callback([this, function, options] {
      chosen = [function, options](const Settings& settings) { return function(settings, *options); };
    });
  }
  void runs(CLI::App* command, int (*function)(const Settings&)) {
    command->callback([this, function] { chosen = function; });
  }
};

void add_desk_commands(CommandLine& line);
void add_script_commands(CommandLine& line);
void add_account_commands(CommandLine& line);

}  // namespace callisto::app
