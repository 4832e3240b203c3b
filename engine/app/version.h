// What this program is: for --version, the log, the metrics. Any thread.
#pragma once

#include <string>

namespace callisto::app {

const char* version();  // "0.1.0"
const char* commit();   // of the checkout that it was configured in, abbreviated; "unknown" outside of one

// "callisto 0.1.0, commit 1a2b3c4", and a line of the libraries with the versions that this process has loaded, or that
// it was compiled with where a library does not tell.
std::string version_text();

}  // namespace callisto::app
