// What a run of specs says to people, and to the programs of a build server. Pure; any thread.
#pragma once

#include "engine/testing/run.h"

#include <string>

namespace callisto::testing {

// The failures, each with its sentence, file:line, what was expected and what is; the last line is the sum:
// "214 passed, 1 failed (0.9 s)".
std::string to_text(const Report& report, const RunOptions& options);

// JUnit XML: a test suite for each file.
std::string to_junit(const Report& report);

}  // namespace callisto::testing
