// callisto.lua: a text chunk that returns one table from names of settings to texts, numbers, Booleans or lists of
// texts. It runs in the sandbox, without the words of definitions. The caller knows what a name means.
#pragma once

#include "engine/catalog/problems.h"
#include "engine/script/program.h"

#include <string>
#include <vector>

namespace callisto::script {

struct SettingLine {
  std::string name;
  std::string value;  // as --set takes it: lists with commas, Booleans as true and false
  catalog::Origin origin;
};

struct SettingsFile {
  std::vector<SettingLine> settings;  // by name
  std::vector<catalog::Problem> problems;
};

SettingsFile read_settings(const Source& source);

}  // namespace callisto::script
