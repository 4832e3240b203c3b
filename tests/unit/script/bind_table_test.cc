// The functions of `table` that are not LuaJIT's own answer as those do, and their loops end with the deadline.
#include "tests/unit/script/run_lua.h"

#include <catch2/catch.hpp>
#include <lua.hpp>

#include <cstdio>
#include <memory>

using namespace callisto;
using namespace callisto::script;

namespace {

// The same text in plain LuaJIT: its result as text, or its error.
std::string by_luajit(const std::string& text) {
  const std::unique_ptr<lua_State, decltype(&lua_close)> lua(luaL_newstate(), lua_close);
  luaL_openlibs(lua.get());
  if (luaL_loadbuffer(lua.get(), text.data(), text.size(), "@test") == 0) lua_pcall(lua.get(), 0, 1, 0);
  const char* result = lua_tostring(lua.get(), -1);
  return result ? result : "nothing";
}

std::string here(const std::string& text) {
  const Outcome outcome = run_lua(text);
  if (outcome.failure) return outcome.failure->message;
  const auto* result = outcome.value ? std::get_if<std::string>(&*outcome.value) : nullptr;
  return result ? *result : "nothing";
}

// A millisecond goes by with each look at it, and with nothing else.
class LookedAt final : public Clock {
 public:
  DateTime now() const override { return {}; }
  std::int64_t steady_ms() const override { return ++time_; }

 private:
  mutable std::int64_t time_ = 0;
};

}  // namespace

TEST_CASE("sort leaves what LuaJIT's leaves, equal elements too") {
  // Pairs that are equal by their first part; how they lie afterwards is the algorithm's.
  const std::string shuffled = R"(
    local seed = %d
    local function random(n) seed = (seed * 1103515245 + 12345) %% 2147483648 return seed %% n end
    local list = {}
    for i = 1, random(60) do list[i] = { random(%d), i } end
    local function told() local out = {} for i, each in ipairs(list) do out[i] = each[1] .. ':' .. each[2] end
      return table.concat(out, ' ') end
    local ok, why = pcall(table.sort, list, function(a, b) return %s end)
    return tostring(ok) .. tostring(not ok and tostring(why):match('invalid order[%%a ]*')) .. told())";
  for (const char* order : {"a[1] < b[1]", "a[1] > b[1]", "a[1] <= b[1]", "true", "false", "random(2) == 0",
                            "a[2] % 3 < b[2] % 3", "a[1] ~= b[1]"})
    for (int seed = 1; seed < 150; ++seed) {
      char text[2000];
      std::snprintf(text, sizeof text, shuffled.c_str(), seed, seed % 7 + 1, order);
      INFO(text);
      REQUIRE(here(text) == by_luajit(text));
    }
}

TEST_CASE("table's functions answer and refuse as LuaJIT's do") {
  for (const char* text :
       {"local t = { 3, 1, 2 } table.sort(t) return table.concat(t, ',')",
        "local t = { 'b', 'a', 'B' } table.sort(t, nil) return table.concat(t, ',')",
        "table.sort({ 1, 'x' })",
        "table.sort({ {}, {} })",
        "table.sort({ 1, 2, nil, 4 })",
        "table.sort({}, 1)",
        "table.sort()",
        "table.sort({ 2, 1 }, function() error('mine') end)",
        "local t = {} table.sort(t) table.sort({ 1 }, function() end) return 'ok'",
        "local t = { 1, 2 } table.insert(t, 1, 0) table.insert(t, 9) return table.concat(t, ',')",
        "local t = { 1 } table.insert(t, 5, 9) return tostring(t[5])",
        "table.insert({}, 1, 2, 3)",
        "table.insert({})",
        "table.insert(nil, 1)",
        "table.insert({}, 'x', 1)",
        "table.remove(7)",
        "table.remove({}, {})",
        "local t = { 1, 2, 3 } return table.remove(t) .. table.remove(t, 1) .. tostring(table.remove(t, 7)) .. #t",
        "return tostring(table.remove({}))",
        "return tostring(select('#', table.remove({})))",
        "return tostring(table.maxn({ 1, nil, [7.5] = 1 }))",
        "table.maxn('x')"}) {
    INFO(text);
    const std::string expected = by_luajit(text);
    CHECK(here(text) == expected);
  }
}

TEST_CASE("calls of functions that work in C alone meet the deadline") {
  const std::pair<const char*, int> works[] = {{"table.sort(t)", 200'000},
                                               {"for i = 1, 500 do table.insert(t, 1, 0) end", 1'000'000},
                                               {"for i = 1, 500 do table.remove(t, 1) end", 1'000'000}};
  for (const auto& [work, size] : works) {  // too few instructions of Lua for a single look
    LookedAt clock;
    LuaState state(clock, 64 * 1024 * 1024);
    const auto failure = state.run(20, [&, count = size, code = work](lua_State* lua) {  // 100 looks
      open_sandbox(lua);
      lua_createtable(lua, count, 0);
      for (int i = 1; i <= count; ++i) {
        lua_pushinteger(lua, std::int64_t{i} * 7919 % 300'007);
        lua_rawseti(lua, -2, i);
      }
      run_chunk(lua, std::string("local t = ... ") + code, "@test", 1, 0);
    });
    INFO(work);
    REQUIRE(failure);
    CHECK(failure->kind == Failure::Kind::Time);
  }
}

TEST_CASE("instructions that make large texts are looked at one by one") {
  LookedAt clock;
  LuaState state(clock, 64 * 1024 * 1024);
  const auto run = [&](int times) {
    return state.run(20, [&](lua_State* lua) {  // 100 looks
      open_sandbox(lua);
      run_chunk(lua,
                "local a = ('x'):rep(2 ^ 20) a = a .. a .. a for i = 1, " + std::to_string(times) +
                    " do local x = a .. i end",
                "@test");
    });
  };
  CHECK_FALSE(run(5));
  const auto failure = run(200);
  REQUIRE(failure);
  CHECK(failure->kind == Failure::Kind::Time);
}
