// bench_calendar: what a call of working time costs a script, as JSON: microseconds of CPU, medians, without the loop
// around it. Near and far: four hours, and ten years.
#include "engine/script/library/lua_state.h"
#include "engine/script/library/sandbox.h"
#include "tests/bench/desk.h"
#include "tests/bench/median.h"

#include <cstdio>
#include <string>

#include <lua.hpp>

namespace callisto::bench {
namespace {

constexpr int calls = 1000;

class Script {
 public:
  Script() {
    state_.use_calendars(desk_.model().program->calendars);
    run([](lua_State* lua) { script::open_sandbox(lua); });
  }
  // Of one call of `code` in a loop.
  double microseconds(const std::string& code) {
    const double with = loop("local x = " + code), without = loop("local x = moment");
    return (with - without) / calls;
  }

 private:
  double loop(const std::string& line) {
    const std::string text =
        "local add, between = datetime.add_working, datetime.working_between\n"
        "local moment = datetime.parse '2026-03-27T14:00:00Z'\n"
        "local later = datetime.parse '2036-03-27T14:00:00Z'\n"
        "for _ = 1, " +
        std::to_string(calls) + " do " + line + " end";
    return median_us(1, [&] { run([&](lua_State* lua) { script::run_chunk(lua, text, "=bench"); }); });
  }
  void run(const script::LuaState::Body& body) {
    const auto failure = state_.run(10'000, body);
    if (failure) fail(failure->message);
  }

  Desk desk_;
  SystemClock clock_;
  script::LuaState state_{clock_, std::size_t{64} << 20};
};

}  // namespace
}  // namespace callisto::bench

int main() {
  using namespace callisto::bench;
  Script script;
  std::printf("{\"add_us\": %.3f, \"add_years_us\": %.3f, \"between_us\": %.3f, \"between_years_us\": %.3f}\n",
              script.microseconds("add(moment, { hours = 4 }, 'vienna')"),
              script.microseconds("add(moment, { hours = 20000 }, 'vienna')"),
              script.microseconds("between(moment, add(moment, { hours = 4 }, 'vienna'), 'vienna')"),
              script.microseconds("between(moment, later, 'vienna')"));
}
