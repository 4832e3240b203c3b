// What `callisto check` finds: it checks settings, and loads and binds everything as the server would. Every problem
// has its place in the source (none for a setting); without problems, it lists what is doubtful in the rules as a
// whole. One thread.
#pragma once

#include "engine/json/write.h"

#include "engine/app/opening/load.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace callisto::app {

enum class Severity { Error, Warning };

struct Finding {
  Severity severity = Severity::Error;
  catalog::Problem problem;
  std::string excerpt;     // the source line; empty where there is none
  std::size_t column = 0;  // in characters from 1; 0: not known
  std::size_t length = 0;  // of what is meant there
};

struct Checked {
  std::shared_ptr<const records::Model> model;  // null where there are errors
  std::vector<Finding> findings;
};
Result<Checked> check_desk(const Settings& settings, const Clock& clock, Random& random);

// For people: file:line: message, the line with a caret, the suggestion.
std::string to_text(const std::vector<Finding>& findings, bool colours);
// For programs: "json" is [{file, line, column?, severity, message, suggestion?}]; "github" is a workflow command each,
// which GitHub shows beside the line; "sarif" is SARIF 2.1.0.
std::string in_format(const std::string& format, const std::vector<Finding>& findings);

// An element of an array: {file, line, column?, severity, message, suggestion?}; for pages `excerpt` and `length` as
// well.
void write_finding(json::Writer& writer, const Finding& finding, bool with_excerpt);

}  // namespace callisto::app
