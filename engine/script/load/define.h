// Runs one file's text in a sandbox of its own and turns it into the definition that it returns, with every problem
// that this file can have by itself. Pure except for the time it takes; any thread.
#pragma once

#include "engine/catalog/builder.h"
#include "engine/script/library.h"
#include "engine/script/load/read_calendar.h"
#include "engine/script/program.h"

#include <string>
#include <variant>
#include <vector>

namespace callisto::script {

enum class FileKind {
  Entity,
  Addition,
  Common,
  Augmenter,
  AugmenterAddition,
  SessionList,
  States,
  StatesAddition,
  Action,
  ActionAddition,
  Hooks,
  Library,
  Module,
  Calendar,
  SignIn,
  Scim
};

using Common = catalog::CommonDefinition;

struct DefinedFile {
  // Of the alternative that the kind says; monostate where the file did not get so far, and of a library
  // or module.
  std::variant<std::monostate, catalog::EntityDefinition, Common, catalog::AugmenterDefinition, SessionList,
               catalog::StateSetDefinition, catalog::ActionDefinition, catalog::HooksDefinition, CalendarDefinition,
               SignInRule, std::vector<ScimResource>>
      definition;
  std::vector<std::string> functions;  // the options that hold its code
  std::vector<catalog::Problem> problems;
};

// `name`: what the file is called, without ".lua", of an addition what stands before the plus; the definition must have
// the same, where it has one. `libraries`: those whose words the file may use; they are good. `modules`: those before
// them that it may require; they are good as well.
DefinedFile define(const Source& source, FileKind kind, const std::string& name, const Libraries& libraries = {},
                   const std::vector<Source>& modules = {});

}  // namespace callisto::script
