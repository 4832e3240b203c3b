#include "engine/script/library/pattern.h"

#include <catch2/catch.hpp>
#include <lua.hpp>

#include <memory>
#include <random>

#include "run_lua.h"

using namespace callisto;
using namespace callisto::script;

namespace {

struct Closer {
  void operator()(lua_State* lua) const { lua_close(lua); }
};

// LuaJIT's own functions beside ours: the same arguments must give the same results, as text.
class BothLibraries {
 public:
  BothLibraries() : stock_(luaL_newstate()) { luaL_openlibs(stock_.get()); }

  static std::string report(const std::string& call) {
    return "local function all(ok, ...) if not ok then return 'error' end local t = { ... } "
           "for i = 1, select('#', ...) do t[i] = tostring((select(i, ...))) end return table.concat(t, '|') end "
           "return all(pcall(function() return " +
           call + " end))";
  }

  std::string stock(const std::string& call) {
    std::string text = report(call);
    REQUIRE(luaL_dostring(stock_.get(), text.c_str()) == 0);
    std::size_t size = 0;
    const char* result = lua_tolstring(stock_.get(), -1, &size);
    std::string copy(result, size);
    lua_settop(stock_.get(), 0);
    return copy;
  }

  std::string ours(const std::string& call) {
    Outcome outcome = sandbox_.run(report(call));
    if (outcome.failure || !outcome.value) return "failure: " + (outcome.failure ? outcome.failure->message : "");
    const auto* text = std::get_if<std::string>(&*outcome.value);
    return text ? *text : "no text";
  }

 private:
  std::unique_ptr<lua_State, Closer> stock_;
  Sandbox sandbox_;
};

std::string random_text(std::mt19937& random, std::string_view alphabet, std::size_t longest) {
  std::string text;
  for (std::size_t i = random() % (longest + 1); i > 0; --i) text += alphabet[random() % alphabet.size()];
  return text;
}

}  // namespace

TEST_CASE("string functions give what LuaJIT's own give") {
  BothLibraries both;
  for (const char* call : {"('hello world'):find('o w')",
                           "('hello'):find('l', 4)",
                           "('hello'):find('l', -2)",
                           "('a.b'):find('.', 1, true)",
                           "('hello'):find('')",
                           "('hello'):find('', 10)",
                           "('hello'):find('xyz')",
                           "('key = value'):match('^(%w+)%s*=%s*(%w+)$')",
                           "('  trim  '):match('^%s*(.-)%s*$')",
                           "('f(a(b)c)d'):match('%b()')",
                           "('THE (quick) fox'):find('%((%a+)%)')",
                           "('hello'):match('()ll()')",
                           "('abcabc'):find('(abc)%1')",
                           "('THE (quick) fox'):gsub('%f[%a]%a+', '<%0>')",
                           "('hello world'):gsub('o', '0', 1)",
                           "('hello'):gsub('', '-')",
                           "('abc'):gsub('%w', '%0%0')",
                           "('abc'):gsub('(a)(b)', '%2%1')",
                           "('$name is $age'):gsub('%$(%w+)', { name = 'x', age = 4 })",
                           "('abc'):gsub('.', function(c) return c == 'b' and 'B' end)",
                           "('a,b,,c'):gsub(',', ';')",
                           "('x'):gsub('x', '%%')",
                           "('x'):gsub('x', '%2')",
                           "('^a'):find('^', 1, true)",
                           "('a]b'):find('[]]')",
                           "('a-b'):find('[a%-]', 2)",
                           "('a-z'):match('[a-]+')",
                           "('abc'):match('[^a]+')",
                           "('x'):find('[')",
                           "('x'):find('%')",
                           "('x'):find('(')",
                           "('x'):find(')')",
                           "('x'):find('%1')",
                           "('x'):find('[a')",
                           "('x'):find('%b')",
                           "('x'):find('%f')",
                           "('aaa'):find('a-', 2)",
                           "('aaab'):match('a-b')",
                           "('0x1F'):match('^0[xX](%x+)$')",
                           "('abc'):gsub('^a', 'x')",
                           "('aaa'):gsub('^a', 'x')",
                           "('a\\0b'):find('\\0')",
                           "('hello'):rep(3)",
                           "('ab'):rep(3, '-')",
                           "('ab'):rep(0)",
                           "('ab'):rep(-1)",
                           "('x'):gsub('x', '%1')",
                           "(function() local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[#t + 1] = k "
                           ".. v end return table.concat(t) end)()",
                           "(function() local n = 0 for _ in ('abc'):gmatch('') do n = n + 1 end return n end)()",
                           "string.find(12, 2)",
                           "string.find()",
                           "('x'):gsub('x', true)"}) {
    CAPTURE(call);
    CHECK(both.ours(call) == both.stock(call));
  }
}

TEST_CASE("random patterns match as LuaJIT matches them") {
  BothLibraries both;
  std::mt19937 random(20240229);
  for (int i = 0; i < 4000; ++i) {
    std::string subject = random_text(random, "aab1 (]", 8);
    std::string pattern = random_text(random, "aab1.*+-?[]^$%()dwsb", 6);
    std::string arguments = "([==[" + subject + "]==], [==[" + pattern + "]==]";
    CAPTURE(arguments);
    REQUIRE(both.ours("string.find" + arguments + ")") == both.stock("string.find" + arguments + ")"));
    // LuaJIT's gsub overlooks a capture without its ')' as long as the replacement does not ask for it; ours does not.
    if (pattern.find('(') != std::string::npos) continue;
    REQUIRE(both.ours("string.gsub" + arguments + ", '<%0>')") == both.stock("string.gsub" + arguments + ", '<%0>')"));
  }
}

TEST_CASE("the matcher counts its steps and knows plain patterns") {
  std::size_t steps = 0;
  const std::string subject(50, 'a');
  PatternMatcher matcher(subject, ".-.-b", [&](std::size_t count) { steps += count; });
  CHECK_FALSE(matcher.find(0));
  CHECK(steps > 50 * 50 / 2);
  CHECK(PatternMatcher::is_plain("hello, world"));
  CHECK_FALSE(PatternMatcher::is_plain("50%"));
}
