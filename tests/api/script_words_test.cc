// The words of rules and specs as an administrator meets them: files of a folder beside the product's, run by
// `callisto test` and told by `callisto check`.
#include "server_process.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <memory>

namespace callisto::tests {
namespace {

using Catch::Contains;

class SiteFolder {
 public:
  SiteFolder& write(const std::string& name, std::string_view text) {
    const std::filesystem::path path(*folder_ / name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return *this;
  }
  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--set", "scripts=scripts," + folder_->path()});
    return run_program(arguments);
  }
  Finished test() const { return run({"test", folder_->path()}); }

 private:
  std::shared_ptr<test::TemporaryFolder> folder_ = std::make_shared<test::TemporaryFolder>();
};

// An action whose code is what is to be tried, on a call; and a spec that does it.
SiteFolder trying(const std::string& code, const std::string& spec) {
  SiteFolder site;
  site.write("call/actions/try.lua",
             "return action \"try\" { run = function(call, input, session)\n" + code + "\nend }\n");
  site.write("call/spec/try_spec.lua", "it(\"tries\", function(desk)\n" + spec + "\nend)\n");
  return site;
}

void check_passes(const SiteFolder& site) {
  const Finished finished = site.test();
  INFO(finished.output);
  CHECK(finished.exit_status == 0);
}

}  // namespace

TEST_CASE("a rule asks for records in the language of $filter, of history too") {
  check_passes(trying(R"lua(
    local found = {
      history = #desk.search("call-history", "TicketId == ?", call),
      old_form = #desk.search("call-history", { TicketId = call.Ref }),
      counted = desk.count("call-history", "TicketId == ? && Action == \"create\"", call),
      row = desk.find("call-history", call.Ref, 1).Action,
      last = desk.first("call-history", "TicketId == ?", call.Ref, { orderby = "Order desc" }).Order,
      below = desk.count("call", "Ref == ? && history.Any(Action == ?)", call, "create"),
      several = #desk.search("call-state", "Ref in (?)", { 0, 1, 77 }, { orderby = "Ref desc" }),
      none = #desk.search("call", "State in (?)", {}),
      by_null = desk.count("call", "Ref == ? && Solution == ?", call, nil),
      by_moment = desk.count("call", "Ref == ? && LoggedDate <= ?", call, datetime.now()),
      by_text = desk.count("call", "ShortDescription == ?", "it's \"quoted\" ? && 1 == 1"),
      missing = desk.find("call-history", call.Ref, 99) == nil,
    }
    reject(json.encode(found))
  )lua",
                      R"lua(
    local call = desk:create("call", { ShortDescription = 'it\'s "quoted" ? && 1 == 1' })
    expect(call):refuses("try", '{"below":1,"by_moment":1,"by_null":1,"by_text":1,"counted":1,"history":1,"last":1,'
      .. '"missing":true,"none":0,"old_form":1,"row":"create","several":2}')
  )lua"));
}

TEST_CASE("a rule's search tells of more than a thousand records, and of a filter that does not fit") {
  check_passes(trying(R"lua(desk.search("call-history"))lua", R"lua(
    for i = 1, 500 do desk:create("call", { ShortDescription = "x" }) end
    expect(function() desk:call({ State = 1 }):try() end):fails "more than 1000 records of 'call-history' satisfy this"
  )lua"));
  check_passes(
      trying(R"lua(local filter = "Stat == ?" desk.search("call", filter, 1))lua",
             R"lua(expect(function() desk:call({ State = 1 }):try() end):fails "'Stat' is no property of call")lua"));
}

TEST_CASE("specs ask with the same words, by the eyes of their account") {
  SiteFolder site;
  site.write("call/spec/words_spec.lua", R"lua(
    it("asks", function(desk)
      local call = desk:create("call", { ShortDescription = "Only here" })
      expect(#desk.search("call", "ShortDescription == ?", "Only here")):equals(1)
      expect(#desk:search("call", "ShortDescription == ?", "Only here")):equals(1)
      expect(desk.first("call", "ShortDescription == ?", "only HERE")):equals(call)
      expect(desk.count("call", "Ref == ? && State in (?)", call, { 0, 1 })):equals(1)
      expect(desk.find("call", call.Ref)):equals(call)
      expect(desk.find("call-history", call.Ref, 1)):has { Action = "create" }
      expect(desk.search("call-history", { TicketId = call.Ref })[1]):has { Order = 1 }
      expect(desk:as("user").count("call", "Ref == ?", call.Ref)):equals(0)
      expect(desk.create("call", { ShortDescription = "y" }).ShortDescription):equals "y"
      local two = desk.search("call", "State == 1", { orderby = "Ref desc", top = 2 })
      expect(#two):equals(2)
      expect(two[1].Ref > two[2].Ref):is_true()
      expect(function() desk.search("call", "State == ?") end):fails "has 1 '?', and 0 values are given"
      expect(function() desk.search("call", "Stat == 1") end):fails "did you mean 'State'?"
      expect(function() desk.search("call", "", { tpo = 1 }) end):fails "a search has no option 'tpo'"
    end)
  )lua");
  check_passes(site);
}

TEST_CASE("a spec requires what the scripts of its folder do") {
  SiteFolder site;
  site.write("call/lib/words.lua", "return { greeting = \"hello\" }");
  site.write("call/spec/words_spec.lua", R"lua(
    local words = require "lib.words"
    it("has them", function() expect(words.greeting):equals "hello" end)
    it("has those of common", function() expect(require "lib.receiver" ~= nil):is_true() end)
  )lua");
  check_passes(site);
}

TEST_CASE("an extension that fails in a spec says of what") {
  SiteFolder site;
  site.write("call/augmenters/Odd.lua",
             "return extension \"Odd\" { returns = \"Text\", needs = { \"Ref\" }, value = function(call) return "
             "call.Ref.Name end }");
  site.write("call/spec/odd_spec.lua",
             "it(\"x\", function(desk) expect(desk:call { State = 1 }[\"@Odd\"]):equals \"x\" end)");
  const Finished finished = site.test();
  CHECK(finished.exit_status == 1);
  CHECK_THAT(finished.output, Contains("@Odd") && Contains("a number has no 'Name'"));
}

TEST_CASE("a call that keeps something outside of its function fails") {
  SiteFolder site;
  site.write("call/actions/try.lua",
             "local seen = {}\nreturn action \"try\" { run = function(call) seen[#seen + 1] = call.Ref end }\n");
  site.write("call/spec/try_spec.lua", R"lua(it("x", function(desk)
    expect(function() desk:call({ State = 1 }):try() end):fails "'seen' stands outside of the function and was changed" end))lua");
  check_passes(site);
}

TEST_CASE("the example of 'Checking a desk' is right once its word is mended") {
  SiteFolder site;
  site.write("call/actions/escalate.lua", R"lua(return action "escalate" {
  offered = "Priority.Rank > 1",
  run = function(call) call.Priority = call.Priority - 1 end,
})lua");
  const Finished finished = site.run({"check"});
  INFO(finished.output);
  CHECK(finished.exit_status == 0);
}

TEST_CASE("callisto check tells editors and build servers in their formats") {
  SiteFolder site;
  site.write("call/actions/try.lua", "return action \"try\" {\n  ofered = \"State == 1\",\n}\n");
  const Finished github = site.run({"check", "--format", "github"});
  CHECK(github.exit_status == 1);
  CHECK_THAT(github.output, Contains("::error file=") &&
                                Contains("line=2,col=3,title=callisto check::unknown option 'ofered'") &&
                                Contains("did you mean 'offered'?"));
  const Finished sarif = site.run({"check", "--format", "sarif"});
  const auto document = json::parse(sarif.output, {64, 100'000});
  REQUIRE(document);
  const json::Node& result = document->find("runs")->items().front().find("results")->items().front();
  CHECK(result.find("level")->text() == "error");
  const json::Node* place = result.find("locations")->items().front().find("physicalLocation");
  CHECK_THAT(place->find("artifactLocation")->find("uri")->text(), Catch::EndsWith("call/actions/try.lua"));
  CHECK(place->find("region")->find("startLine")->text() == "2");
  CHECK(place->find("region")->find("endColumn")->text() == "9");
  CHECK(site.run({"check", "--format", "json"}).output == site.run({"check", "--json"}).output);
  CHECK(site.run({"check", "--format", "xml"}).exit_status == 2);
}

}  // namespace callisto::tests
