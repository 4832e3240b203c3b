// The parts of callisto test that need no desk: reports, requests without a socket, the one connection, the watch.
#include "engine/base/file_watcher.h"
#include "engine/testing/local_request.h"
#include "engine/testing/one_connection.h"
#include "engine/testing/report.h"
#include "engine/testing/spec_files.h"
#include "tests/support/temporary_folder.h"

#include <unistd.h>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace callisto::testing {
namespace {

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

Outcome outcome(std::string sentence, std::optional<script::SpecFailure> failure = std::nullopt) {
  return {{std::move(sentence), {"call_spec.lua", 3}}, std::move(failure), 0.5};
}

Report two_outcomes() {
  Report report;
  report.outcomes = {outcome("a > passes"),
                     outcome("a > fails", script::SpecFailure{{"call_spec.lua", 7}, "", "1", "2"})};
  report.seconds = 0.94;
  return report;
}

TEST_CASE("a report names the sentence, the place, what was expected and what is, and ends with the sum") {
  CHECK(to_text(two_outcomes(), {}) ==
        "FAILED a > fails\n  call_spec.lua:7\n  expected: 1\n  actual:   2\n\n1 passed, 1 failed (0.9 s)\n");
}

TEST_CASE("a report tells of files without specs, of filters that leave none, and of the order") {
  Report report;
  report.without_spec = {"empty_spec.lua"};
  report.filtered = 7;
  RunOptions options;
  options.words = {"x"};
  options.seed = 42;
  CHECK(to_text(report, options) ==
        "empty_spec.lua: there is no 'it' in this file\nthe filter leaves none of 7 specs\nrandom order, --seed 42\n"
        "0 passed, 0 failed (0.0 s)\n");
}

TEST_CASE("JUnit XML has no character that XML cannot hold, whatever a sentence has") {
  Report report;
  report.outcomes = {
      outcome("<&>\"'\x01\x1b[31m\n\tü\xff"
              "x\xEF\xBF\xBF]]>",
              script::SpecFailure{{"a&b.lua", 1}, "said </failure>", "", ""})};
  const std::string xml = to_junit(report);
  CHECK(xml.find("name=\"&lt;&amp;&gt;&quot;'??[31m&#10;&#9;ü?x?]]&gt;\"") != xml.npos);
  CHECK(xml.find("said &lt;/failure&gt;") != xml.npos);
  CHECK(xml.find("<testsuites tests=\"1\" failures=\"1\"") != xml.npos);
}

TEST_CASE("a request without a socket has its path, its query and its headers") {
  LocalRequest request("HEAD", "/a b/\xc3\xbc?$filter=x > 1&b=%20+", {{"Content-Type", "text/plain"}}, "body");
  CHECK(request.method == "GET");
  CHECK(request.head);
  CHECK(request.raw_path == "/a%20b/%C3%BC");
  CHECK(request.raw_query == "$filter=x%20%3E%201&b=%20+");
  CHECK(request.header("content-type") == "text/plain");
  CHECK(request.header_count("Accept") == 0);
  CHECK(request.body(4).value() == "body");
  CHECK(request.body(3).error().status == 413);
}

std::string names_in(storage::Connection& connection) {
  auto cursor = connection.query(Sql("SELECT name FROM t ORDER BY name"), {});
  REQUIRE(cursor);
  std::string names;
  for (auto row = (*cursor)->step(); row && *row; row = (*cursor)->step()) names += (*cursor)->text(0);
  return names;
}

Result<void> add(storage::Connection& connection, const std::string& name) {
  Sql sql("INSERT INTO t VALUES (");
  sql.parameter(1);
  sql << SqlLiteral(")");
  CALLISTO_CHECK(connection.execute(sql, {name}));
  return {};
}

TEST_CASE("what is written between begin and roll_back is undone, and a failed write alone before that") {
  const auto database = storage::Database::open({.url = "sqlite::memory:"});
  REQUIRE(database);
  const auto done = (*database)->write([](storage::Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.run_script("CREATE TABLE t (name TEXT)"));
    OneConnection one(connection);
    CALLISTO_CHECK(one.write([](storage::Connection& inner) { return add(inner, "a"); }));
    CALLISTO_TRY(const auto reader, one.connect_reader());
    for (int i = 0; i < 2; ++i) {
      CALLISTO_CHECK(one.begin());
      CALLISTO_CHECK(one.write([](storage::Connection& inner) { return add(inner, "b"); }));
      const auto failed = one.write([](storage::Connection& inner) -> Result<void> {
        CALLISTO_CHECK(add(inner, "c"));
        return bad_format("no");
      });
      CHECK(!failed);
      CHECK(names_in(*reader) == "ab");
      CHECK(storage::ReadTransaction::begin(*reader));
      CHECK_FALSE(reader->commits());
      CALLISTO_CHECK(one.roll_back());
      CHECK(names_in(*reader) == "a");
    }
    return {};
  });
  REQUIRE(done);
}

TEST_CASE("specs are found below spec folders, later scripts folders standing in for earlier ones") {
  const test::TemporaryFolder folder;
  for (const char* name : {"a/call/spec/deep", "a/call/actions", "b/call/spec"})
    std::filesystem::create_directories(folder / name);
  for (const char* name : {"a/call/spec/one_spec.lua", "a/call/spec/deep/two_spec.lua", "a/call/spec/helper.lua",
                           "a/call/actions/not_spec.lua", "b/call/spec/one_spec.lua"})
    write(folder / name, "");
  CHECK(specs_of_folders({folder / "a", folder / "b", folder / "none"}) ==
        std::vector<std::string>{folder / "a/call/spec/deep/two_spec.lua", folder / "b/call/spec/one_spec.lua"});
  CHECK(specs_at(folder / "a").value().size() == 3);
  CHECK(specs_at(folder / "a/call/spec/helper.lua").value().size() == 1);
  CHECK(specs_at(folder / "none").error().message.find("no file or folder") != std::string::npos);
  std::filesystem::create_directories(folder / "empty");
  CHECK(specs_at(folder / "empty").error().message.find("_spec.lua") != std::string::npos);
}

TEST_CASE("the watch notices what changes after it was made, also in folders that come later, and ends when told") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "deep/er");
  int stop[2];
  REQUIRE(pipe(stop) == 0);
  const auto watch = FileWatcher::over({folder.path()});
  REQUIRE(watch);
  write(folder / "deep/er/notes.txt", "not a script");
  write(folder / "deep/er/a.lua", "return 1");
  CHECK((*watch)->wait(stop[0]) == folder / "deep/er/a.lua");
  std::filesystem::create_directories(folder / "new");
  CHECK((*watch)->wait(stop[0]) == folder / "new");
  write(folder / "new/b.lua", "return 1");
  CHECK((*watch)->wait(stop[0]) == folder / "new/b.lua");
  for (const char* name : {"new/b.lua", "deep/er/a.lua", "new/b.lua", "deep/x.lua"}) write(folder / name, "return 2");
  CHECK((*watch)->wait(stop[0]) == folder / "new/b.lua and 2 more");
  write(folder / "c.tmp", "return 1");
  std::filesystem::rename(folder / "c.tmp", folder / "c.lua");
  CHECK((*watch)->wait(stop[0]) == folder / "c.lua");
  std::filesystem::remove(folder / "c.lua");
  CHECK((*watch)->wait(stop[0]) == folder / "c.lua");
  close(stop[1]);
  CHECK((*watch)->wait(stop[0]).empty());
  close(stop[0]);
}

}  // namespace
}  // namespace callisto::testing
