#include "engine/script/read_settings.h"

#include "engine/base/text.h"
#include "engine/script/library/dsl.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/library/sandbox.h"
#include "engine/script/views/values.h"

#include <algorithm>
#include <optional>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr int time_ms = 1000;
constexpr std::size_t memory_bytes = 8 * 1024 * 1024;
constexpr std::string_view line_prefix = "settings:";

int line_of(const std::string& text, const std::string& name) {
  const int bare = find_line(text, name, 0, true);
  return bare > 0 ? bare : find_line(text, name, 0, false);
}

class SettingsReader {
 public:
  SettingsReader(lua_State* lua, const Source& source, SettingsFile& file) : lua_(lua), source_(source), file_(file) {}

  // The chunk's result is on top of the stack.
  void read() {
    if (!lua_istable(lua_, -1)) {
      file_.problems.push_back(
          {{source_.file, 0}, "returns no settings", "write: return { [\"log.level\"] = \"debug\" }"});
      return;
    }
    for (lua_pushnil(lua_); lua_next(lua_, -2) != 0; lua_pop(lua_, 1)) read_setting();
    std::sort(file_.settings.begin(), file_.settings.end(),
              [](const SettingLine& a, const SettingLine& b) { return a.name < b.name; });
  }

 private:
  void read_setting() {
    if (lua_type(lua_, -2) != LUA_TSTRING) {
      file_.problems.push_back({{source_.file, 0}, "a setting has no name", "write: name = value"});
      return;
    }
    const std::string name = lua_tostring(lua_, -2);
    const catalog::Origin origin{source_.file, line_of(source_.text, name)};
    if (auto value = lua_istable(lua_, -1) ? list() : scalar(lua_gettop(lua_)))
      file_.settings.push_back({name, *std::move(value), origin});
    else
      file_.problems.push_back({origin, name + " is " + describe(lua_, -1),
                                "a setting is a text, a number, true, false or a list of texts"});
  }

  std::optional<std::string> scalar(int index) {
    if (lua_isboolean(lua_, index)) return lua_toboolean(lua_, index) != 0 ? "true" : "false";
    if (lua_type(lua_, index) != LUA_TSTRING && lua_type(lua_, index) != LUA_TNUMBER) return std::nullopt;
    lua_pushvalue(lua_, index);  // lua_tolstring changes a number where it stands
    const std::string text = lua_tostring(lua_, -1);
    lua_pop(lua_, 1);
    return text;
  }

  std::optional<std::string> list() {
    std::string all;
    const int table = lua_gettop(lua_);
    for (int i = 1; i <= static_cast<int>(lua_objlen(lua_, table)); ++i) {
      lua_rawgeti(lua_, table, i);
      const auto item = scalar(lua_gettop(lua_));
      lua_pop(lua_, 1);
      if (!item) return std::nullopt;
      all += (all.empty() ? "" : ",") + *item;
    }
    return all;
  }

  lua_State* lua_;
  const Source& source_;
  SettingsFile& file_;
};

catalog::Problem problem_of(const Failure& failure, const std::string& file) {
  if (!failure.message.starts_with(line_prefix)) return {{file, 0}, failure.message, {}};
  const std::size_t end = std::min(failure.message.find(": ", line_prefix.size()), failure.message.size() - 2);
  return {{file, std::atoi(failure.message.c_str() + line_prefix.size())}, failure.message.substr(end + 2), {}};
}

}  // namespace

SettingsFile read_settings(const Source& source) {
  SettingsFile file;
  if (!text::is_utf8(source.text)) {
    file.problems.push_back({{source.file, 0}, "is not UTF-8 text", {}});
    return file;
  }
  const SystemClock clock;
  LuaState state(clock, memory_bytes);
  const auto failure = state.run(time_ms, [&](lua_State* lua) {
    open_sandbox(lua);
    run_chunk(lua, source.text, "@settings");
    SettingsReader(lua, source, file).read();
  });
  if (failure) file.problems.push_back(problem_of(*failure, source.file));
  return file;
}

}  // namespace callisto::script
