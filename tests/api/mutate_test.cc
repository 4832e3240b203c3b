// callisto test --mutate: which rules could break without a spec that notices.
#include "own_files.h"

#include <catch2/catch.hpp>
#include "tests/support/paths.h"

namespace {

using namespace callisto::tests;
using Catch::Matchers::Contains;

const char* const rule = R"(return action "charge" {
  from = "Open*",
  run = function(call) if call.Priority == 1 then call.ShortDescription = "Urgent" end end,
}
)";

const char* const spec = R"lua(describe("charging", function()
  it("marks what is urgent", function(desk)
    expect(desk:call { State = 1, Priority = 1 }:charge()):has { ShortDescription = "Urgent" }
    expect(desk:call { State = 1, Priority = 2, ShortDescription = "Chair" }:charge()):has { ShortDescription = "Chair" }
  end)
end)
)lua";

Finished mutate(const OwnFiles& site, const std::string& rules) {
  const TemporaryFolder data;
  return site.run({"test", site.folder() + "/scripts", "--mutate", "--rules", rules}, data.path());
}

}  // namespace

TEST_CASE("a rule that no spec holds is told with its line, and what a spec holds is not") {
  OwnFiles site;
  site.write("scripts/call/actions/charge.lua", rule).write("scripts/call/spec/charge_spec.lua", spec);
  const Finished done = mutate(site, site.folder() + "/scripts");
  INFO(done.output);
  CHECK(done.exit_status == 0);
  CHECK_THAT(done.output, Contains("charge.lua:2: no spec notices when `from` is left out\n    from = \"Open*\","));
  CHECK_THAT(done.output, !Contains("charge.lua:3"));
  CHECK_THAT(done.output, Contains("2 mutants, 1 noticed (50.0 %), 1 survive"));
}

TEST_CASE("a rule that a later folder replaces is left alone, since no spec could notice") {
  OwnFiles site;
  site.write("scripts/call/actions/unlock.lua", "return action \"unlock\" { from = \"Open*\" }\n");
  site.write("scripts/call/actions/charge.lua", rule).write("scripts/call/spec/charge_spec.lua", spec);
  const Finished done = mutate(site, callisto::test::source_folder() + "/scripts/call/actions/unlock.lua");
  INFO(done.output);
  CHECK(done.exit_status == 1);
  CHECK_THAT(done.output, Contains("there is no rule to change"));
}

TEST_CASE("specs that fail as things stand judge nothing, and folders without rules are told") {
  OwnFiles site;
  site.write("scripts/call/actions/charge.lua", rule).write("scripts/call/spec/charge_spec.lua", spec);
  const Finished none = mutate(site, site.folder() + "/entities");
  CHECK(none.exit_status == 1);
  CHECK_THAT(none.output, Contains("there is no rule to change"));
  site.write("scripts/call/spec/charge_spec.lua", "it('fails', function(desk) expect(1):equals(2) end)");
  const Finished failing = mutate(site, site.folder() + "/scripts");
  CHECK(failing.exit_status == 1);
  CHECK_THAT(failing.output, Contains("0 passed, 1 failed") && !Contains("mutants"));
}
