#include "engine/script/load/blocks.h"

#include <catch2/catch.hpp>

using namespace callisto::script;

namespace {

std::string found(std::string_view source, int last_line = 99) {
  const auto block = find_open_block(source, last_line);
  return block ? block->opener + " " + std::to_string(block->line) : "none";
}

}  // namespace

TEST_CASE("the block that lacks its end is found by nesting and indentation") {
  struct Row {
    const char *source, *block;
  };
  const Row rows[] = {
      {"return 1", "none"},
      {"", "none"},
      {"if a then b() end", "none"},
      {"if a then b()", "if 1"},
      {"for i = 1, 2 do end while a do end repeat until b do end", "none"},
      {"for i = 1, 2 do\n  while a do\n    b()\nend", "while 2"},
      {"for i = 1, 2 do\n  b()\n", "for 1"},
      {"repeat\n  do\n  end\n", "repeat 1"},
      {"repeat\n  if a then\nuntil b", "if 2"},
      {"x = {\n  run = function()\n    if a then\n      b()\n  end,\n}", "if 3"},
      {"x = {\n  run = function()\n    b()\n}", "function 2"},
      {"x = {\n  y = {\n    1,\n}", "{ 2"},
      {"f(function()\n  a()\nend", "( 1"},
      {"-- if a then\n--[[ if\nb ]] c()", "none"},
      {"x = \"if\" y = 'function' z = [[ do\nrepeat ]]", "none"},
      {"x = \"a\\\"if\"", "none"},
      {"end", "none"},
      {"}", "none"},
      {"endless = ifs", "none"},
      {"--", "none"},
      {"\"", "none"},
      {"[[", "none"},
      {"--[[", "none"},
      {"\\", "none"},
  };
  for (const Row& row : rows) {
    INFO(row.source);
    CHECK(found(row.source) == row.block);
  }
  CHECK(found("if a then\n  b(\n)\nend", 2) == "( 2");
  CHECK(found("if a then\nend\nif b then", 2) == "none");
}

namespace {

std::string compared(std::string_view source) {
  std::string text;
  for (const auto& [how, line] : find_null_comparisons(source))
    text += (text.empty() ? "" : ", ") + how + " " + std::to_string(line);
  return text;
}

}  // namespace

TEST_CASE("comparisons with null are found, whichever side it stands on, and nothing else is") {
  struct Row {
    const char *source, *found;
  };
  const Row rows[] = {
      {"if call.Solution == null then end", "== 1"},
      {"if call.Solution ~= null then end", "~= 1"},
      {"if null == call.Solution then end", "== 1"},
      {"if null\n~= call.Solution then end", "~= 1"},
      {"return a==null or b~=null", "== 1, ~= 1"},
      {"\n\nlocal x = (a)\n  == null", "== 4"},
      {"f(a == null, { b = null, null })", "== 1"},
      {"x[null] == 1", ""},
      {"a = null", ""},
      {"call.A, call.B = null, null", ""},
      {"return { A = null }", ""},
      {"filter = \"Solution == null\"", ""},
      {"filter = 'a == null' .. [[ b == null ]] .. [==[ c ]] == null ]==]", ""},
      {"-- a == null\n--[[ b == null ]] --[=[ c\n== null ]=]", ""},
      {"[==[\n\n]==] x == null", "== 3"},
      {"a == nullable or nulls == b", ""},
      {"a <= null", ""},
      {"", ""},
  };
  for (const Row& row : rows) {
    INFO(row.source);
    CHECK(compared(row.source) == row.found);
  }
}
