// Entities and scripts of one's own beside the product's, for a server and for commands beside it.
#pragma once

#include "server_process.h"
#include "tests/support/paths.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace callisto::tests {

class OwnFiles {
 public:
  OwnFiles() {
    std::filesystem::create_directories(folder_ / "entities");
    std::filesystem::create_directories(folder_ / "scripts");
  }
  const OwnFiles& write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
    return *this;
  }
  void remove(const std::string& file) const { std::filesystem::remove(folder_ / file); }
  const std::string& folder() const { return folder_.path(); }
  std::vector<std::string> settings() const {
    const std::string source = test::source_folder();
    return {"--set", "entities=" + source + "/entities," + folder_ / "entities", "--set",
            "scripts=" + source + "/scripts," + folder_ / "scripts"};
  }
  // A command on the data folder, beside the server.
  Finished run(std::vector<std::string> arguments, const std::string& data) const {
    for (const std::string& argument : settings()) arguments.push_back(argument);
    arguments.insert(arguments.end(), {"--data", data, "--set", "log.level=off"});
    return run_program(arguments);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace callisto::tests
