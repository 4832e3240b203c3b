// Business calendars: their files and the problems in them, and what scripts ask of them and of time zones.
#include "engine/script/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/script/run_lua.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace callisto;
using namespace callisto::script;

namespace {

namespace fs = std::filesystem;

// The problems of one calendar's file as text, or "" where it is good.
std::string problem_of(const std::string& text, const std::string& place = "scripts/common/calendars/office.lua") {
  const test::TemporaryFolder folder;
  const auto write = [&](const std::string& relative, const std::string& content) {
    fs::create_directories(fs::path(folder / relative).parent_path());
    std::ofstream(folder / relative) << content;
  };
  write("entities/common.lua", "return common { properties = { key \"Ref\", text \"Id\", boolean \"IsDeleted\" } }");
  write("entities/book.lua", "return entity \"book\" { properties = { text \"Title\" } }");
  write(place, text);
  const LoadResult result = load({folder / "entities"}, {folder / "scripts"});
  std::string all;
  for (const catalog::Problem& problem : result.problems)
    all += (all.empty() ? "" : " / ") + std::to_string(problem.origin.line) + ": " + problem.message +
           (problem.suggestion.empty() ? "" : "; " + problem.suggestion);
  if (result.program) CHECK(result.program->calendars.size() == 1);
  return all;
}

// With a calendar "office": Vienna, Monday to Friday from 9 to 17.
Value asked(const std::string& text) {
  static const Calendars calendars = [] {
    WorkingCalendar::Week week;
    for (std::size_t day = 0; day < 5; ++day) week[day] = {{9 * 3600, 17 * 3600}};
    Calendars all;
    all.emplace("office", WorkingCalendar(*TimeZone::named("Europe/Vienna"), week, {}));
    return all;
  }();
  const SystemClock clock;
  LuaState state(clock, 32 * 1024 * 1024);
  state.use_calendars(calendars);
  std::optional<Value> value;
  const auto failure = state.run(2000, [&](lua_State* lua) {
    open_sandbox(lua);
    run_chunk(lua, "local friday = datetime.parse('2026-12-04T15:00:00Z') " + text, "@test");
    value = to_value(lua, -1);
  });
  return failure ? Value("error: " + failure->message) : value.value_or(Value(std::string("no value")));
}

Value text(const char* value) { return std::string(value); }

}  // namespace

TEST_CASE("a calendar's file says a zone, the hours of days and the holidays") {
  CHECK(problem_of("return calendar \"office\" {\n"
                   "  description = \"The office in Vienna.\",\n"
                   "  zone = \"Europe/Vienna\",\n"
                   "  hours = { mon = \"09:00-17:00\", tue = \"09:00-12:00, 13:00-17:00\" },\n"
                   "  holidays = { \"2026-12-25\", \"01-01\" },\n"
                   "}")
            .empty());
}

TEST_CASE("a calendar that cannot be is told with its line and the mend") {
  const std::string begin = "return calendar \"office\" {\n  zone = \"Europe/Vienna\",\n";
  CHECK(problem_of("return calendar \"office\" {\n  zone = \"Europe/Viena\",\n  hours = { mon = \"09:00-17:00\" },\n}")
            .starts_with("2: calendar 'office': "));
  CHECK(problem_of(begin + "  hours = { mon = \"9-17\" },\n}").starts_with("3: 'mon': "));
  CHECK(problem_of(begin + "  hours = {\n    mon = \"09:00-12:00, 11:00-17:00\" },\n}")
            .starts_with(
                "4: 'mon': '09:00-12:00, 11:00-17:00': the hours of a day must be in order and must not overlap"));
  CHECK(problem_of(begin + "  hours = { monday = \"09:00-17:00\" },\n}").find("'monday' is no day") !=
        std::string::npos);
  CHECK(problem_of(begin + "  hours = {},\n}") == "3: calendar 'office' has no working hours");
  CHECK(problem_of(begin + "  hours = { mon = \"09:00-17:00\" },\n  holidays = {\n    \"2026-02-29\" },\n}")
            .starts_with("5: 'holidays': '2026-02-29' is no date"));
  CHECK(problem_of("return calendar \"office\" { zone = \"UTC\", hours = { mon = \"09:00-17:00\" } }",
                   "scripts/book/calendars/office.lua")
            .find("calendars belong in 'common/calendars'") != std::string::npos);
  CHECK(problem_of("return calendar \"offices\" { zone = \"UTC\", hours = { mon = \"09:00-17:00\" } }")
            .find("the file is called 'office'") != std::string::npos);
}

TEST_CASE("scripts add working time and ask how much has passed") {
  CHECK(asked("return tostring(datetime.add_working(friday, { hours = 2 }, 'office'))") ==
        text("2026-12-07T09:00:00.000Z"));
  CHECK(asked("return tostring(datetime.add_working(friday, { hours = 1, minutes = 30 }, 'office'))") ==
        text("2026-12-07T08:30:00.000Z"));
  CHECK(asked("return datetime.working_between(friday, datetime.add(friday, 3), 'office') == 8") == Value(true));
  CHECK(asked("return datetime.add_working(datetime.parse('1980-01-01T00:00:00Z'), { hours = 1 }, 'office')") ==
        Value(Null{}));
}

TEST_CASE("what is asked wrongly is told") {
  const std::pair<const char*, const char*> wrong[] = {
      {"return datetime.add_working(friday, { hours = 1 }, 'ofice')", "there is no calendar 'ofice'"},
      {"return datetime.add_working(friday, { days = 1 }, 'office')", "not 'days'"},
      {"return datetime.add_working(friday, { hours = 'two' }, 'office')", "'hours' of add_working must be a number"},
      {"return datetime.add_working(friday, 4, 'office')", "table expected"},
      {"return datetime.working_between(friday, 4, 'office')", "DateTime expected"},
      {"return datetime.in_zone(friday, 'Vienna')", "there is no time zone 'Vienna'"},
      {"return datetime.start_of(friday, 'quarter', 'UTC')", "not 'quarter'"}};
  for (const auto& [code, what] : wrong) {
    const Value told = asked(code);
    INFO(code << " -> " << std::get<std::string>(told));
    CHECK(std::get<std::string>(told).find(what) != std::string::npos);
  }
}

TEST_CASE("what the wall shows, and when its day began, is asked by zone") {
  CHECK(asked("local wall = datetime.in_zone(friday, 'Asia/Tokyo') "
              "return wall.weekday .. ' ' .. wall.day .. ' ' .. wall.hour .. ':' .. wall.minute") == text("6 5 0:0"));
  const std::pair<const char*, const char*> starts[] = {{"hour", "2026-12-04T15:00:00.000Z"},
                                                        {"day", "2026-12-03T23:00:00.000Z"},
                                                        {"week", "2026-11-29T23:00:00.000Z"},
                                                        {"month", "2026-11-30T23:00:00.000Z"},
                                                        {"year", "2025-12-31T23:00:00.000Z"}};
  for (const auto& [unit, start] : starts)
    CHECK(asked(std::string("return tostring(datetime.start_of(friday, '") + unit + "', 'Europe/Vienna'))") ==
          text(start));
}
