// tests/filters/*.test: tables of filters that are accepted, or refused at a column. A line is a verdict, a blank and
// the filter; `entity NAME` says on what the following lines are asked; '#' begins a comment line.
//   ok Ref == 1        accepted
//   5 Ref === 1        refused, 400, Position 5
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace callisto::test {

struct FilterCase {
  std::string place;  // "types.test:12"
  std::string entity;
  std::string filter;
  std::size_t column = 0;  // 0: accepted
};

inline std::vector<FilterCase> read_filter_tables(const std::filesystem::path& folder) {
  std::vector<FilterCase> cases;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".test") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream in(file);
    std::string line, entity;
    for (int number = 1; std::getline(in, line); ++number) {
      if (line.empty() || line[0] == '#') continue;
      const std::size_t blank = std::min(line.find(' '), line.size());
      const std::string verdict = line.substr(0, blank);
      const std::string rest = line.substr(std::min(blank + 1, line.size()));
      if (verdict == "entity") {
        entity = rest;
        continue;
      }
      const std::string place = file.filename().string() + ":" + std::to_string(number);
      cases.push_back({place, entity, rest, verdict == "ok" ? 0 : std::stoul(verdict)});
    }
  }
  return cases;
}

}  // namespace callisto::test
