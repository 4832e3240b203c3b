#include "tests/support/paths.h"

namespace callisto::test {

const std::string& source_folder() {
  static const std::string folder = CALLISTO_SOURCE_DIR;
  return folder;
}

const std::string& built_program() {
  static const std::string program = CALLISTO_BUILT_PROGRAM;
  return program;
}

}  // namespace callisto::test
