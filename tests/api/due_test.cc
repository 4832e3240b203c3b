// Actions that the server takes by itself, as the author of one meets them: in check, in specs, in a running server.
#include "desk.h"
#include "own_files.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;

constexpr const char* nag =
    "return action \"nag\" {\n  from = \"Open*\",\n  due = 'DueDate < @Now && Name == \"mine\"',\n  raises = "
    "\"Nagged\",\n}\n";

constexpr const char* spec = R"lua(
describe("nagging", function()
  it("is undone while the record is due still", function(desk)
    local call = desk:call { State = 1, Name = "mine", DueDate = "2026-11-30T09:00:00Z" }
    local rows = #call:history()
    expect(function() desk:run_due() end):fails "nag of call 209 was due and failed: the record is still due after nag"
    expect(#call:history()):equals(rows)
    expect(call).never:raised "Nagged"
    desk:run_due()                                        -- left alone
    desk:advance "10m"
    expect(function() desk:run_due() end):fails "is still due"
  end)
end)
)lua";

}  // namespace

TEST_CASE("an action that cannot end what makes it due is told by check, and fails a spec of it") {
  const OwnFiles own;
  own.write("scripts/call/actions/nag.lua", nag);
  const TemporaryFolder data;
  const Finished checked = own.run({"check"}, data.path());
  CHECK(checked.exit_status == 0);
  CHECK_THAT(checked.output,
             Contains("nag.lua:3: warning: action 'nag' of call does nothing that ends 'due', and would be undone each "
                      "time\n      due = 'DueDate < @Now && Name == \"mine\"',\n      ^~~\n"));
  own.write("scripts/call/spec/nag_spec.lua", spec);
  const Finished tested = own.run({"test", "--filter", "undone due still"}, data.path());
  INFO(tested.output);
  CHECK(tested.exit_status == 0);
}

TEST_CASE("metrics tell of every action that is due") {
  const OwnFiles own;
  const Desk desk(own.settings());
  const std::string text = desk.server().send("GET", "/metrics").body;
  for (const char* line : {"callisto_due_actions_total{entity=\"call\",action=\"start-clock\",outcome=\"done\"} ",
                           "callisto_due_actions_total{entity=\"call\",action=\"start-clock\",outcome=\"undone\"} 0\n",
                           "callisto_due_records{entity=\"call\",action=\"start-clock\"} ",
                           "callisto_due_records_left_alone{entity=\"call\",action=\"start-clock\"} 0\n",
                           "callisto_due_lag_seconds{entity=\"call\",action=\"start-clock\"} "})
    CHECK_THAT(text, Contains(line));
}
