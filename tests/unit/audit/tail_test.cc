// The newest lines of an audit log, read from its end.
#include "engine/audit/tail.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <vector>

using namespace callisto;

namespace {

struct File {
  explicit File(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  test::TemporaryFolder folder;
  const std::string path = folder.path() + "/audit.jsonl";
};

// Pages of `top` lines until there is no more.
std::vector<std::string> pages(const File& file, std::size_t top, std::size_t most_bytes = 1 << 20) {
  std::vector<std::string> lines;
  std::optional<std::int64_t> end;
  for (int page = 0; page < 100'000; ++page) {
    std::size_t found = 0;
    const auto rest = audit::newest_lines(file.path, end, most_bytes, [&](std::string_view text) {
      lines.emplace_back(text);
      return ++found < top;
    });
    REQUIRE(rest);
    if (*rest == 0) return lines;
    CHECK((!end || *rest < *end));
    end = *rest;
  }
  FAIL("the pages do not end");
  return {};
}

}  // namespace

TEST_CASE("every line comes once, the newest first, whatever the lines and the pages are") {
  const std::string block(64 * 1024, 'x');
  const std::vector<std::vector<std::string>> files = {
      {},
      {"one"},
      {"one", "two", "three"},
      {"", "", "a", ""},
      {block},
      {block.substr(1), "behind"},
      {block.substr(2), "behind", block + block, "last"},
      std::vector<std::string>(5000, "a line as long as those of a log mostly are, more or less"),
  };
  for (const auto& written : files) {
    std::string text;
    for (const std::string& line : written) text += line + "\n";
    const File file(text);
    const std::vector<std::string> expected(written.rbegin(), written.rend());
    for (const std::size_t top : {std::size_t{1}, std::size_t{2}, std::size_t{50}, std::size_t{100'000}}) {
      if (top == 1 && written.size() > 1000) continue;
      INFO(written.size() << " lines, pages of " << top);
      CHECK((pages(file, top) == expected));
      CHECK((pages(file, top, 1) == expected));
    }
  }
}

TEST_CASE("a line that is being written is not there yet") {
  const File file("one\ntwo\n{\"half");
  CHECK((pages(file, 50) == std::vector<std::string>{"two", "one"}));
}

TEST_CASE("what is no end of a line is refused, and a file that is not there") {
  const File file("one\ntwo\n");
  const auto none = [](std::string_view) { return true; };
  CHECK(audit::newest_lines(file.path, 4, 100, none));
  for (const std::int64_t end : {3, 9, 1'000'000}) {
    const auto refused = audit::newest_lines(file.path, end, 100, none);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().status == 400);
    CHECK(refused.error().message.find("begun anew") != std::string::npos);
  }
  CHECK_FALSE(audit::newest_lines(file.path + ".none", {}, 100, none));
}
