#include "tests/unit/storage/support.h"

#include <fstream>

using namespace callisto;
using namespace callisto::storage;

namespace {

Result<std::unique_ptr<Database>> open_with(const std::string& url, bool read_only) {
  DatabaseOptions options;
  options.url = url;
  options.read_only = read_only;
  return Database::open(options);
}

}  // namespace

TEST_CASE("a path may hold blanks and equals signs") {
  TestFolder folder;
  std::filesystem::create_directories(folder / "my desk/a=b c");
  const std::string path = folder / "my desk/a=b c/x = y.db";
  {
    auto database = open_database("sqlite:" + path);
    write_script(*database, "CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (5);");
    CHECK(number(*must(database->connect_reader()), Sql("SELECT n FROM t")) == 5);
  }
  CHECK(std::filesystem::exists(path));
}

TEST_CASE("a path with a double quote is refused with a reason") {
  TestFolder folder;
  auto database = open_with("sqlite:" + (folder / "a\"b.db"), false);
  REQUIRE_FALSE(database);
  CHECK_THAT(database.error().log_detail, Catch::Contains("double quote"));
}

TEST_CASE("what was written is there after opening again") {
  TestFolder folder;
  const std::string url = "sqlite:" + (folder / "desk.db");
  { write_script(*open_database(url), "CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (42);"); }
  auto database = open_database(url);
  CHECK(number(*must(database->connect_reader()), Sql("SELECT n FROM t")) == 42);
}

TEST_CASE("a second writer of the same file is refused however the file is spelt") {
  TestFolder folder;
  auto first = open_database("sqlite:" + (folder / "desk.db"));
  std::filesystem::create_symlink(folder / "desk.db", folder / "link.db");
  for (const std::string name : {"desk.db", "./desk.db", "link.db"}) {
    auto second = open_with("sqlite:" + (folder / name), false);
    REQUIRE_FALSE(second);
    CHECK_THAT(second.error().log_detail, Catch::Contains("another server"));
  }
  first.reset();
  CHECK(open_with("sqlite:" + (folder / "desk.db"), false));
}

TEST_CASE("a read-only database is served beside its writer and without one, and never writes") {
  TestFolder folder;
  const std::string url = "sqlite:" + (folder / "desk.db");
  auto writer = open_database(url);
  write_script(*writer, "CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1);");
  for (bool beside : {true, false}) {
    if (!beside) writer.reset();
    auto database = must(open_with(url, true));
    CHECK(number(*must(database->connect_reader()), Sql("SELECT count(*) FROM t")) == 1);
    auto written = database->write([](Connection&) -> Result<void> { return {}; });
    REQUIRE_FALSE(written);
    CHECK(written.error().status == 500);
  }
}

TEST_CASE("a read-only database must exist and is not made") {
  TestFolder folder;
  CHECK_FALSE(open_with("sqlite:" + (folder / "missing.db"), true));
  CHECK_FALSE(std::filesystem::exists(folder / "missing.db"));
  CHECK_FALSE(open_with("sqlite::memory:", true));
}

TEST_CASE("a file that is no database is refused") {
  TestFolder folder;
  std::ofstream(folder / "notes.txt") << std::string(4096, 'x');
  auto database = open_with("sqlite:" + (folder / "notes.txt"), false);
  REQUIRE_FALSE(database);
  CHECK(database.error().message.find("notes.txt") == std::string::npos);
}

TEST_CASE("an unknown kind of database is refused without repeating its url") {
  for (const std::string url : {"", "sqlite:", "desk.db", "mysql://root:secret@host/desk"}) {
    auto database = open_with(url, false);
    REQUIRE_FALSE(database);
    CHECK_THAT(database.error().log_detail, Catch::Contains("sqlite:PATH"));
    CHECK(database.error().log_detail.find("secret") == std::string::npos);
  }
}

TEST_CASE("two memory databases share nothing, connections of one share all") {
  auto one = open_database("sqlite::memory:");
  auto other = open_database("sqlite::memory:");
  write_script(*one, "CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1);");
  auto first = must(one->connect_reader());
  auto second = must(one->connect_reader());
  CHECK(number(*first, Sql("SELECT n FROM t")) == 1);
  CHECK(number(*second, Sql("SELECT n FROM t")) == 1);
  CHECK_FALSE(must(other->connect_reader())->query(Sql("SELECT n FROM t"), {}));
}
