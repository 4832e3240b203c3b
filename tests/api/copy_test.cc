// callisto copy, both ways between SQLite and PostgreSQL: nothing is lost, and what cannot be copied is told, with
// nothing left of it.
#include "engine/importing/copy.h"
#include "desk.h"
#include "engine/storage/database.h"
#include "tests/support/postgres.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;

constexpr const char* secret = "s3cret-pass";

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder with SQLite desks of the sample entities and one of every type of property.
class Place {
 public:
  Place() {
    std::filesystem::create_directories(at("entities"));
    std::ofstream(at("entities/thing.lua")) << R"(return entity "thing" {
  description = "Holds one of each.",
  properties = {
    long "Big", short "Small", double "Real", decimal "Money" { scale = 4 }, text "Words" { length = 200 },
    richtext "Rich", boolean "Flag" { stored = { "Y", "N" } }, datetime "Moment", binary "Bytes",
  },
})";
  }
  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string sqlite(const std::string& name) const { return "sqlite:" + at(name) + "/desk.db"; }
  std::vector<std::string> settings() const { return {"--set", "entities=entities," + at("entities")}; }

  Finished run(std::vector<std::string> arguments, const std::string& url = "sqlite:nowhere") const {
    arguments.insert(arguments.end(), {"--data", at("data"), "--set", "entities=entities," + at("entities"), "--set",
                                       "database=" + url});
    return run_program(arguments);
  }
  Finished copy(const std::string& from, const std::string& to) const {
    return run({"copy", "--from", from, "--to", to});
  }
  std::string exported(const std::string& url) const {
    std::filesystem::remove(at("exported"));
    const Finished finished = run({"export", "--output", at("exported")}, url);
    INFO(finished.output);
    REQUIRE(finished.exit_status == 0);
    return contents(at("exported"));
  }

  // The samples into an empty database.
  void fill(const std::string& url) const {
    std::vector<std::string> arguments = settings();
    arguments.insert(arguments.end(), {"--samples", "--set", "database=" + url});
    const ServerProcess server(at("data"), arguments);
  }

  // A desk of that name, with the samples or without.
  std::string make(const std::string& name, bool samples) const {
    std::vector<std::string> arguments{"--set", "database=" + sqlite(name), settings()[0], settings()[1]};
    if (samples) arguments.emplace_back("--samples");
    const ServerProcess server(at(name), arguments);
    for (int i = 0; samples && i < 6; ++i) server.token("user", "session-type:User");  // their keys differ in case
    return sqlite(name);
  }

 private:
  TemporaryFolder folder_;
};

struct Thing {
  Value words, rich, real, big, bytes;
};

void add(const std::string& url, const std::vector<Thing>& things) {
  const auto database = storage::Database::open({.url = url});
  REQUIRE(database);
  const auto done = (*database)->write([&](storage::Connection& connection) -> Result<void> {
    const Sql sql(
        "INSERT INTO thing (\"Ref\", \"Id\", \"Words\", \"Rich\", \"Real\", \"Big\", \"Bytes\") "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    std::int64_t ref = 0;
    for (const Thing& thing : things) {
      ++ref;
      CALLISTO_CHECK(connection.execute(sql, {Value(ref), Value("t" + std::to_string(ref)), thing.words, thing.rich,
                                              thing.real, thing.big, thing.bytes}));
    }
    return {};
  });
  INFO((done ? "" : done.error().log_detail));
  REQUIRE(done);
}

std::int64_t rows_of(const std::string& url, const Sql& sql) {
  const auto database = storage::Database::open({.url = url, .read_only = true});
  REQUIRE(database);
  const auto connection = (*database)->connect_reader();
  const auto row = (*connection)->query(sql, {});
  REQUIRE(row);
  REQUIRE((*row)->step());
  return (*row)->integer(0);
}

const Sql things("SELECT count(*) FROM thing"), persons("SELECT count(*) FROM person");

std::vector<Thing> awkward() {
  constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte) all_bytes += static_cast<char>(byte);
  std::string controls;
  for (char c = 1; c < 32; ++c) controls += c;
  const std::vector<std::string> texts{
      "",
      " ",
      "'; DROP TABLE thing; --",
      "?1 $1 %s \\x41 \\ \\\\",
      controls + "\x7F",
      "\xC2\x80\xC2\xA0\xEF\xBB\xBF\xE2\x80\xAE",
      "\xF0\x9F\x98\x80\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x9A\x80",
      "\xEF\xBF\xBF\xF4\x8F\xBF\xBF",
      "e\xCC\x81 \xC3\xA9 \xC3\x9F \xC4\xB0 \xCF\x82",
      "null",
      "\\N",
      "a\r\nb\tc",
      std::string(300'000, 'x') + "\xC3\xA9",
  };
  std::vector<Thing> result;
  for (const std::string& text : texts) result.push_back({text.substr(0, 100), text, Null{}, Null{}, Binary{text}});
  for (const std::int64_t big : {least, least + 1, most, most - 1, std::int64_t{0}, (std::int64_t{1} << 53) + 1})
    result.push_back({Null{}, Null{}, static_cast<double>(big), big, Null{}});
  for (const double real : {0.1, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308, infinity, -infinity, 1e15,
                            3.0, 9007199254740993.0})
    result.push_back({Null{}, Null{}, real, Null{}, Null{}});
  result.push_back({std::string(), Null{}, Null{}, Null{}, Binary{""}});
  result.push_back({Null{}, std::string(), Null{}, Null{}, Null{}});
  result.push_back({Null{}, Null{}, -0.0, Null{}, Binary{all_bytes + all_bytes}});
  return result;
}

std::vector<Thing> many() {
  std::vector<Thing> result(5000);
  for (std::size_t i = 0; i < result.size(); ++i) result[i].big = static_cast<std::int64_t>(i);
  return result;
}

#define NEEDS_POSTGRES                              \
  auto* const postgres = test::Postgres::running(); \
  if (!postgres) return

}  // namespace

TEST_CASE("a desk goes to PostgreSQL and back, and its export is the same byte for byte") {
  NEEDS_POSTGRES;
  const Place place;
  const std::string first = place.make("first", true);
  add(first, awkward());
  const std::string there = postgres->new_database(), back = place.sqlite("new/back");
  const Finished to = place.copy(first, there);
  INFO(to.output);
  REQUIRE(to.exit_status == 0);
  CHECK_THAT(to.output, Contains("thing ") && Contains("equal: sha256 ") && Contains("found equal") &&
                            Contains(place.at("first") + "/secret.key") && Contains("desk_fact ") &&
                            !Contains("warning"));
  const Finished from = place.copy(there, back);
  INFO(from.output);
  REQUIRE(from.exit_status == 0);
  CHECK_THAT(from.output, !Contains("warning"));
  const Sql dated("SELECT count(\"CreatedDate\") FROM report_person");  // as the database of each side spells dates
  CHECK(rows_of(there, dated) == rows_of(first, dated));
  CHECK(rows_of(back, dated) == rows_of(first, dated));
  const std::string one = place.exported(first), two = place.exported(there), three = place.exported(back);
  CHECK(one.size() > 400'000);
  CHECK((one == two));
  CHECK((one == three));
  CHECK_THAT(one, Contains("-9223372036854775808") && Contains(R"({"real":"-inf"})") && Contains("DROP TABLE thing"));

  // On it goes there: sessions are refused by no other key than the desk's own, keys are not given twice.
  std::filesystem::create_directories(place.at("moved"));
  std::filesystem::copy_file(place.at("first") + "/secret.key", place.at("moved") + "/secret.key");
  std::vector<std::string> arguments = place.settings();
  arguments.insert(arguments.end(), {"--set", "database=" + there});
  const ServerProcess server(place.at("moved"), arguments);
  const Client client(server, server.token("admin"));
  CHECK(client.get("v1/person").status == 200);
  const Answer made = client.send("POST", "v1/partition", R"({"Name":"Moved"})");
  INFO(made.body);
  CHECK(made.status == 200);
}

TEST_CASE("an export of PostgreSQL is loaded into PostgreSQL") {
  NEEDS_POSTGRES;
  const Place place;
  const std::string first = postgres->new_database(), second = postgres->new_database();
  place.fill(first);
  add(first, awkward());
  const std::string one = place.exported(first);
  std::filesystem::rename(place.at("exported"), place.at("one.jsonl"));
  const Finished imported = place.run({"import", place.at("one.jsonl")}, second);
  INFO(imported.output);
  REQUIRE(imported.exit_status == 0);
  CHECK((place.exported(second) == one));
  const Finished backup = place.run({"backup", place.at("copy")}, first);
  CHECK(backup.exit_status == 1);
  CHECK_THAT(backup.output,
             Contains("pg_dump --format=custom") && Contains("'" + first + "'") && Contains("secret.key"));
  CHECK_FALSE(std::filesystem::exists(place.at("copy")));
}

TEST_CASE("the commands that a backup names restore a desk of PostgreSQL, and it goes on") {
  NEEDS_POSTGRES;
  const Place place;
  const std::string first = postgres->new_database(), second = postgres->new_database();
  place.fill(first);
  add(first, awkward());
  const Finished told = place.run({"backup", place.at("copy")}, first);
  std::istringstream lines(told.output);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  pg_", 0) != 0) continue;
    ++commands;
    const std::string target = "postgresql://USER@HOST/NEW";
    if (const auto at = line.find(target); at != std::string::npos) line.replace(at, target.size(), "'" + second + "'");
    line.insert(0, "cd '" + place.at("") + "' && ");
    INFO(line);
    CHECK(std::system(line.c_str()) == 0);
  }
  REQUIRE(commands == 2);
  CHECK((place.exported(second) == place.exported(first)));
  std::filesystem::create_directories(place.at("other"));
  std::filesystem::permissions(place.at("other"), std::filesystem::perms::owner_all);
  std::filesystem::copy_file(place.at("data/secret.key"), place.at("other/secret.key"));
  std::vector<std::string> arguments = place.settings();
  arguments.insert(arguments.end(), {"--set", "database=" + second});
  const ServerProcess server(place.at("other"), arguments);
  CHECK_FALSE(server.token("admin", "session-type:Analyst").empty());
}

TEST_CASE("what PostgreSQL cannot hold is told with its place, all of it, and nothing is there") {
  NEEDS_POSTGRES;
  const Place place;
  const std::string first = place.make("first", true), there = postgres->new_database();
  const std::string nul("a\0b", 3);
  add(first, {{nul, Null{}, Null{}, Null{}, Null{}},
              {std::string("good"), Null{}, Null{}, Null{}, Null{}},
              {Null{}, std::string("\xC3("), Null{}, Null{}, Null{}},
              {Null{}, Null{}, Null{}, std::string("many"), Null{}}});
  const Finished refused = place.copy(first, there);
  INFO(refused.output);
  CHECK(refused.exit_status == 1);
  CHECK_THAT(refused.output, Contains("table thing, row Ref = 1, column Words: the text contains U+0000") &&
                                 Contains("table thing, row Ref = 3, column Rich: the text is not UTF-8") &&
                                 Contains("table thing, row Ref = 4, column Big: it holds a text") &&
                                 !Contains("Ref = 2") && Contains("Nothing was copied"));
  CHECK(rows_of(there, things) == 0);
  CHECK(rows_of(there, persons) == 0);
  {
    const auto database = storage::Database::open({.url = first});
    REQUIRE((*database)->write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_CHECK(connection.execute(Sql("DELETE FROM thing WHERE \"Ref\" <> 2"), {}));
      return {};
    }));
  }
  CHECK(place.copy(first, there).exit_status == 0);
  CHECK(rows_of(there, things) == 1);
  // SQLite minds none of it.
  add(place.make("odd", false), {{nul, std::string("\xC3("), Null{}, std::string("many"), Null{}}});
  CHECK(place.copy(place.sqlite("odd"), place.sqlite("other")).exit_status == 0);
  CHECK((place.exported(place.sqlite("odd")) == place.exported(place.sqlite("other"))));
}

TEST_CASE("a target with rows is left alone, whatever they are") {
  const Place place;
  const std::string first = place.make("first", true);
  const std::string before = contents(place.at("first") + "/desk.db");
  const Finished itself = place.copy(first, first);
  CHECK(itself.exit_status == 1);
  CHECK_THAT(itself.output, Contains("the target has rows already, in the table "));
  CHECK((contents(place.at("first") + "/desk.db") == before));
  NEEDS_POSTGRES;
  const std::string other = postgres->new_database();
  postgres->execute(
      other.substr(other.rfind('/', other.find('?')) + 1, other.find('?') - other.rfind('/', other.find('?')) - 1),
      "CREATE TABLE ours (a int); INSERT INTO ours VALUES (1)");
  const Finished refused = place.copy(first, other);
  INFO(refused.output);
  CHECK(refused.exit_status == 1);
  CHECK_THAT(refused.output, Contains("in the table ours"));
  CHECK(rows_of(other, Sql("SELECT count(*) FROM pg_proc WHERE proname = 'folded'")) == 0);
  CHECK(rows_of(other, Sql("SELECT count(*) FROM pg_class WHERE relname = 'person'")) == 0);
}

TEST_CASE("a link that breaks in the middle leaves nothing, and the next run is whole") {
  NEEDS_POSTGRES;
  const Place place;
  const std::string file = place.make("first", true);
  add(file, many());
  const std::string there = postgres->new_database();
  REQUIRE(place.copy(file, there).exit_status == 0);
  const auto kill_of = [&](const std::string& url) {
    const std::size_t begin = url.rfind('/', url.find('?')) + 1;
    const std::string name = url.substr(begin, url.find('?') - begin);
    return [postgres, name] {
      postgres->execute("postgres",
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
    };
  };
  struct Case {
    std::string from, to, breaks, step;
  };
  const std::string to_copy = postgres->new_database(), to_compare = postgres->new_database();
  const std::vector<Case> cases{{file, to_copy, to_copy, "copy"},
                                {file, to_compare, to_compare, "compare"},
                                {there, place.sqlite("a"), there, "copy"},
                                {there, place.sqlite("b"), there, "compare"}};
  for (const Case& each : cases) {
    INFO(each.from << " to " << each.to << ", " << each.step);
    if (each.to.starts_with("sqlite:"))
      std::filesystem::create_directories(std::filesystem::path(each.to.substr(7)).parent_path());
    REQUIRE(place.run({"migrate"}, each.to).exit_status == 0);
    {
      const auto source = storage::Database::open({.url = each.from, .read_only = true});
      const auto reader = (*source)->connect_reader();
      const auto target = storage::Database::open({.url = each.to});
      REQUIRE(target);
      bool broken = false;
      const auto copied =
          importing::copy_desk(**reader, **target, [&](std::string_view step, std::uint64_t done, std::uint64_t) {
            if (step != each.step || done < 3000 || std::exchange(broken, true)) return;
            kill_of(each.breaks)();
          });
      CHECK(broken);
      CHECK_FALSE(copied);
    }
    CHECK(rows_of(each.to, things) == 0);
    CHECK(rows_of(each.to, persons) == 0);
    const Finished again = place.copy(each.from, each.to);
    INFO(again.output);
    CHECK(again.exit_status == 0);
    CHECK(rows_of(each.to, things) == 5000);
  }
}

TEST_CASE("a url that leads nowhere is told without its password") {
  const Place place;
  const std::string good = place.make("first", false);
  const std::string user = std::string("postgresql://somebody:") + secret + "@";
  const std::vector<std::string> wrong{
      user + "127.0.0.1:1/desk",
      user + "[nonsense/desk",
      user + "127.0.0.1:1/desk?nonsense=1",
      "postgresql://somebody@127.0.0.1:1/desk?password=" + std::string(secret),
      std::string("mysql://somebody:") + secret + "@host/desk",
      std::string("postgres//") + secret,
  };
  for (const std::string& url : wrong)
    for (const bool is_source : {true, false}) {
      const Finished finished = is_source ? place.copy(url, place.sqlite("new")) : place.copy(good, url);
      INFO(url << ": " << finished.output);
      CHECK(finished.exit_status == 1);
      CHECK_THAT(finished.output, !Contains(secret) && Contains(is_source ? "--from: " : "--to: "));
    }
  const Finished missing = place.copy(place.sqlite("nowhere"), place.sqlite("new"));
  CHECK(missing.exit_status == 1);
  CHECK_THAT(missing.output, Contains("--from: "));
  CHECK_FALSE(std::filesystem::exists(place.at("new/desk.db")));
  std::filesystem::create_directories(place.at("empty"));
  std::ofstream(place.at("empty/desk.db"));
  const Finished no_desk = place.copy(place.sqlite("empty"), place.sqlite("new"));
  INFO(no_desk.output);
  CHECK(no_desk.exit_status == 1);
  CHECK_THAT(no_desk.output, Contains("callisto migrate"));
}
