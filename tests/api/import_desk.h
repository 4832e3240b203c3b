// A folder with a desk, maps and files, for tests of `callisto import`: runs the program and looks into its database.
// One thread.
#pragma once

#include "server_process.h"

#include "engine/base/sql.h"

#include <string>
#include <vector>

namespace callisto::tests {

class ImportDesk {
 public:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string data() const { return path("desk"); }
  const ImportDesk& write(const std::string& name, std::string_view content) const;
  std::string content(const std::string& name) const;  // empty where there is no such file

  // `callisto import FILE --map map.lua`; files of the folder are named without it in the output.
  Finished import(const std::string& file, const std::vector<std::string>& more = {}) const;
  // The same of a map and a file that are written first: map.lua and data.csv.
  Finished import_csv(std::string_view map, std::string_view csv) const;

  // The first column of every row, a line each; printf('%s|%s', ...) shows several.
  std::string rows(const Sql& sql) const;

 private:
  TemporaryFolder folder_;
};

// Whether `text` holds each of the parts; tells which one is missing.
void check_holds(const std::string& text, const std::vector<std::string>& parts);

}  // namespace callisto::tests
