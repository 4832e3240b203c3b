#include "engine/script/state.h"

#include <catch2/catch.hpp>

#include "engine/script/load/define.h"

using namespace callisto;
using namespace callisto::script;
using catalog::Augmenter;
using Catch::Contains;

namespace {

class CountingRandom final : public Random {
 public:
  std::string bytes(std::size_t count) override { return std::string(count, static_cast<char>(++calls_)); }

 private:
  int calls_ = 0;
};

// Counts how often it is asked.
class FakeFacts final : public SessionFacts {
 public:
  Person properties;
  List only;  // every list
  std::optional<Error> failure;
  mutable int asked = 0;

  Result<const Person*> person() const override { return answer(&properties); }
  Result<const List*> list(std::size_t) const override { return answer(&only); }
  bool may(std::string_view right) const override { return right == "Integration"; }

 private:
  template <typename T>
  Result<const T*> answer(const T* found) const {
    ++asked;
    if (failure) return *failure;
    return found;
  }
};

// A State over the augmenters that a test writes down.
class Desk {
 public:
  Desk& add(const std::string& name, const std::string& text) {
    Source source{"scripts/common/augmenters/" + name + ".lua", text};
    DefinedFile file = define(source, FileKind::Augmenter, name);
    for (const catalog::Problem& problem : file.problems) FAIL(to_string(problem));
    Augmenter augmenter = std::get<catalog::AugmenterDefinition>(file.definition).augmenter;
    augmenter.script = program_->add(source, file.functions);
    augmenters_[name] = augmenter;
    return *this;
  }

  Desk& add_list(const std::string& name) {
    program_->session_lists.push_back({name, "member", "", "Group", {}});
    return *this;
  }

  // Little is eaten before the time is over, on a machine of slow memory too.
  void give_little_memory() { memory_mib_ = 4; }

  State& state() {
    if (!state_) {
      auto made = State::create(program_, {.time_ms = 50, .memory_mib = memory_mib_}, clock_, random_);
      REQUIRE(made);
      state_ = *std::move(made);
    }
    return *state_;
  }

  Result<Value> call(const std::string& name, const std::vector<Value>& arguments = {}) {
    return state().call(augmenters_.at(name), arguments, session);
  }

  Result<std::vector<Value>> extend(const std::string& name, const std::vector<std::vector<Value>>& rows) {
    Rows flat{rows.size(), {}};
    for (const auto& row : rows) flat.values.insert(flat.values.end(), row.begin(), row.end());
    CALLISTO_TRY(const Answers answers, state().extend(augmenters_.at(name), flat, session));
    distinct = answers.values.size();
    std::vector<Value> values;
    for (const std::uint32_t place : answers.places) values.push_back(answers.values.at(place));
    return values;
  }

  std::size_t distinct = 0;  // of the answers of the last extend()
  FakeFacts session;

 private:
  int memory_mib_ = 32;
  SystemClock clock_;
  CountingRandom random_;
  std::shared_ptr<Program> program_ = std::make_shared<Program>();
  std::map<std::string, Augmenter> augmenters_;
  std::unique_ptr<State> state_;
};

Desk desk_with(const std::string& returns, const std::string& body) {
  Desk desk;
  desk.add("X", "return token \"X\" { returns = \"" + returns + "\", value = function(session)\n" + body + "\nend }");
  return desk;
}

Value whole(std::int64_t value) { return Value(value); }
Value text(std::string value) { return Value(std::move(value)); }

}  // namespace

TEST_CASE("a token reads the session") {
  Desk desk;
  desk.add("Me", "return token \"Me\" { returns = \"Integer\", value = function(session) return session.user_id end }");
  desk.add("Kind", "return token \"Kind\" { returns = \"Text\", value = function(session) return session.type end }");
  desk.add(
      "Home",
      "return token \"Home\" { returns = \"Integer\", value = function(s) return s.person and s.person.Home end }");
  CHECK(*desk.call("Me") == Value(Null{}));
  CHECK(*desk.call("Home") == Value(Null{}));
  desk.session.user_id = std::int64_t{7};
  desk.session.type = "Analyst";
  desk.session.properties = {{"Home", whole(3)}};
  CHECK(*desk.call("Me") == whole(7));
  CHECK(*desk.call("Kind") == text("Analyst"));
  CHECK(*desk.call("Home") == whole(3));
}

TEST_CASE("a session's lists are read by name, empty where nobody gave them") {
  Desk desk;
  desk.add_list("groups");
  desk.add("Sum", R"(return token "Sum" { returns = "Integer", value = function(session)
    local sum = 0
    for _, group in ipairs(session.groups) do sum = sum + group end
    return sum + #session.groups
  end })");
  desk.add("Typo",
           "return token \"Typo\" { returns = \"Integer\", value = function(session) return #session.grops end }");
  CHECK(*desk.call("Sum") == whole(0));
  desk.session.only = {whole(4), whole(5)};
  CHECK(*desk.call("Sum") == whole(11));
  CHECK_THAT(desk.call("Typo").error().log_detail, Contains("the session has no 'grops'; did you mean 'groups'?"));
}

TEST_CASE("a session's person and lists are asked for by what reads them, and by nothing else") {
  Desk desk;
  desk.add_list("groups");
  const auto token = [&](const std::string& name, const std::string& value) {
    desk.add(name,
             "return token \"" + name + "\" { returns = \"Integer\", value = function(s) return " + value + " end }");
  };
  token("Me", "s.user_id");
  token("Home", "s.person.Home");
  token("Groups", "#s.groups + #s.groups");
  token("Caught", "pcall(function() return s.person.Home end) and 1 or 2");
  desk.session.user_id = std::int64_t{7};
  CHECK(*desk.call("Me") == whole(7));
  CHECK(desk.session.asked == 0);
  CHECK(*desk.call("Home") == Value(Null{}));
  CHECK(desk.session.asked == 1);
  CHECK(*desk.call("Groups") == whole(0));
  CHECK(desk.session.asked == 2);
  // What cannot be read ends the call, and the answer is the database's own error.
  desk.session.failure = internal("disk I/O error");
  CHECK(*desk.call("Me") == whole(7));
  for (const char* name : {"Home", "Groups", "Caught"}) {
    INFO(name);
    const auto failed = desk.call(name);
    REQUIRE_FALSE(failed);
    CHECK(failed.error().log_detail == "disk I/O error");
  }
}

TEST_CASE("a function gets its arguments and then the session") {
  Desk desk;
  desk.session.type = "User";
  desk.add("Join", R"(return func "Join" { returns = "Text", parameters = { text "a", integer "b" },
    value = function(a, b, session) return a .. b .. session.type end })");
  CHECK(*desk.call("Join", {text("x"), whole(2)}) == text("x2User"));
}

TEST_CASE("a word that names a library and a type is both") {
  Desk desk;
  desk.add("IsPast", R"(return func "IsPast" { returns = "Boolean", parameters = { datetime "moment" },
    value = function(moment) return moment < datetime.now() end })");
  auto past = desk.call("IsPast", {Value(DateTime{1773558300123})});
  INFO((past ? std::string() : past.error().log_detail));
  REQUIRE(past);
  CHECK(*past == Value(true));
}

TEST_CASE("values travel without loss, whatever their size") {
  for (const Value& value : {Value(Null{}), Value(true), whole(5), whole(-9007199254740991), whole(9007199254740993),
                             whole(INT64_MIN), Value(2.5), text("grün"), Value(DateTime{1773558300123})}) {
    Desk desk;
    const char* returns = std::holds_alternative<bool>(value)          ? "Boolean"
                          : std::holds_alternative<double>(value)      ? "Double"
                          : std::holds_alternative<std::string>(value) ? "Text"
                          : std::holds_alternative<DateTime>(value)    ? "DateTime"
                                                                       : "Long";
    desk.add("Same", std::string("return func \"Same\" { returns = \"") + returns +
                         "\", parameters = { text \"v\" }, value = function(v) return v end }");
    auto result = desk.call("Same", {value});
    INFO((result ? std::string() : result.error().log_detail));
    REQUIRE(result);
    CHECK(*result == value);
  }
  Desk desk;
  desk.add("Cost",
           "return func \"Cost\" { returns = \"Decimal\", parameters = { decimal \"v\" }, value = function(v) return v "
           "end }");
  desk.add("Bytes",
           "return func \"Bytes\" { returns = \"Binary\", parameters = { binary \"v\" }, value = function(v) return v "
           "end }");
  CHECK(*desk.call("Cost", {Value(Decimal{123456789012345678, 2})}) == Value(Decimal{123456789012345678, 2}));
  CHECK(*desk.call("Cost", {Value(1.25)}) == Value(Decimal{125, 2}));
  CHECK(*desk.call("Bytes", {Value(Binary{std::string("a\0b", 3)})}) == Value(Binary{std::string("a\0b", 3)}));
}

TEST_CASE("exact numbers compare and print by their value") {
  Desk desk;
  desk.add("Show",
           R"(return func "Show" { returns = "Text", parameters = { decimal "a", decimal "b" }, value = function(a, b)
    return tostring(a) .. (a < b and ' < ' or a == b and ' = ' or ' > ') .. b
  end })");
  CHECK(*desk.call("Show", {Value(Decimal{-5, 2}), Value(Decimal{1, 0})}) == text("-0.05 < 1"));
  CHECK(*desk.call("Show", {Value(Decimal{150, 2}), Value(Decimal{15, 1})}) == text("1.50 = 1.5"));
  CHECK(*desk.call("Show", {Value(Decimal{12, 0}), whole(INT64_MAX)}) == text("12 < 9223372036854775807"));
  CHECK_THAT(desk.call("Show", {Value(DateTime{0}), Value(Decimal{1, 0})}).error().log_detail,
             Contains("a DateTime cannot be compared with a Decimal"));
}

TEST_CASE("a result that is not what 'returns' promises is a script's failure") {
  struct Case {
    const char* returns;
    const char* body;
    const char* found;
  };
  for (const Case& each : {Case{"Integer", "return 'abc'", "the text 'abc'"}, Case{"Integer", "return 1.5", "1.5"},
                           Case{"Integer", "return 3e9", "3000000000"}, Case{"Short", "return 40000", "40000"},
                           Case{"Text", "return {}", "a table"}, Case{"Boolean", "return 1", "1"},
                           Case{"Double", "return 1/0", "inf"}, Case{"DateTime", "return '2026-01-01'", "the text"},
                           Case{"Long", "return 2^60", "returned"}, Case{"Text", "return '\\255'", "the text"}}) {
    Desk desk = desk_with(each.returns, each.body);
    auto result = desk.call("X");
    REQUIRE_FALSE(result);
    CHECK(result.error().status == 500);
    CHECK(result.error().type == "ScriptException");
    CHECK_THAT(result.error().log_detail,
               Contains("@X (scripts/common/augmenters/X.lua:1)") && Contains(each.found) && Contains(each.returns));
  }
}

TEST_CASE("a failure tells the log everything and the client a reference") {
  Desk desk = desk_with("Integer", "local x\nreturn x.y");
  Error error = desk.call("X").error();
  CHECK(error.status == 500);
  CHECK_THAT(error.message, Contains("01010101"));
  CHECK_THAT(error.message, !Contains("lua"));
  CHECK_THAT(error.log_detail, Contains("X.lua:3: attempt to index local 'x'") && Contains("stack traceback"));
  CHECK_THAT(desk.call("X").error().message, Contains("02020202"));
}

TEST_CASE("reject is the client's error with the script's text") {
  Desk desk = desk_with("Integer", "reject('needs a date')");
  Error error = desk.call("X").error();
  CHECK(error.status == 400);
  CHECK(error.message == "needs a date");
}

TEST_CASE("a state that ran out of time or memory serves the next call") {
  Desk desk;
  desk.give_little_memory();
  desk.add("Loop", "return token \"Loop\" { returns = \"Integer\", value = function() while true do end end }");
  desk.add("Eat",
           "return token \"Eat\" { returns = \"Integer\", value = function() local s = 'x' while true do s = s .. s "
           "end end }");
  desk.add("One", "return token \"One\" { returns = \"Integer\", value = function() return 1 end }");
  CHECK_THAT(desk.call("Loop").error().log_detail, Contains("ran longer than 50 ms"));
  CHECK(*desk.call("One") == whole(1));
  CHECK_THAT(desk.call("Eat").error().log_detail, Contains("not enough memory"));
  CHECK(*desk.call("One") == whole(1));
}

TEST_CASE("what a file and a call make of constants and their own locals is theirs") {
  Desk desk;
  desk.add("Fine",
           "local days, nan = { 'Mon', 'Tue', at = { 1, 2 } }, 0 / 0 local function of(n) return days.at[n] end "
           "return token \"Fine\" { returns = \"Integer\", value = function() "
           "local sum, mine = 0, {} for i = 1, 2 do mine[i] = of(i) sum = sum + mine[i] end "
           "table.insert(mine, #days) return sum + #mine + (nan ~= nan and 1 or 0) end }");
  for (int round = 0; round < 3; ++round) CHECK(*desk.call("Fine") == Value(std::int64_t{7}));
}

TEST_CASE("a script asks what the session may, by the rights that there are") {
  Desk desk;
  const auto token = [&](const std::string& name, const std::string& code) {
    desk.add(name, "return token \"" + name + "\" { returns = \"Boolean\", value = function(session) return " + code +
                       " end }");
  };
  token("A", "session:may \"Administration\"");
  token("I", "session:may \"Integration\"");
  token("Wrong", "session:may \"Administrator\"");
  token("Dot", "session.may \"Administration\"");
  CHECK(*desk.call("A") == Value(false));
  CHECK(*desk.call("I") == Value(true));
  CHECK_THAT(desk.call("Wrong").error().log_detail,
             Contains("there is no right 'Administrator'; did you mean 'Administration'?"));
  CHECK_THAT(desk.call("Dot").error().log_detail, Contains("write session:may \"Administration\""));
}

TEST_CASE("an extension reads what it needs of each record") {
  Desk desk;
  desk.session.user_id = std::int64_t{2};
  const std::string head = "return extension \"X\" { returns = \"Text\", needs = { \"Analyst\", \"Service.Name\" }, ";
  const std::vector<std::vector<Value>> rows = {
      {whole(2), text("Mail")}, {Value(Null{}), text("Web")}, {whole(3), Value(Null{})}};
  SECTION("one by one") {
    desk.add("X", head + R"(value = function(record, session)
      if record.Analyst == nil then return nil end
      return (record.Analyst == session.user_id and "mine " or "other ") .. (record["Service.Name"] or "none")
    end })");
  }
  SECTION("a page at once") {
    desk.add("X", head + R"(values = function(records, session)
      local result = {}
      for i, record in ipairs(records) do
        if record.Analyst then
          result[i] = (record.Analyst == session.user_id and "mine " or "other ") .. (record["Service.Name"] or "none")
        else
          result[i] = null
        end
      end
      return result
    end })");
  }
  auto values = desk.extend("X", rows);
  REQUIRE(values);
  CHECK(*values == std::vector<Value>{text("mine Mail"), Value(Null{}), text("other none")});
  CHECK(desk.extend("X", {})->empty());
}

TEST_CASE("a text that comes again is taken from a list once, other values each for themselves") {
  Desk desk;
  desk.add("X", R"(return extension "X" { returns = "Text", needs = { "Analyst" }, values = function(all)
    local texts = {}
    for i, each in ipairs(all) do texts[i] = each.Analyst == 9 and null or "team " .. each.Analyst % 3 end
    return texts
  end })");
  std::vector<std::vector<Value>> rows;
  std::vector<Value> expected;
  for (int i = 0; i < 60; ++i) {
    rows.push_back({whole(i)});
    expected.push_back(i == 9 ? Value(Null{}) : text("team " + std::to_string(i % 3)));
  }
  const auto values = desk.extend("X", rows);
  REQUIRE(values);
  CHECK(*values == expected);
  CHECK(desk.distinct < rows.size());
}

TEST_CASE("a list of values that is too short, has a hole or is too long is the extension's failure") {
  const auto failure_of = [](const std::string& list) {
    Desk desk;
    desk.add("X",
             "return extension \"X\" { returns = \"Text\", needs = { \"Analyst\" },\n values = function() return " +
                 list + " end }");
    const auto answer = desk.extend("X", {{whole(1)}, {whole(2)}, {whole(3)}});
    return answer ? std::string() : answer.error().log_detail;
  };
  CHECK(failure_of("{ 'a', null, 'c' }").empty());
  const std::string nothing = "'values' returned nothing for record ", remedy = " of 3: write null if it has no value";
  CHECK_THAT(failure_of("{ 'a', 'b' }"), Contains(nothing + "3" + remedy));
  CHECK_THAT(failure_of("{ 'a', nil, 'c' }"), Contains(nothing + "2" + remedy));
  CHECK_THAT(failure_of("{ 'a', 'b', 'c', 'd' }"), Contains("'values' returned more than the 3 that were asked for"));
}

TEST_CASE("a record gives only what 'needs' lists, to the call that it belongs to") {
  Desk desk;
  desk.add("X", R"(local kept
    return extension "X" { returns = "Text", needs = { "Analyst" }, value = function(record)
      if record.Analyst == 2 then kept = record end
      return tostring(record.Analyst)
    end })");
  desk.add("Y",
           "return extension \"Y\" { returns = \"Text\", needs = { \"Analyst\" }, value = function(r) return r.Analist "
           "end }");
  desk.add(
      "Z",
      "return extension \"Z\" { returns = \"Text\", needs = { \"Analyst\" }, value = function(r) r.Analyst = 1 end }");
  desk.add("L", "return extension \"L\" { returns = \"Text\", needs = {}, values = function(r) return 5 end }");
  CHECK(*desk.extend("X", {{whole(1)}}) == std::vector<Value>{text("1")});
  CHECK_THAT(desk.extend("X", {{whole(2)}}).error().log_detail,
             Contains("'kept' stands outside of the function and was changed"));
  CHECK_THAT(desk.extend("Y", {{whole(1)}}).error().log_detail,
             Contains("'needs' does not list 'Analist'; did you mean 'Analyst'?"));
  CHECK_THAT(desk.extend("Z", {{whole(1)}}).error().log_detail, Contains("an augmenter only reads"));
  CHECK_THAT(desk.extend("L", {{}}).error().log_detail, Contains("'values' returned 5"));
  desk.add("R", "return extension \"R\" { returns = \"Text\", needs = {}, value = function(r) return r end }");
  desk.add("N", "return extension \"N\" { returns = \"Text\", needs = {}, value = function() return null.Name end }");
  desk.add("W", "return extension \"W\" { returns = \"Text\", needs = {}, value = function() null.Name = 1 end }");
  CHECK_THAT(desk.extend("R", {{}}).error().log_detail,
             Contains("returned a record where its 'returns' promises Text"));
  CHECK_THAT(desk.extend("N", {{}}).error().log_detail, Contains("attempt to index null"));
  CHECK_THAT(desk.extend("W", {{}}).error().log_detail, Contains("attempt to index null"));
}
