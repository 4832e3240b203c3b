// callisto test --coverage: what of the rules the specs reached.
#include "own_files.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

namespace {

using namespace callisto::tests;
using Catch::Matchers::Contains;

// Of one entity with states of its own, so that nothing of the product's rules is in the way.
class Loans : public OwnFiles {
 public:
  Loans() {
    write("entities/loan.lua", R"lua(return entity "loan" {
  properties = { text "Title" { length = 40 }, integer "Days" { default = 0 }, short "State" },
})lua");
    write("scripts/loan/states.lua", R"lua(return states "State" {
  state "Wished" { value = 0, initial = true },
  state "Lent" { value = 1 },
  state "Lost" { value = 2, final = true },
  state "Old" { value = 3, imported = true, final = true },
})lua");
    write("scripts/loan/actions/lend.lua", R"lua(return action "lend" {
  from = { "Wished", "Lent" },
  offered = "Days < 30",
  moves_to = "Lent",
  run = function(loan)
    if loan.Days > 10 then
      loan.Title = "Long"
    end
    local lines = 1
    for _ = 1, 2 do
      lines = lines + 1
    end
  end,
})lua");
    write("scripts/loan/actions/lose.lua", R"lua(return action "lose" {
  from = "Lent",
  moves_to = "Lost",
  run = function(loan) loan.Title = "Gone" end,
})lua");
  }
  Finished test(const std::string& spec, std::vector<std::string> more = {"--coverage"}) {
    write("scripts/loan/spec/loan_spec.lua", spec);
    const TemporaryFolder data;
    std::vector<std::string> arguments{"test", folder() + "/scripts"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, data.path());
  }
  // What is said of one file, without its name.
  std::string told_of(const Finished& done, const std::string& file) const {
    const std::size_t at = done.output.find(folder() + "/scripts/loan/" + file + "\n");
    if (at == std::string::npos) return {};
    const std::size_t begin = done.output.find('\n', at) + 1;
    std::size_t end = begin;
    while (done.output.compare(end, 2, "  ") == 0) end = done.output.find('\n', end) + 1;
    return done.output.substr(begin, end - begin);
  }
};

const char* const lends = R"lua(
it("is lent", function(desk) expect(desk:loan { State = 0, Days = 3 }:lend()):has { State = 1 } end))lua";

}  // namespace

TEST_CASE("what no spec reaches is told by file and line: actions, states, filters and code") {
  Loans desk;
  const Finished done = desk.test(lends);
  INFO(done.output);
  CHECK(done.exit_status == 0);
  CHECK(desk.told_of(done, "actions/lend.lua") ==
        "  2: lend: no spec does it in state Lent\n"
        "  3: offered of lend: fails in no spec\n"
        "  7: code that no spec runs\n");
  CHECK(desk.told_of(done, "actions/lose.lua") ==
        "  1: lose: no spec does it\n"
        "  4: code that no spec runs\n");
  CHECK(desk.told_of(done, "states.lua") ==
        "  2: state Wished: no spec brings a record there\n"
        "  4: state Lost: no spec brings a record there\n");
  CHECK_THAT(done.output, Contains("1 passed, 0 failed") && Contains("\ncoverage: "));
}

TEST_CASE("what specs reach is told no more") {
  Loans desk;
  const Finished done = desk.test(std::string(lends) + R"lua(
it("is lent again, not for long", function(desk)
  expect(desk:loan { State = 1, Days = 11 }:lend()):has { Title = "Long" }
  expect(desk:loan { State = 0, Days = 30 }):withholds "lend"
  expect(desk:loan { State = 1 }:lose()):has { Title = "Gone" }
  expect(desk:create("loan", { Title = "Faust" })):has { State = 0 }
end))lua");
  INFO(done.output);
  CHECK(done.exit_status == 0);
  for (const char* file : {"actions/lend.lua", "actions/lose.lua", "states.lua"})
    CHECK(desk.told_of(done, file).empty());
}

TEST_CASE("a refused action is none that was done") {
  Loans desk;
  desk.write("scripts/loan/actions/return.lua", "return action \"return\" { run = function() reject \"No.\" end }");
  const Finished done =
      desk.test("it(\"is refused\", function(desk) expect(desk:loan {}):refuses(\"return\", \"No.\") end)");
  INFO(done.output);
  CHECK(desk.told_of(done, "actions/return.lua") == "  1: return: no spec does it\n");
}

TEST_CASE("the coverage is written for lcov, and a file that cannot be written is told with its option") {
  Loans desk;
  const TemporaryFolder folder;
  const Finished done = desk.test(lends, {"--lcov", folder / "coverage.info"});
  INFO(done.output);
  CHECK(done.exit_status == 0);
  CHECK_THAT(done.output, !Contains("coverage: "));
  std::ifstream in(folder / "coverage.info");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = text.find("SF:" + desk.folder() + "/scripts/loan/actions/lend.lua\n");
  REQUIRE(at != text.npos);
  const std::string record = text.substr(at, text.find("end_of_record", at) - at);
  CHECK_THAT(record, Contains("\nDA:6,1\nDA:7,0\nDA:9,1\nDA:10,") && Contains("\nDA:11,2\n"));
  CHECK_THAT(record, Contains("\nBRDA:3,0,") && Contains(",-\n") && Contains("\nBRF:5\nBRH:3\n"));
  const Finished failed = desk.test(lends, {"--lcov", folder / "none/coverage.info"});
  CHECK(failed.exit_status == 1);
  CHECK_THAT(failed.output, Contains("cannot be written. Choose another file with --lcov."));
}

TEST_CASE(
    "the page of promises has every sentence by its entity, what nobody reaches and what nobody notices; no script") {
  Loans desk;
  desk.write("scripts/loan/actions/lend.lua", "return action \"lend\" { from = \"Wished\", moves_to = \"Lent\" }\n");
  const TemporaryFolder folder;
  const std::string page = folder / "promises.html";
  const Finished done = desk.test(R"lua(describe("lending <b>", function()
  it("ändert & tells", function(desk) expect(desk:loan { State = 0 }:lend()):has { State = 1 } end)
end))lua",
                                  {"--report", page, "--mutate", "--rules", desk.folder() + "/scripts"});
  INFO(done.output);
  CHECK(done.exit_status == 0);
  std::ifstream in(page);
  const std::string html{std::istreambuf_iterator<char>(in), {}};
  for (const char* part :
       {"1 of 1 promises were kept", "<h2>Loan</h2>", "<h3>Lending &lt;b&gt;</h3>", "Ändert &amp; tells", "does lend; ",
        "<strong>Lend</strong>: Done in 1 promise.", "<strong>Lose</strong>: No promise here does it.",
        "lose: no spec does it", "Changes that no promise notices", "When `from` is left out",
        "Who may do what in which state"})
    CHECK_THAT(html, Contains(part));
  CHECK_THAT(html, !Contains("<script") && !Contains("<b>") && !Contains("http:") && !Contains("https:"));
}
