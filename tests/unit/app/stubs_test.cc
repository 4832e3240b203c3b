#include "engine/script/stubs.h"
#include "engine/app/describing/entity_stubs.h"
#include "tests/support/paths.h"
#include "tests/support/small_desk.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <regex>
#include <set>

#include <lua.hpp>

using namespace callisto;
using Catch::Contains;

namespace {

const std::string source = test::source_folder();

std::string content_of(const std::string& file) {
  std::ifstream in(source + "/" + file, std::ios::binary);
  REQUIRE(in.is_open());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string words() {
  const auto text = script::word_stubs();
  REQUIRE(text);
  return *text;
}

std::string stubs_of_product() {
  const auto loaded = script::load({source + "/entities"}, {source + "/scripts"});
  REQUIRE(loaded.program);
  return words() + "\n" + app::entity_stubs(*loaded.program);
}

// Why LuaJIT does not take it; empty: it does.
std::string problem_of(const std::string& text) {
  lua_State* lua = luaL_newstate();
  std::string problem;
  if (luaL_loadbuffer(lua, text.data(), text.size(), "stubs") != 0) problem = lua_tostring(lua, -1);
  lua_close(lua);
  return problem;
}

// What the first group of the expression matches in a file.
std::set<std::string> found(const std::string& file, const char* expression) {
  const std::string text = content_of(file);
  const std::regex pattern(expression);
  std::set<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) names.insert((*at)[1]);
  REQUIRE(names.size() > 1);
  return names;
}

}  // namespace

TEST_CASE("scripts/callisto.d.lua is what callisto stubs writes") {
  INFO("write it anew with 'build/callisto stubs', and commit it");
  CHECK((content_of("scripts/callisto.d.lua") == stubs_of_product()));
}

TEST_CASE("stubs are Lua, and the same each time") {
  const test::SmallDesk desk;
  const std::string stubs = words() + "\n" + app::entity_stubs(*desk.load());
  CHECK(problem_of(stubs) == "");
  CHECK(problem_of("function (") != "");
  CHECK(stubs.substr(0, 9) == "---@meta\n");
  CHECK((stubs == words() + "\n" + app::entity_stubs(*desk.load())));
}

TEST_CASE("stubs describe the records of each entity, the session and the desk") {
  const test::SmallDesk desk;
  const std::string stubs = app::entity_stubs(*desk.load());
  for (const char* text : {
           "---What is read.\n---@class record.book : record.base\n"
           "---@field act fun(self: record.book, action: \"create\"|\"update\"|\"hide\"|\"lend\", input?: "
           "table<string, any>)\n"
           "---@field Ref integer The record's number.\n",
           "---@field Title? string As on the cover.\n",
           "---@field Shelf? integer the key of a record of shelf.\n",
           "---@field Price? exact\n---@field LentSince? moment\n---@field IsRare? boolean\n---@field Cover? exact\n"
           "---@field Copies? integer|exact\n",
           "---@class record.novel : record.book\n",
           "---@field Blurb? string\n---@field Code? string\n\n",
           "---@field shelves (integer)[]\n",
           "---@overload fun(entity: \"book\", ...: any): record.book?\n",
           "---@return record[]\nfunction desk.search(entity, ...) end\n",
           "---@return integer\nfunction desk.count(entity, filter, ...) end\n",
       })
    CHECK_THAT(stubs, Contains(text));
}

// What closes a class to names that it has not: any index of its own or above it opens it again (LuaLS).
TEST_CASE("stubs let an editor mark a property that an entity has not") {
  const test::SmallDesk desk;
  const std::string stubs = words() + app::entity_stubs(*desk.load());
  const auto class_text = [&](const std::string& name) {
    const std::size_t begin = stubs.find("---@class " + name + "\n");
    REQUIRE(begin != std::string::npos);
    return stubs.substr(begin, stubs.find("\n\n", begin) - begin);
  };
  for (const char* closed : {"record.base", "record.book : record.base", "record.novel : record.book"})
    CHECK_THAT(class_text(closed), !Contains("[string] any"));
  CHECK_THAT(class_text("record : record.base"), Contains("[string] any"));
}

TEST_CASE("stubs have every word that scripts can say") {
  const std::string stubs = words();
  const auto check = [&](const std::set<std::string>& names, const std::string& before, const std::string& after) {
    for (const std::string& name : names) CHECK_THAT(stubs, Contains(before + name + after));
  };
  check(found("engine/script/views/record_views.cc", R"re(add_method\(lua, "(\w+)")re"), "---@field ",
        " fun(self: record.base");
  check(found("engine/script/library/bind_datetime.cc", R"re(\{"(\w+)", \w+\})re"), "function datetime.", "(");
  check(found("engine/script/library/bind_working_time.cc", R"re(\{"(\w+)", \w+\})re"), "function datetime.", "(");
  for (const std::string library : {"text", "json"})
    check(found("engine/script/library/bind_" + library + ".cc", R"re(\{"(\w+)", \w+\})re"),
          "function " + library + ".", "(");
  check(found("engine/script/library/bind_log.cc", R"re(add\(lua, "(\w+)")re"), "function log.", "(");
  check(found("engine/script/lua/spec_expect.lua", R"re(function words\.(\w+))re"), "---@field ",
        " fun(self: spec.expectation");
  check(found("engine/script/lua/spec_desk.lua", R"re(function Desk\.methods\.(\w+))re"), "---@field ",
        " fun(self: spec.desk");
  check(found("engine/script/lua/spec_desk.lua", R"re(function Record\.methods\.(\w+))re"), "---@field ",
        " fun(self: spec.record");
  std::set<std::string> nouns =
      found("engine/script/lua/schema.lua", R"re(\n  (\w+) = \{(?: options|\n    options))re");
  nouns.erase("augmenter");  // of add_to alone
  check(nouns, "---@class options.", "\n");
  check({"augmenter"}, "---@class options.add_to.", "\n");
  check({"richtext", "lookup", "any_of", "states"}, "function ", "(name) end\n");
  CHECK_THAT(stubs, Contains("---@class options.entity\n---@field abstract? boolean\n"));
  CHECK_THAT(stubs, Contains("---@field secret? \"new\"|\"current\"|\"sealed\"\n"));
  CHECK_THAT(stubs, Contains("---@field filter string\n"));  // a condition needs one
}

TEST_CASE("the Lua language server, where there is one, finds no problem in scripts") {
  if (std::system("command -v lua-language-server >/dev/null") != 0) {
    WARN("there is no lua-language-server here");
    return;
  }
  const test::TemporaryFolder logs;
  const std::string command = "cd " + source +
                              " && lua-language-server --check scripts --checklevel=Warning --configpath " + source +
                              "/.luarc.json --logpath " + logs.path() + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string output(1 << 16, '\0');
  output.resize(fread(output.data(), 1, output.size(), pipe));
  pclose(pipe);
  CHECK_THAT(output, Contains("no problems found"));
}
