// A log in a temporary folder, and its lines.
#pragma once

#include "engine/audit/head.h"
#include "engine/audit/log.h"
#include "engine/audit/verify.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "tests/support/fixed_clock.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace callisto::audit {

class Folder : public test::TemporaryFolder {
 public:
  std::string log() const { return file("audit.jsonl"); }
  std::string file(const std::string& name) const { return *this / name; }
};

inline std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

inline void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

inline std::vector<std::string> lines_of(const std::string& bytes) {
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; at < bytes.size(); at = end + 1) {
    end = std::min(bytes.find('\n', at), bytes.size());
    lines.push_back(bytes.substr(at, end - at));
  }
  return lines;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string bytes;
  for (const std::string& line : lines) bytes += line + "\n";
  return bytes;
}

inline std::unique_ptr<Log> open(const std::string& path, const Clock& clock) {
  log::configure("off", false);  // torn logs warn
  auto log = Log::open(path, clock);
  if (!log) FAIL(log.error().log_detail);
  return *std::move(log);
}

inline Report check(const std::vector<std::string>& files, const std::optional<Link>& head = {}) {
  auto report = verify(files, head, [](std::uint64_t) {});
  if (!report) FAIL(report.error().log_detail);
  return *std::move(report);
}

// With the head beside it, as the command does.
inline Report check(const std::string& file) { return check({file}, read_head(head_path(file))); }

inline std::string problem_of(const Report& report) { return report.broken ? report.broken->what : "none"; }

inline json::Node parsed(const std::string& line) {
  auto node = json::parse(line);
  INFO(line);
  REQUIRE(node);
  return *std::move(node);
}

inline std::string member(const std::string& line, std::string_view name) {
  const json::Node node = parsed(line);
  const json::Node* found = node.find(name);
  return found ? found->text() : "(none)";
}

// A sign-in, as most lines are.
inline Event sign_in(std::int64_t person) {
  Event event;
  event.kind = Kind::SignIn;
  event.person = person;
  event.client = "app";
  event.session = 100 + person;
  event.address = "192.0.2.1";
  return event;
}

}  // namespace callisto::audit
