#include "engine/script/import_map.h"

#include <catch2/catch.hpp>

namespace callisto::script {
namespace {

// A minute passes each time somebody looks at it, once it is started.
class SwiftClock : public Clock {
 public:
  DateTime now() const override { return {0}; }
  std::int64_t steady_ms() const override { return is_started ? time_ += 60'000 : time_; }
  bool is_started = false;

 private:
  mutable std::int64_t time_ = 0;
};

ImportMap::Loaded load(const std::string& text, const Clock& clock) {
  return ImportMap::load({"map.lua", text}, {50, 4}, clock);
}

}  // namespace

TEST_CASE("a map that never ends is refused") {
  SwiftClock clock;
  clock.is_started = true;
  const auto loaded = load("local n = 0\nwhile true do\n  n = n + 1\nend", clock);
  REQUIRE_FALSE(loaded.map);
  REQUIRE(loaded.problems.size() == 1);
  CHECK(loaded.problems[0].message == "ran longer than 2000 ms");
}

TEST_CASE("a group too large for functions is refused once, and the next is not") {
  SwiftClock clock;
  const auto loaded =
      load("return import { record 'x' { Name = function(row, rows) return #rows .. row.a end } }", clock);
  REQUIRE(loaded.map);
  const std::vector<std::string> columns{"a"};
  const std::vector<MapRow> large(100'000, MapRow{"x"});
  loaded.map->begin_group(columns, large);
  for (std::size_t row = 0; row < large.size(); ++row) {  // at once, or this takes hours
    const auto value = loaded.map->call(0, row);
    REQUIRE_FALSE(value);
    if (row == 0) CHECK(value.error().message == "a group of 100000 rows is too much for functions: not enough memory");
  }
  const std::vector<MapRow> small(2, MapRow{"y"});
  loaded.map->begin_group(columns, small);
  const auto value = loaded.map->call(0, 1);
  REQUIRE(value);
  CHECK(std::get<std::string>(*value) == "2y");
}

TEST_CASE("a function that runs out of time is given up, others are not") {
  SwiftClock clock;
  const auto loaded = load(
      "return import { record 'x' { A = function(row) while row.a do end end,\n"
      "B = function(row) return row.a end } }",
      clock);
  REQUIRE(loaded.map);
  const std::vector<std::string> columns{"a"};
  const std::vector<MapRow> rows(1, MapRow{"y"});
  loaded.map->begin_group(columns, rows);
  for (int i = 0; i < 10; ++i) {
    clock.is_started = true;
    const auto value = loaded.map->call(0, 0);
    clock.is_started = false;
    REQUIRE_FALSE(value);
    CHECK(value.error().message.find("ran longer than") != std::string::npos);
    CHECK(loaded.map->call(1, 0));
  }
  const auto given_up = loaded.map->call(0, 0);
  REQUIRE_FALSE(given_up);
  CHECK(given_up.error().message == "the function ran out of time or memory too often and is not called any more");
  CHECK(loaded.map->call(1, 0));
}

}  // namespace callisto::script
