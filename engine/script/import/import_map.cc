#include "engine/script/import_map.h"

#include "engine/base/text.h"
#include "engine/catalog/problems.h"
#include "engine/script/import/read_import_map.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/library/sandbox.h"
#include "engine/script/views/values.h"

#include <utility>

#include <lua.hpp>

#include "lua_texts.h"

namespace callisto::script {
namespace {

constexpr int load_time_ms = 2000;    // to run the map, and to hand a group's rows to Lua
constexpr int most_exhaustions = 10;  // of one function, which is given up then
constexpr std::string_view chunk_name = "@map";
constexpr std::string_view line_prefix = "map:";
constexpr const char* word_names[] = {"import", "record", "rows",     "find_or_create", "always",
                                      "join",   "one_of", "position", "parent"};

const char functions_key = 0;
const char rows_key = 0;

void keep(lua_State* lua, const char& key) {  // the value on top of the stack
  lua_pushlightuserdata(lua, const_cast<char*>(&key));
  lua_insert(lua, -2);
  lua_rawset(lua, LUA_REGISTRYINDEX);
}

void push_kept(lua_State* lua, const char& key) {
  lua_pushlightuserdata(lua, const_cast<char*>(&key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
}

std::string_view words_text() {
  for (const auto& [name, text] : embedded::lua_texts::files)
    if (name == "import.lua") return text;
  return {};
}

// Level 0 is this function, 1 the word, 2 the map.
int calling_line(lua_State* lua) {
  lua_Debug frame{};
  const bool known = lua_getstack(lua, 2, &frame) && lua_getinfo(lua, "l", &frame) && frame.currentline > 0;
  lua_pushinteger(lua, known ? frame.currentline : 0);
  return 1;
}

// The row as a table from column to text.
void push_row(lua_State* lua, const std::vector<std::string>& columns, const MapRow& row) {
  lua_createtable(lua, 0, static_cast<int>(columns.size()));
  for (std::size_t i = 0; i < columns.size() && i < row.size(); ++i) {
    if (row[i].empty()) continue;
    lua_pushlstring(lua, columns[i].data(), columns[i].size());
    lua_pushlstring(lua, row[i].data(), row[i].size());
    lua_rawset(lua, -3);
  }
}

}  // namespace

// A state with the map in it. One that failed is thrown away, and the map is run again in the next.
class ImportMap::Lua {
 public:
  Lua(Source source, const Budget& budget, const Clock& clock)
      : source_(std::move(source)), budget_(budget), clock_(clock) {}

  const MapDefinition& definition() const { return definition_; }

  // False: it could not be run.
  bool load(catalog::Problems& problems) {
    if (!text::is_utf8(source_.text)) {
      problems.add({source_.file, 0}, "is not UTF-8 text");
      return false;
    }
    const auto failure = start(problems);
    if (failure) report(*failure, problems);
    return !failure;
  }

  void begin_group(const std::vector<std::string>& columns, const std::vector<MapRow>& rows) {
    columns_ = &columns;
    rows_ = &rows;
    has_rows_ = false;
    too_large_.reset();
  }

  Result<Value> call(std::size_t function, std::size_t row) {
    if (exhaustions_[function] == most_exhaustions)
      return bad_format("the function ran out of time or memory too often and is not called any more");
    CALLISTO_CHECK(prepare());
    std::optional<Value> value;
    std::string found;
    auto failure = state_->run(budget_.time_ms, [&](lua_State* lua) {
      push_kept(lua, functions_key);
      lua_rawgeti(lua, -1, static_cast<int>(function + 1));
      push_kept(lua, rows_key);
      lua_rawgeti(lua, -1, static_cast<int>(row + 1));
      lua_insert(lua, -2);
      lua_pushinteger(lua, static_cast<lua_Integer>(row + 1));
      lua_call(lua, 3, 1);
      value = to_value(lua, -1);
      if (!value) found = describe(lua, -1);
    });
    if (failure) {
      if (failure->kind == Failure::Kind::Time || failure->kind == Failure::Kind::Memory) ++exhaustions_[function];
      return failed(*failure);
    }
    if (!value) return bad_format("the function returned " + found + " where a value is expected");
    return *std::move(value);
  }

 private:
  std::optional<Failure> start(catalog::Problems& problems) {
    state_ = std::make_unique<LuaState>(clock_, static_cast<std::size_t>(budget_.memory_mib) * 1024 * 1024);
    has_rows_ = false;
    return state_->run(load_time_ms, [&](lua_State* lua) {
      open_sandbox(lua);
      lua_pushcfunction(lua, calling_line);
      run_chunk(lua, words_text(), "@import.lua", 1);
      lua_getfield(lua, -1, "words");
      for (const char* word : word_names) {
        lua_getfield(lua, -1, word);
        add_global(lua, word);
      }
      lua_pop(lua, 1);
      lua_getfield(lua, -1, "read");
      run_chunk(lua, source_.text, chunk_name.data());
      lua_call(lua, 1, 1);
      definition_ = read_import_map(lua, source_, problems);
      lua_getfield(lua, -1, "functions");
      keep(lua, functions_key);
    });
  }

  // A living state with the rows of the group. What earlier groups left in a state may be too much: then in a new one.
  Result<void> prepare() {
    while (!too_large_ && !has_rows_) {
      const bool is_new = !state_;
      catalog::Problems known;
      if (is_new)
        if (auto failure = start(known)) return failed(*failure);
      const auto failure = hand_rows_over();
      has_rows_ = !failure;
      if (failure) state_.reset();
      if (failure && is_new)
        too_large_ = "a group of " + std::to_string(rows_->size()) +
                     " rows is too much for functions: " + in_the_file(failure->message);
    }
    if (too_large_) return bad_format(*too_large_);
    return {};
  }

  std::optional<Failure> hand_rows_over() {
    return state_->run(load_time_ms, [&](lua_State* lua) {
      lua_createtable(lua, static_cast<int>(rows_->size()), 0);
      for (std::size_t i = 0; i < rows_->size(); ++i) {
        push_row(lua, *columns_, (*rows_)[i]);
        lua_rawseti(lua, -2, static_cast<int>(i + 1));
      }
      keep(lua, rows_key);
    });
  }

  Error failed(const Failure& failure) {
    if (failure.kind != Failure::Kind::Reject) {
      state_.reset();
      has_rows_ = false;
    }
    if (failure.kind == Failure::Kind::Memory)
      return bad_format("the function needs more than " + std::to_string(budget_.memory_mib) + " MiB");
    return bad_format(in_the_file(failure.message));
  }

  // Lua shortens the names of chunks, so the map has a short one until here.
  std::string in_the_file(const std::string& message) const {
    if (!message.starts_with(line_prefix)) return message;
    return source_.file + ":" + message.substr(line_prefix.size());
  }

  void report(const Failure& failure, catalog::Problems& problems) const {
    catalog::Origin origin{source_.file, 0};
    std::string message = failure.message;
    if (failure.kind == Failure::Kind::Reject) message = "'reject' can only be called for a row";
    if (failure.kind == Failure::Kind::Memory)
      message = "the map needs more than " + std::to_string(budget_.memory_mib) + " MiB";
    if (message.starts_with(line_prefix)) {
      const std::size_t end = message.find(':', line_prefix.size());
      origin.line = std::atoi(message.c_str() + line_prefix.size());
      message = end == std::string::npos ? message : message.substr(std::min(end + 2, message.size()));
    }
    constexpr std::string_view unknown = "unknown word '";
    if (!message.starts_with(unknown)) return problems.add(origin, message);
    const std::string word = message.substr(unknown.size(), message.find('\'', unknown.size()) - unknown.size());
    problems.add(origin, message, catalog::did_you_mean(word, {std::begin(word_names), std::end(word_names)}));
  }

  Source source_;
  Budget budget_;
  const Clock& clock_;
  std::unique_ptr<LuaState> state_;
  MapDefinition definition_;
  const std::vector<std::string>* columns_ = nullptr;
  const std::vector<MapRow>* rows_ = nullptr;
  bool has_rows_ = false;                   // in the state
  std::optional<std::string> too_large_;    // why the rows of the group cannot be in any
  std::map<std::size_t, int> exhaustions_;  // by function
};

ImportMap::ImportMap(std::unique_ptr<Lua> lua) : lua_(std::move(lua)) {}
ImportMap::~ImportMap() = default;

ImportMap::Loaded ImportMap::load(const Source& source, const Budget& budget, const Clock& clock) {
  auto lua = std::make_unique<Lua>(source, budget, clock);
  catalog::Problems problems;
  if (!lua->load(problems)) return {nullptr, problems.take()};
  return {std::unique_ptr<ImportMap>(new ImportMap(std::move(lua))), problems.take()};
}

const MapDefinition& ImportMap::definition() const { return lua_->definition(); }

void ImportMap::begin_group(const std::vector<std::string>& columns, const std::vector<MapRow>& rows) {
  lua_->begin_group(columns, rows);
}

Result<Value> ImportMap::call(std::size_t function, std::size_t row) { return lua_->call(function, row); }

}  // namespace callisto::script
