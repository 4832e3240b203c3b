// A site's folder beside the product's: hooks that run behind the product's, and files that add to actions, states and
// conditions. What an administrator sees: specs, `check`, `describe`, metadata, a reload.
#include "desk.h"
#include "server_process.h"
#include "tests/support/paths.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace callisto::tests {
namespace {

namespace fs = std::filesystem;

std::string product(const char* name) { return test::source_folder() + "/" + name; }

using Catch::Matchers::Contains;

class SiteFolder {
 public:
  SiteFolder() {
    write("entities/call+cost-centre.lua", R"(return add_to "call" {
      properties = { text "CostCentre" { length = 20, description = "Who pays." }, text "Seen" { length = 200 } },
    })");
  }
  SiteFolder& write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text;
    return *this;
  }
  std::string path(const std::string& name) const { return folder_ / name; }
  std::vector<std::string> settings(const std::string& scripts = product("scripts")) const {
    fs::create_directories(folder_ / "scripts");
    return {"--set", "entities=" + product("entities") + "," + path("entities"), "--set",
            "scripts=" + scripts + "," + path("scripts")};
  }
  // The output without the folder's name.
  Finished run(std::vector<std::string> arguments, const std::string& scripts = product("scripts")) const {
    for (const std::string& each : settings(scripts)) arguments.push_back(each);
    Finished finished = run_program(arguments);
    for (const std::string& folder : {folder_.path() + "/", product("")})
      for (std::size_t at; (at = finished.output.find(folder)) != std::string::npos;)
        finished.output.erase(at, folder.size());
    return finished;
  }
  // All of the specs in this text hold.
  void holds(const std::string& specs, const std::string& scripts = product("scripts")) {
    write("specs/site_spec.lua", specs);
    const Finished finished = run({"test", path("specs")}, scripts);
    INFO(finished.output);
    CHECK(finished.exit_status == 0);
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_CASE("a site's hooks.lua with one function keeps the product's priorities, due dates, numbers and history") {
  SiteFolder site;
  site.write("scripts/call/hooks.lua", R"(return hooks {
    before_create = function(call) call.Seen = call.CallRef .. " " .. tostring(call.Priority) end,
  })");
  site.holds(R"lua(
    it("runs behind the product's", function(desk)
      local call = desk:create("incident", { ShortDescription = "Printer", Impact = 1, Urgency = 1 })
      expect(call.Priority):equals(1)
      expect(call.DueDate).never:is_nil()
      expect(call.Seen):equals(call.CallRef .. " 1")
      expect(#call:history()):equals(1)
      call:update { Urgency = 2 }
      expect(call.Priority):equals(2)
    end)
  )lua");
  CHECK(site.run({"check"}).output.find("no problem found") != std::string::npos);
}

TEST_CASE(
    "hooks of common, parent and child, of the product and of the site, run in that order; a refusal undoes all") {
  SiteFolder site;
  const auto seen = [](const char* who) {
    return std::string("return hooks { before_update = function(call) call.Seen = (call.Seen or '') .. '") + who +
           "' end }";
  };
  site.write("more/common/hooks.lua",
             "return hooks { before_update = function(record) if record.RecordType == 'incident' then record.Seen = "
             "'A' end end }")
      .write("more/call/hooks.lua", seen("B"))
      .write("more/incident/hooks.lua", seen("D"))
      .write("scripts/call/hooks.lua", seen("C"))
      .write("scripts/incident/hooks.lua", R"(return hooks {
        before_update = function(call) call.Seen = call.Seen .. 'E' end,
        after_update = function(call) if call.ShortDescription == "No" then reject "Not here." end end,
        history = function() local row = earlier() row.Description = "of the site" return row end,
      })");
  const std::string scripts = product("scripts") + "," + site.path("more");
  site.holds(R"lua(
    it("runs all, in order", function(desk)
      local call = desk:create("incident", { ShortDescription = "Printer" })
      call:update { ShortDescription = "Plotter" }
      expect(call.Seen):equals "ABCDE"
      expect(call:history()[2]):has { Description = "of the site", Action = "update" }
      expect(desk:events()):contains "ActionAddedtoHistory"
      expect(call):refuses("update", { ShortDescription = "No" }, "Not here.")
      expect(call):has { ShortDescription = "Plotter", Seen = "ABCDE" }
      expect(#call:history()):equals(2)
    end)
    it("leaves the other children to theirs", function(desk)
      local call = desk:create("problem", { ShortDescription = "Printer" })
      call:update { ShortDescription = "Plotter" }
      expect(call.Seen):equals "BC"
    end)
  )lua",
             scripts);
}

TEST_CASE("hooks that replace the product's say what is lost, with its place") {
  SiteFolder site;
  site.write("scripts/call/hooks.lua", R"(return hooks {
    replaces = true,
    before_update = function(call) call.Seen = "alone" end,
  })");
  const Finished checked = site.run({"check"});
  INFO(checked.output);
  CHECK(checked.exit_status == 0);
  CHECK(checked.output.find("scripts/call/hooks.lua:2: warning: 'replaces' takes away 'before_update' of "
                            "scripts/call/hooks.lua:32") != std::string::npos);
  CHECK(checked.output.find("history") == std::string::npos);
  site.holds(R"lua(
    it("runs in place of the others, and of these alone", function(desk)
      local call = desk:create("incident", { ShortDescription = "Printer", Impact = 1, Urgency = 1 })
      call:update { Urgency = 2 }
      expect(call):has { Priority = 1, Seen = "alone" }
      expect(#call:history()):equals(2)
    end)
  )lua");
}

const char* const close_rule = R"(return add_to "close" {
  needs    = { "CostCentre" },
  optional = { text "Invoice" { length = 20, description = "Its number." } },
  offered  = "Priority.Rank != 4",
  allowed  = { User = false },
  raises   = { "Charged" },
  before   = function(call, input) if input.Invoice == "none" then reject "An invoice has a number." end end,
  after    = function(call, input) call.Seen = (input.Invoice or "no invoice") .. " " .. call.State end,
}
)";

const char* const close_specs = R"lua(
  it("needs a cost centre, given now or before", function(desk)
    local call = desk:call { State = 1 }
    expect(call):refuses("close", { Description = "Done." }, "CostCentre: is mandatory for close")
    call:close { Description = "Done.", CostCentre = "AT-1", Invoice = "77" }
    expect(call):has { State = 2, CostCentre = "AT-1", Seen = "77 2" }
    expect(call):raised "Closed"
    expect(call):raised "Charged"
    local other = desk:call { State = 1, CostCentre = "AT-2" }
    other:close { Description = "Done.", Resolved = false }
    expect(other):has { State = 5, Seen = "no invoice 5" }
  end)
  it("refuses as a part of the action, and leaves nothing behind", function(desk)
    local call = desk:call { State = 1, CostCentre = "AT-2" }
    expect(call):refuses("close", { Description = "Done.", Invoice = "none" }, "An invoice has a number.")
    expect(call.State):equals(1)
  end)
  it("is offered and allowed to fewer", function(desk)
    expect(desk:call { State = 1, Priority = 4 }):withholds "close"
    local call = desk:call { State = 1, User = desk:as("user").me }
    expect(call):offers "close"
    expect(call:as "user"):withholds "close"
  end)
  it("reaches children", function(desk)
    local call = desk:create("service-request", { ShortDescription = "Chair" })
    expect(call):refuses("close", { Description = "Done." }, "CostCentre: is mandatory for close")
  end)
)lua";

TEST_CASE("an addition to an action needs, offers, narrows, raises and runs") {
  SiteFolder site;
  site.write("scripts/call/actions/close+cost-centre.lua", close_rule);
  site.holds(close_specs);
  const Finished checked = site.run({"check"});
  INFO(checked.output);
  CHECK(checked.output.find("no problem found") != std::string::npos);
}

TEST_CASE("an action that gets one more rule by an upgrade brings it to a site that adds to it") {
  SiteFolder site;
  site.write("scripts/call/actions/close+cost-centre.lua", close_rule);
  const std::string upgraded = site.path("product");
  fs::copy(product("scripts"), upgraded, fs::copy_options::recursive);
  std::ifstream in(upgraded + "/call/actions/close.lua");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string run = "run = function(call, input)\n";
  REQUIRE(text.find(run) != std::string::npos);
  text.insert(text.find(run) + run.size(),
              "    if not call.Analyst then reject \"Nobody closes what is nobody's.\" end\n");
  std::ofstream(upgraded + "/call/actions/close.lua") << text;
  site.holds(R"lua(
    it("has the product's new rule and the site's own", function(desk)
      local call = desk:call { State = 1, Analyst = null, CostCentre = "AT-1" }
      expect(call):refuses("close", { Description = "Done." }, "Nobody closes what is nobody's.")
      call:forward { ReceivingAnalyst = desk.me }
      call:close { Description = "Done." }
      expect(call):has { State = 2, Seen = "no invoice 2" }
    end)
  )lua",
             upgraded);
}

TEST_CASE("states and groups are added, and what goes by groups knows them") {
  SiteFolder site;
  site.write("scripts/call/states+review.lua", R"(return add_to "states" {
    state "In review" { value = 10, group = "Open*", description = "Somebody else looks at it." },
    state "Open/Resolved" { group = "Quiet*" },
  })")
      .write("scripts/call/actions/review.lua", R"(return action "review" {
    from = "Open", moves_to = "In review",
  })")
      .write("scripts/call/actions/wake.lua", R"(return action "wake" {
    from = "Quiet*", moves_to = "Open",
  })")
      .write("scripts/call/actions/resolve+review.lua", R"(return add_to "resolve" {
    offered = '!@InState("*review")',
  })")
      .write("scripts/call/augmenters/IsAssignedToMe+review.lua", R"(return add_to "IsAssignedToMe" {
    also = 'Analyst != null && Analyst == @UserId && @InState("In review")',
    only = "Priority != 4",
  })");
  site.holds(R"lua(
    it("is open while it is reviewed", function(desk)
      local call = desk:call { State = 1, Analyst = desk.me, Priority = 2 }
      call:review()
      expect(call.State):equals(10)
      expect(#desk:search("call", "@IsOpen && Ref == " .. call.Ref)):equals(1)
      expect(#desk:search("incident", "@IsOpen && State == 10")):equals(0)
      expect(#desk:search("call", '@InState("In*") && Ref == ' .. call.Ref)):equals(1)
      expect(#desk:search("call", '!@InState("Open*") && Ref == ' .. call.Ref)):equals(0)
      expect(#desk:search("call", "@IsAssignedToMe && Ref == " .. call.Ref)):equals(1)
      expect(call):withholds "resolve"
      call:close { Description = "Done." }
      expect(call.State):equals(2)
    end)
    it("narrows a condition", function(desk)
      local call = desk:call { State = 1, Analyst = desk.me, Priority = 4 }
      expect(#desk:search("call", "@IsAssignedToMe && Ref == " .. call.Ref)):equals(0)
    end)
    it("has a state in a group more", function(desk)
      local call = desk:call { State = 3 }
      call:wake()
      expect(call.State):equals(1)
    end)
    it("names the states that there are", function(desk)
      expect(function() desk:search("call", '@InState("Opne*")') end):fails "did you mean 'Open*'?"
      expect(function() desk:search("person", '@InState("Open*")') end):fails "@InState"
    end)
  )lua");
  const Finished checked = site.run({"check"});
  INFO(checked.output);
  CHECK(checked.output.find("no problem found") != std::string::npos);
}

TEST_CASE("a child adds states to those that it inherits, and each kind of record means its own by a word") {
  SiteFolder site;
  site.write("entities/change-request.lua",
             R"(return entity "change-request" { extends = "call", description = "A change." })")
      .write("scripts/change-request/states+cab.lua", R"(return add_to "states" {
    state "Before the board" { value = 10, group = { "Open*", "Waiting*" } },
  })")
      .write("scripts/change-request/actions/propose.lua", R"(return action "propose" {
    from = "Open", moves_to = "Before the board",
  })");
  site.holds(R"lua(
    it("has the inherited actions and its own", function(desk)
      local change = desk:create("change-request", { ShortDescription = "New router" })
      change:propose()
      expect(change.State):equals(10)
      expect(#desk:search("change-request", "@IsOpen && Ref == " .. change.Ref)):equals(1)
      expect(#desk:search("call", "@IsOpen && Ref == " .. change.Ref)):equals(1)
      expect(#desk:search("call", '@InState("Waiting*") && Ref == ' .. change.Ref)):equals(1)
      change:close { Description = "Done." }
      expect(change.State):equals(2)
    end)
  )lua");
  // Of its own: one problem, which names this file.
  site.write("scripts/change-request/states.lua", R"(return states "State" {
    state "Planned" { value = 10, initial = true },
    state "Done" { value = 11 },
  })");
  fs::remove(site.path("scripts/change-request/states+cab.lua"));
  fs::remove(site.path("scripts/change-request/actions/propose.lua"));
  const Finished checked = site.run({"check"});
  INFO(checked.output);
  CHECK(checked.exit_status == 1);
  CHECK(checked.output.starts_with(
      "scripts/change-request/states.lua:1: 'change-request' has states of its own, without "));
  CHECK(checked.output.find("1 problem") != std::string::npos);
}

TEST_CASE("rights may be narrowed for reading, whoever wrote who may read") {
  SiteFolder site;
  site.write("scripts/call/actions/read+mine.lua",
             "return add_to \"read\" { allowed = { Analyst = \"Priority != 1\" } }");
  site.holds(R"lua(
    it("hides what the addition leaves out", function(desk)
      expect(#desk:search("call", "Priority == 1")):equals(0)
      expect(#desk:search("call", "Priority == 2") > 0):equals(true)
    end)
  )lua");
}

TEST_CASE(
    "code is added to a token, a function and to both forms of an extension; what the product says still counts") {
  SiteFolder site;
  site.write("scripts/common/augmenters/OrganizationId+guests.lua",
             R"(return add_to "OrganizationId" { after = function(value, session) return value or 3 end })");
  site.write("scripts/common/augmenters/MyGroup+night.lua", R"(local night = require "lib.night"
    return add_to "MyGroup" { after = function(value, n, session) return n == 99 and night.group or value end })");
  site.write("scripts/common/lib/night.lua", "return { group = 3 }");
  site.write("scripts/call/augmenters/AssignmentState+vip.lua", R"(return add_to "AssignmentState" {
    needs = { "Priority", "ShortDescription" },
    after = function(state, call) return state .. (call.Priority == 1 and "!" or "") .. #call.ShortDescription end })");
  site.write("scripts/call/augmenters/AssignmentState+zz.lua", R"(return add_to "AssignmentState" {
    after = function(state, call, session) return state .. session.user_id end })");
  site.write("scripts/call/augmenters/Words.lua", R"(return extension "Words" {
    returns = "Integer", needs = { "ShortDescription" }, value = function(call) return #call.ShortDescription end })");
  site.write("scripts/call/augmenters/Words+more.lua", R"(return add_to "Words" {
    after = function(words, call) return words + 1000 end })");
  Desk desk(site.settings());
  std::vector<std::string> refs;
  for (const char* body : {R"({"ShortDescription": "Printer"})", R"({"ShortDescription": "A lamp"})"})
    refs.push_back(desk.done("analyst", "POST", "incident", body)["Ref"]);
  const Query asked{{"$filter", "Ref in (" + refs[0] + ", " + refs[1] + ")"},
                    {"$orderby", "Ref"},
                    {"$select", "@Words,@AssignmentState"}};
  const Reply page = desk.get("analyst", "call", asked);
  INFO(page.raw);
  REQUIRE(page.status == 200);
  CHECK_THAT(page.raw, Contains(R"("Words":1007)") && Contains(R"("Words":1006)"));
  CHECK_THAT(page.raw, Contains("Unassigned7") && Contains("Unassigned6"));
  CHECK(desk.get("analyst", "group", {{"$filter", "Ref == @MyGroup(99)"}, {"$count", "true"}}).raw == "1");
  const Finished described = site.run({"describe", "call"});
  CHECK_THAT(described.output, Contains("added to by  [scripts/call/augmenters/AssignmentState+vip.lua:1, "
                                        "scripts/call/augmenters/AssignmentState+zz.lua:1]"));
}

TEST_CASE("code that is added may not keep anything beyond its call either") {
  SiteFolder site;
  site.write("scripts/common/augmenters/MyGroup+kept.lua", R"(local kept = 0
    return add_to "MyGroup" { after = function(value) kept = kept + 1 return value end })");
  Desk desk(site.settings());
  const Reply reply = desk.get("analyst", "call", {{"$filter", "Group == @MyGroup(1)"}});
  CHECK(reply.status == 500);
  CHECK_THAT(desk.get("admin", "script-failure", {{"$select", "Message"}}).raw,
             Contains("'kept' stands outside of the function and was changed"));
}

TEST_CASE("describe, metadata, OpenAPI and a reload know what is added, and where it stands") {
  SiteFolder site;
  site.write("scripts/call/actions/close+cost-centre.lua", close_rule);
  const Finished described = site.run({"describe", "call"});
  INFO(described.output);
  CHECK(described.output.find("offered: (!@IsLockedByOther) && (Priority.Rank != 4)") != std::string::npos);
  CHECK(described.output.find("CostCentre (mandatory while the record has none)") != std::string::npos);
  CHECK(described.output.find("added to by close+cost-centre: needs CostCentre, code before, code after  "
                              "[scripts/call/actions/close+cost-centre.lua:1]") != std::string::npos);
  const Finished matrix = site.run({"check", "--matrix", "call"});
  CHECK(matrix.output.find("close           .       .      A?") != std::string::npos);
  CHECK(matrix.output.find("reopen          .       .      .      A? U?") != std::string::npos);

  std::vector<std::string> arguments = site.settings();
  Desk desk(arguments);
  const std::string ref =
      desk.refs("analyst", "incident", {{"$filter", "State == 1 && Priority != 4"}, {"$top", "1"}}).at(0);
  const auto required = [&](const std::string& path) {
    const Reply reply = desk.get("admin", path);
    REQUIRE(reply.status == 200);
    for (const json::Node& each : reply.body.find("properties")->items())
      if (text_of(each, "name") == "CostCentre") return text_of(each, "required") + text_of(each, "requiredInRecord");
    return std::string("none");
  };
  CHECK(required("incident/$close") == "falsetrue");
  CHECK(required("incident/" + ref + "/close/$options") == "truetrue");
  CHECK(desk.get("admin", "incident/$close").raw.find("close+cost-centre.lua:1") != std::string::npos);
  CHECK(desk.done("analyst", "PUT", "incident/" + ref, R"({"CostCentre": "AT-1"})")["CostCentre"] == "AT-1");
  CHECK(required("incident/" + ref + "/close/$options") == "falsetrue");
}

}  // namespace
}  // namespace callisto::tests
