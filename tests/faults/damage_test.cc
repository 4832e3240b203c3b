// A database file that was damaged, by the disk or by hand: it is told with a way out, not written to any more, and
// what can still be read is.
#include "engine/storage/upkeep.h"
#include "tests/faults/ledger.h"
#include "tests/faults/simulated_disk.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace callisto;
using namespace callisto::test;
using Catch::Matchers::Contains;

constexpr int page_bytes = 4096;

// All pages but those of the schema and of the first tables.
void overwrite(const std::string& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const auto pages = static_cast<int>(std::filesystem::file_size(path)) / page_bytes;
  REQUIRE(pages > 8);
  for (int page = 4; page < pages; ++page) {
    file.seekp(page * page_bytes);
    file.write("damaged, damaged, damaged", 25);
  }
}

void fill(Ledger& ledger) {
  for (int round = 0; round < 3; ++round)
    for (std::int64_t item = 1; item <= Ledger::item_count; ++item) REQUIRE(ledger.write({item}) == 1);
}

TEST_CASE("a file is checked as a whole") {
  const TemporaryFolder folder;
  const std::string path = folder / "desk.db";
  Ledger ledger(path);
  REQUIRE(ledger.open());
  fill(ledger);
  CHECK(storage::check_file("sqlite:" + path).value() == std::vector<std::string>());  // beside its writer
  ledger.close();
  overwrite(path);
  const auto problems = storage::check_file("sqlite:" + path);
  CHECK((!problems || !problems->empty()));
  const auto missing = storage::check_file("sqlite:" + (folder / "none.db"));
  CHECK_FALSE(missing);
}

TEST_CASE("what is told of a damaged file is UTF-8, whatever bytes are in it") {
  const TemporaryFolder folder;
  const std::string path = folder / "desk.db";
  Ledger ledger(path);
  REQUIRE(ledger.open());
  ledger.close();
  std::stringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  std::string content = bytes.str();
  const std::size_t create = content.find("CREATE");
  REQUIRE(create != content.npos);
  content[create + 2] = '\xCC';
  std::ofstream(path, std::ios::binary) << content;
  const auto problems = storage::check_file("sqlite:" + path);
  REQUIRE_FALSE(problems);
  CHECK_THAT(problems.error().log_detail, Contains("CR\uFFFDATE"));
}

TEST_CASE("after a crash a damaged file is refused with a way out") {
  const TemporaryFolder folder;
  const std::string path = folder / "desk.db";
  {
    SimulatedDisk disk(1);
    Ledger ledger(path);
    REQUIRE(ledger.open());
    fill(ledger);
    ledger.close();  // all of it is in the file, not in the log
    REQUIRE(ledger.open());
    REQUIRE(ledger.write({1}) == 1);
    disk.cut_now();
    ledger.close();
  }
  overwrite(path);
  Ledger again(path);
  const auto opened = again.open();
  REQUIRE_FALSE(opened);
  CHECK_THAT(opened.error().log_detail, Contains("damaged") && Contains("callisto backup"));
}

TEST_CASE("a write that meets damage ends all writing") {
  const TemporaryFolder folder;
  const std::string path = folder / "desk.db";
  Ledger ledger(path);
  REQUIRE(ledger.open());
  fill(ledger);
  ledger.close();
  overwrite(path);
  REQUIRE(ledger.open());  // it was stopped as it should, so nobody looks
  std::vector<Error> errors;
  for (std::int64_t item = 1; item <= Ledger::item_count; ++item) ledger.write({item}, &errors);
  REQUIRE_FALSE(errors.empty());
  CHECK_THAT(errors.back().log_detail, Contains("writing has stopped") && Contains("callisto backup"));
  CHECK(ledger.write({1}) == 0);
  const auto reader = ledger.database().connect_reader();
  REQUIRE(reader);
  CHECK((*reader)->query(Sql("SELECT count(*) FROM sqlite_schema"), {}));
}

}  // namespace
