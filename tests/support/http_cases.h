// The raw HTTP requests of ../shared/data/badinput: a reader for just that file's shape, one member a line, so that the
// tests of the HTTP front need no JSON library.
#pragma once

#include "engine/base/base64.h"

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::test {

struct HttpCase {
  std::string name;
  std::string bytes;
  std::string verdict;  // accept, reject, either, incomplete
};

// Empty when the file is not there.
inline std::vector<HttpCase> read_http_cases(const std::string& path) {
  std::vector<HttpCase> cases;
  std::ifstream file(path);
  HttpCase current;
  for (std::string line; std::getline(file, line);) {
    const auto member = [&line](std::string_view name) {
      const std::string start = "\"" + std::string(name) + "\": \"";
      if (!line.starts_with(start)) return std::string();
      return line.substr(start.size(), line.rfind('"') - start.size());
    };
    if (line.starts_with("{")) current = {};
    if (auto value = member("name"); !value.empty()) current.name = value;
    if (auto value = member("base64"); !value.empty()) current.bytes = decode_base64(value, Base64::Padded).value();
    if (auto value = member("source_verdict"); !value.empty()) current.verdict = value;
    if (line.starts_with("}") && !current.bytes.empty()) cases.push_back(current);
    if (line.starts_with("}")) current = {};
  }
  return cases;
}

}  // namespace callisto::test
