#include "engine/script/load/define.h"

#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "engine/catalog/problems.h"
#include "engine/script/library.h"
#include "engine/script/library/dsl.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/library/modules.h"
#include "engine/script/library/sandbox.h"
#include "engine/script/library/words_read.h"
#include "engine/script/load/blocks.h"
#include "engine/script/load/load_problem.h"
#include "engine/script/load/read_action.h"
#include "engine/script/load/read_definition.h"
#include "engine/script/load/written_calls.h"
#include "engine/script/run/finder.h"
#include "engine/script/run/history.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr std::size_t most_text_kib = 1024;
constexpr std::string_view chunk_name = "@source";

std::vector<const char*> allowed_nouns(FileKind kind) {
  switch (kind) {
    case FileKind::Entity:
      return {"entity"};
    case FileKind::Addition:
    case FileKind::AugmenterAddition:
    case FileKind::StatesAddition:
    case FileKind::ActionAddition:
      return {"add_to"};
    case FileKind::Common:
      return {"common"};
    case FileKind::Augmenter:
      return {"condition", "token", "func", "extension"};
    case FileKind::SessionList:
      return {"session_list"};
    case FileKind::States:
      return {"states"};
    case FileKind::Action:
      return {"action"};
    case FileKind::Hooks:
      return {"hooks"};
    case FileKind::Library:
      return {"library"};
    case FileKind::Calendar:
      return {"calendar"};
    case FileKind::SignIn:
      return {"sign_in"};
    case FileKind::Scim:
      return {"scim"};
    case FileKind::Module:
      return {};
  }
  return {};
}

// What a file with a plus adds to, by the name that schema.lua has for it; null: no such file, or to an entity.
const char* added_to(FileKind kind) {
  if (kind == FileKind::AugmenterAddition) return "augmenter";
  if (kind == FileKind::StatesAddition) return "states";
  return kind == FileKind::ActionAddition ? "action" : nullptr;
}

std::vector<std::string_view> views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

class Definer {
 public:
  Definer(const Source& source, FileKind kind, const std::string& name, const Libraries& libraries,
          const std::vector<Source>& modules)
      : source_(source), kind_(kind), name_(name), libraries_(libraries), modules_(modules) {}

  DefinedFile run() {
    if (source_.text.size() > most_text_kib * 1024) return failed("is larger than 1 MiB");
    if (!text::is_utf8(source_.text)) return failed("is not UTF-8 text");
    const SystemClock clock;
    const CurrentCall nothing;
    LuaState state(clock, load_memory_mib * 1024 * 1024);
    const std::string_view text = source_.text;
    auto failure = state.run(load_time_ms, [&](lua_State* lua) {
      open_sandbox(lua);
      add_desk(lua, nothing);
      add_earlier(lua, nothing);
      add_libraries(lua, libraries_);
      if (!source_.required.empty())
        for (std::size_t number = 0; number < modules_.size(); ++number) add_module(lua, modules_[number], number);
      open_dsl(lua, text);
      push_dsl(lua, "nouns");
      nouns_ = noun_names(lua);
      for (const Source& each : libraries_) nouns_.push_back(library_name(each));
      lua_settop(lua, 0);
      if (kind_ == FileKind::Library) check_library_name(lua);
      if (!knows_all_words(lua)) return;
      if (kind_ == FileKind::Module) evaluate_module(lua);
      else evaluate(lua);
    });
    if (failure) result_.problems.push_back(problem_of(*failure, source_, nouns_));
    return std::move(result_);
  }

 private:
  DefinedFile failed(std::string message) {
    result_.problems.push_back({{source_.file, 0}, std::move(message), {}});
    return std::move(result_);
  }

  // It becomes a word of all scripts and specs.
  void check_library_name(lua_State* lua) {
    constexpr std::string_view spec_words[] = {"describe", "it", "before_each", "scenario", "expect"};
    const auto is_plain = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    const bool is_word = !name_.empty() && std::all_of(name_.begin(), name_.end(), is_plain) && !(name_[0] <= '9');
    const bool is_taken = unknown_word(lua, name_.c_str()).empty() || is_withheld_word(lua) ||
                          std::find(std::begin(spec_words), std::end(spec_words), name_) != std::end(spec_words);
    if (!is_word)
      result_.problems.push_back({{source_.file, 0},
                                  text::quoted(name_) + " cannot be a word of scripts",
                                  "give the library a name of small letters, digits and _, such as working_hours"});
    else if (is_taken)
      result_.problems.push_back(
          {{source_.file, 0}, text::quoted(name_) + " means something else already", "give the library another name"});
  }

  // A reserved word of Lua, or one that scripts are told they may not use.
  bool is_withheld_word(lua_State* lua) {
    if (!unknown_word(lua, name_.c_str()).starts_with("unknown word")) return true;
    const bool is_name = luaL_loadstring(lua, ("local " + name_ + " = 1").c_str()) == 0;
    lua_pop(lua, 1);
    return !is_name;
  }

  // Those of its functions too, which run when their rule is needed.
  bool knows_all_words(lua_State* lua) {
    for (const auto& [word, member, line] : words_read(source_.text))
      if (kind_ == FileKind::Library && word == name_) continue;  // it is there by the time that a function runs
      else if (!member.empty()) check_member(lua, word, member, line);
      else if (const std::string why = unknown_word(lua, word.c_str()); !why.empty())
        result_.problems.push_back(unknown_word({source_.file, line}, why, nouns_));
    for (const auto& [how, line] : find_null_comparisons(source_.text))
      result_.problems.push_back(
          {{source_.file, line},
           "'" + how + " null' is " + (how == "==" ? "never" : "always") + " true: what is null reads as nil in code",
           "write '" + how + " nil'"});
    for (const auto& [function, line] : find_colon_calls(source_.text))
      result_.problems.push_back({{source_.file, line},
                                  "the functions of 'desk' are called with a dot: 'desk:" + function + "'",
                                  "write 'desk." + function + "'"});
    return result_.problems.empty();
  }

  void check_member(lua_State* lua, const std::string& library, const std::string& member, int line) {
    const std::vector<std::string> known = members_of(lua, library.c_str());
    if (known.empty() || std::find(known.begin(), known.end(), member) != known.end()) return;
    result_.problems.push_back({{source_.file, line},
                                text::quoted(library) + " has no " + text::quoted(member),
                                catalog::did_you_mean(member, views(known))});
  }

  void evaluate_module(lua_State* lua) {
    run_source(lua, source_, chunk_name.data(), 0, 1);
    const bool is_plain = lua_istable(lua, -1) && lua_getmetatable(lua, -1) == 0;
    if (!is_plain)
      result_.problems.push_back({{source_.file, 1},
                                  "a file in 'lib' returns a plain table of what it shares",
                                  "write return { name = function(...) ... end }"});
  }

  // check(allowed nouns, what is added to, the file's results) -> clean definition or nil, problems
  void evaluate(lua_State* lua) {
    push_dsl(lua, "check");
    lua_newtable(lua);
    int count = 0;
    for (const char* noun : allowed_nouns(kind_)) {
      lua_pushstring(lua, noun);
      lua_rawseti(lua, -2, ++count);
    }
    if (const char* addition = added_to(kind_)) lua_pushstring(lua, addition);
    else lua_pushnil(lua);
    const int first = lua_gettop(lua);
    run_source(lua, source_, chunk_name.data(), 0, LUA_MULTRET);
    lua_call(lua, 2 + lua_gettop(lua) - first, 2);
    read_problems(lua);
    lua_pop(lua, 1);
    if (lua_istable(lua, -1)) read(lua);
  }

  void read(lua_State* lua) {
    std::string defined = read_name(lua);
    if (added_to(kind_) && defined != name_)
      result_.problems.push_back({{source_.file, read_line(lua)},
                                  "the file adds to " + text::quoted(name_) + " by its name, but to " +
                                      text::quoted(defined) + " by what it says",
                                  "a file adds to what stands before the plus: add_to \"" + name_ + "\""});
    else if (kind_ != FileKind::States && defined != name_)  // states have the name of their property
      result_.problems.push_back({{source_.file, read_line(lua)},
                                  "the file is called " + text::quoted(name_) + " but defines " + text::quoted(defined),
                                  "a file has the name of what it defines"});
    switch (kind_) {
      case FileKind::Addition:
      case FileKind::Entity:
        result_.definition = read_entity(lua, source_.file);
        break;
      case FileKind::Common:
        result_.definition = read_common(lua, source_.file);
        break;
      case FileKind::Augmenter:
      case FileKind::AugmenterAddition:
        result_.definition = read_augmenter(lua, source_.file);
        break;
      case FileKind::SessionList:
        result_.definition = read_session_list(lua, source_.file);
        break;
      case FileKind::States:
      case FileKind::StatesAddition:
        result_.definition = read_states(lua, source_.file);
        break;
      case FileKind::Action:
      case FileKind::ActionAddition:
        result_.definition = read_action(lua, source_.file);
        break;
      case FileKind::Hooks:
        result_.definition = read_hooks(lua, source_.file);
        break;
      case FileKind::Calendar:
        result_.definition = read_calendar(lua, source_.file);
        break;
      case FileKind::SignIn:
        result_.definition = read_sign_in(lua, source_.file);
        break;
      case FileKind::Scim:
        result_.definition = read_scim(lua, source_.file);
        break;
      case FileKind::Library:
      case FileKind::Module:
        break;
    }
    result_.functions = function_names(lua);
  }

  // The options of the definition on top of the stack that hold code, sorted.
  static std::vector<std::string> function_names(lua_State* lua) {
    std::vector<std::string> names;
    lua_getfield(lua, -1, "options");
    if (lua_istable(lua, -1))
      for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1))
        if (lua_isfunction(lua, -1)) names.emplace_back(lua_tostring(lua, -2));
    lua_pop(lua, 1);
    std::sort(names.begin(), names.end());
    return names;
  }

  void read_problems(lua_State* lua) {
    for (int i = 1; i <= static_cast<int>(lua_objlen(lua, -1)); ++i) {
      lua_rawgeti(lua, -1, i);
      catalog::Problem problem{{source_.file, read_line(lua)}, read_text(lua, "message"), {}};
      if (std::string word = read_text(lua, "word"); !word.empty())
        problem.suggestion = catalog::did_you_mean(word, views(read_candidates(lua)));
      if (std::string mend = read_text(lua, "suggestion"); !mend.empty()) problem.suggestion = std::move(mend);
      result_.problems.push_back(std::move(problem));
      lua_pop(lua, 1);
    }
  }

  static std::string read_text(lua_State* lua, const char* field) {
    lua_getfield(lua, -1, field);
    std::size_t size = 0;
    const char* text = lua_type(lua, -1) == LUA_TSTRING ? lua_tolstring(lua, -1, &size) : "";
    std::string result(text, size);
    lua_pop(lua, 1);
    return result;
  }

  static std::vector<std::string> read_candidates(lua_State* lua) {
    std::vector<std::string> candidates;
    lua_getfield(lua, -1, "candidates");
    for (int i = 1; i <= static_cast<int>(lua_objlen(lua, -1)); ++i) {
      lua_rawgeti(lua, -1, i);
      candidates.emplace_back(lua_tostring(lua, -1));
      lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return candidates;
  }

  const Source& source_;
  FileKind kind_;
  const std::string& name_;
  const Libraries& libraries_;
  const std::vector<Source>& modules_;
  std::vector<std::string> nouns_;
  DefinedFile result_;
};

}  // namespace

DefinedFile define(const Source& source, FileKind kind, const std::string& name, const Libraries& libraries,
                   const std::vector<Source>& modules) {
  return Definer(source, kind, name, libraries, modules).run();
}

}  // namespace callisto::script
