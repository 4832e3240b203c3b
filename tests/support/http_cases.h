// The raw HTTP requests of ../shared/data/badinput: a reader for just that file's shape, one member a line, so that the
// tests of the HTTP front need no JSON library.
#pragma once

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

inline std::string decode_base64(std::string_view text) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (char c : text) {
    const std::size_t digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) break;
    bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

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
    if (auto value = member("base64"); !value.empty()) current.bytes = decode_base64(value);
    if (auto value = member("source_verdict"); !value.empty()) current.verdict = value;
    if (line.starts_with("}") && !current.bytes.empty()) cases.push_back(current);
    if (line.starts_with("}")) current = {};
  }
  return cases;
}

}  // namespace callisto::test
