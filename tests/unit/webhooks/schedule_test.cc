#include "webhooks/schedule.h"

#include "tests/support/seeded_random.h"

#include <catch2/catch.hpp>

#include <string>

using namespace callisto;
using namespace callisto::webhooks;

namespace {

class Constant final : public Random {
 public:
  explicit Constant(char byte) : byte_(byte) {}
  std::string bytes(std::size_t count) override { return std::string(count, byte_); }

 private:
  char byte_;
};

constexpr DateTime first{1'773'558'000'000};  // 2026-03-15T07:00:00Z
constexpr std::int64_t minute = 60'000;

DateTime after(std::int64_t ms) { return {first.ms + ms}; }

// Attempts that fail `took` after their beginning, until it ends; when each began.
std::vector<std::int64_t> attempts(const Schedule& schedule, Random& random, std::int64_t took) {
  std::vector<std::int64_t> began{0};
  while (began.size() < 100) {
    const auto next = next_attempt(schedule, {began.size(), first, after(began.back() + took), {}}, random);
    if (!next) break;
    began.push_back(next->ms - first.ms);
  }
  return began;
}

}  // namespace

TEST_CASE("Ten attempts are made within the hour, each a little early or late") {
  testing::SeededRandom random(7);
  const Schedule schedule;
  for (int run = 0; run < 500; ++run) {
    const auto began = attempts(schedule, random, 10);
    REQUIRE(began.size() == 10);
    for (std::size_t i = 1; i < began.size(); ++i) {
      const std::int64_t before = schedule.offsets[i - 1];
      const std::int64_t delay = schedule.offsets[i] - before;
      CHECK(began[i] >= before + delay * 8 / 10 - 1);
      CHECK(began[i] <= before + delay * 12 / 10 + 1);
      CHECK(began[i] > began[i - 1]);
      CHECK(began[i] <= 3'570'000);
    }
  }
}

TEST_CASE("Jitter reaches both ends and the last attempt is pulled in to the hour's end") {
  Constant early('\0'), late('\xFF');
  CHECK(attempts({}, early, 0) == std::vector<std::int64_t>{0, 4'000, 25'000, 102'000, 264'000, 540'000, 1'080'000,
                                                            1'920'000, 2'820'000, 3'456'000});
  const auto slow = attempts({}, late, 0);
  CHECK(slow[1] == 6'000);
  CHECK(slow[8] == 3'180'000);
  CHECK(slow[9] == 3'570'000);
}

TEST_CASE("Attempts that run into their timeout are as many, and none is on the heels of another") {
  testing::SeededRandom random(3);
  const auto began = attempts({}, random, 15'000);
  REQUIRE(began.size() == 10);
  for (std::size_t i = 1; i < began.size(); ++i) CHECK(began[i] - began[i - 1] >= 19'000);
}

TEST_CASE("Retry-After delays within the hour and never hastens") {
  Constant middle('\x80');
  const Schedule schedule;
  const auto told = [&](std::size_t made, std::int64_t now, std::int64_t wait) {
    const auto next = next_attempt(schedule, {made, first, after(now), wait}, middle);
    return next ? next->ms - first.ms : -1;
  };
  CHECK(told(1, 0, 0) == told(1, 0, 1));      // sooner than planned: as planned
  CHECK(told(1, 0, 60'000) == 60'000);        // later: as asked
  CHECK(told(1, 0, 7'200'000) == 3'570'000);  // past the hour: its end
  CHECK(told(2, 3'570'000, 60'000) == -1);    // that was the end
  CHECK(told(2, 3'569'999, 60'000) == 3'570'000);
  // Having waited for most of the hour, the attempts planned meanwhile do not follow at once.
  CHECK(told(2, 40 * minute, 0) >= 40 * minute + 4'000);
}

TEST_CASE("It ends after the last attempt, after twenty, and at the hour") {
  testing::SeededRandom random;
  const Schedule schedule;
  CHECK_FALSE(next_attempt(schedule, {10, first, after(10), {}}, random));
  CHECK_FALSE(next_attempt(schedule, {1, first, after(3'600'000), {}}, random));
  CHECK_FALSE(next_attempt(schedule, {1, first, after(3'600'000), 5'000}, random));
  CHECK(next_attempt(schedule, {9, first, after(3'000'000), {}}, random));
  Schedule once;
  once.offsets = {0};
  CHECK_FALSE(next_attempt(once, {1, first, after(1), 5'000}, random));
}

TEST_CASE("The setting is seconds and a scale") {
  const auto schedule = parse_schedule(" 0, 5 ,30", 0.001);
  REQUIRE(schedule);
  CHECK(schedule->offsets == std::vector<std::int64_t>{0, 5, 30});
  CHECK(schedule->hour == 3'600);
  CHECK(parse_schedule("", 1)->offsets == Schedule().offsets);
  CHECK(parse_schedule("", 0.001)->offsets.back() == 3'570);
  CHECK(parse_schedule("0", 1)->offsets.size() == 1);
}

TEST_CASE("A setting that cannot be meant is refused with the fix") {
  const auto [text, scale, word] = GENERATE(table<std::string, double, std::string>({
      {"5,30", 1, "begins with 5"},
      {"0,5,5", 1, "5 behind 5"},
      {"0,30,5", 1, "5 behind 30"},
      {"0,-5", 1, "-5 behind 0"},
      {"0,,5", 1, "''"},
      {"0,5s", 1, "'5s'"},
      {"0,5.5", 1, "'5.5'"},
      {"0,99999999999999999999", 1, "where a number"},
      {"0,3600", 1, "past the hour"},
      {"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20", 1, "more than 20"},
      {"0,5", 0, "time_scale"},
      {"0,5", -1, "time_scale"},
      {"0,5", 1.5, "time_scale"},
      {"0,5", std::numeric_limits<double>::quiet_NaN(), "time_scale"},
  }));
  const auto schedule = parse_schedule(text, scale);
  INFO(text);
  REQUIRE_FALSE(schedule);
  CHECK(schedule.error().message.find(word) != std::string::npos);
  CHECK(schedule.error().message.find("webhooks.") != std::string::npos);
}

TEST_CASE("Retry-After is seconds or a date in any of HTTP's three forms") {
  const DateTime now{784'111'777'000 - 90'000};  // 90 s before 1994-11-06T08:49:37Z
  CHECK(parse_retry_after("120", now) == 120'000);
  CHECK(parse_retry_after(" 0 ", now) == 0);
  CHECK(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now) == 90'000);
  CHECK(parse_retry_after("Sun Nov  6 08:49:37 1994", now) == 90'000);
  CHECK(parse_retry_after("Sunday, 06-Nov-26 08:49:37 GMT", DateTime{1'793'954'977'000 - 1'000}) == 1'000);
  CHECK(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", first) == 0);  // past
  CHECK(*parse_retry_after("99999999999999999999999", now) > 3'600'000);
  for (const char* text : {"", "-1", "soon", "1.5", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 PST",
                           "Sun, 0 Nov 1994 08:49:37 GMT", "Sun, 06 Brm 1994 08:49:37 GMT", "a b c d e f GMT",
                           "Sunday, 06Nov94 08:49:37 GMT"})
    CHECK_FALSE(parse_retry_after(text, now));
}
