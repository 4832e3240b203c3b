// The settings of this run: defaults, then callisto.lua, then systemd's credentials, then CALLISTO_* environment, then
// --set and flags; and of each where it came from. A secret may stand in a file of its own: CALLISTO_SSO_SECRET_FILE
// names one, and a credential is called as its setting. Every error names the place and the mend.
#pragma once

#include "engine/app/opening/settings.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::app {

struct SettingSource {
  std::string kind = "default";  // or file, credential, environment, environment-file, argument
  std::string place;             // "callisto.lua:3", "CALLISTO_LISTEN", "--set"; empty: the default
};

struct GivenSettings {
  Settings settings;
  std::map<std::string, SettingSource, std::less<>> sources;  // by name; absent: the default
  std::string file;                                           // that was read; empty: none

  SettingSource source_of(std::string_view name) const;
  Result<void> set(std::string_view name, std::string_view value, SettingSource source);
};

struct Arguments {
  std::vector<std::string> assignments;  // NAME=VALUE
  std::string file;                      // empty: callisto.lua here, else that of the installed program
  std::string data;                      // empty: the setting
};

// A Lua file that returns { ["log.level"] = "debug", ... }. Tells every problem of the file, a line each.
Result<void> set_from_file(GivenSettings& given, const std::string& path);
// A folder as $CREDENTIALS_DIRECTORY names it.
Result<void> set_from_credentials(GivenSettings& given, const std::string& folder);
// CALLISTO_LOG_LEVEL sets log.level; other variables are none of ours. `environment`: NAME=value texts.
Result<void> set_from_environment(GivenSettings& given, const std::vector<std::string>& environment);

// All of them, of this process' environment and folder. On a problem `given` has what came before it.
Result<void> read_settings(GivenSettings& given, const Arguments& arguments);

// "CALLISTO_LOG_LEVEL" of log.level.
std::string variable_of(std::string_view setting);

// The settings file of a program that is installed as BIN/callisto; empty: it is not installed.
std::string installed_settings_file(const std::string& program);

}  // namespace callisto::app
