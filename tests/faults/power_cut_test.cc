// Power cuts at any call of the disk, while the disk keeps what it likes of all that was not flushed: whatever was
// acknowledged is there afterwards, whole, and SQLite finds nothing to complain of.
#include "tests/faults/knobs.h"
#include "tests/faults/ledger.h"
#include "tests/faults/simulated_disk.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

namespace {

using namespace callisto;
using namespace callisto::test;

constexpr int cuts_of_a_life = 50;

struct Figures {
  int cuts = 0;
  std::uint64_t acknowledged = 0, calls = 0;
};

// A database that is cut off again and again. All that happens follows from the seed.
class Life {
 public:
  explicit Life(std::uint64_t seed) : random_(seed), disk_(seed + 1), ledger_(folder_ / "desk.db") {}

  // Up to the first problem.
  std::vector<std::string> run(int cuts) {
    while (cuts_ < cuts) {
      if (!open()) continue;
      if (auto problems = ledger_.audit(); !problems.empty()) return problems;
      // Late enough for a checkpoint now and then, and early enough for the first commits of a log.
      disk_.cut_at(below(4) == 0 ? below(60) : below(4000));
      work();
      disk_.cut_now();
      end();
    }
    if (const auto opened = ledger_.open(); !opened) return {opened.error().log_detail};
    return ledger_.audit();
  }
  Figures figures() const { return {cuts_, ledger_.acknowledged(), disk_.calls()}; }
  int cut() const { return cuts_; }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  // One opening in eight is cut too: recovery must bear that.
  bool open() {
    if (below(8) == 0) disk_.cut_at(below(40));
    const auto opened = ledger_.open();
    if (disk_.is_cut()) {
      end();
      return false;
    }
    disk_.cut_at(UINT64_MAX);
    if (!opened) FAIL("it cannot be opened after a power cut: " << opened.error().log_detail);
    return true;
  }

  void end() {
    ledger_.close();
    disk_.power_on();
    ++cuts_;
  }

  void work() {
    std::vector<std::int64_t> items(Ledger::item_count);
    std::iota(items.begin(), items.end(), 1);
    for (auto groups = below(80); groups > 0 && !disk_.is_cut(); --groups) {
      std::shuffle(items.begin(), items.end(), random_);
      ledger_.write({items.begin(), items.begin() + (below(2) == 0 ? 1 : static_cast<std::ptrdiff_t>(2 + below(5)))});
      if (below(400) == 0) restart();
    }
  }

  // Cleanly, unless the power goes meanwhile.
  void restart() {
    ledger_.close();
    const auto opened = ledger_.open();
    if (!opened && !disk_.is_cut()) FAIL("it cannot be opened again: " << opened.error().log_detail);
  }

  std::mt19937_64 random_;
  TemporaryFolder folder_;
  SimulatedDisk disk_;  // outlives the connections of the ledger
  Ledger ledger_;
  int cuts_ = 0;
};

TEST_CASE("no acknowledged write is lost in a power cut, and none is there by half") {
  const int wanted = fault_count(200);
  Figures all;
  for (std::uint64_t seed = fault_seed(); all.cuts < wanted; ++seed) {
    Life life(seed);
    const auto problems = life.run(std::min(cuts_of_a_life, wanted - all.cuts));
    INFO("cut " << life.cut() << " of the life of this seed; repeat it with CALLISTO_SEED=" << seed);
    CAPTURE(problems);
    REQUIRE(problems.empty());
    const Figures figures = life.figures();
    REQUIRE(figures.acknowledged > 0);
    all = {all.cuts + figures.cuts, all.acknowledged + figures.acknowledged, all.calls + figures.calls};
    if (all.cuts % 1000 == 0) say_progress("power cuts: %d of %d", all.cuts, wanted);
  }
  say_progress("power cuts: %d, %llu acknowledged writes checked, %llu calls of the disk", all.cuts,
               static_cast<unsigned long long>(all.acknowledged), static_cast<unsigned long long>(all.calls));
}

TEST_CASE("the audit sees what a disk loses that only says it has flushed") {
  int lost = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const TemporaryFolder folder;
    SimulatedDisk disk(seed);
    Ledger ledger(folder / "desk.db");
    REQUIRE(ledger.open());
    disk.fail(DiskFault::Lie, 0, UINT64_MAX);
    for (int i = 0; i < 20; ++i) REQUIRE(ledger.write({1, 2}) == 2);
    disk.cut_now();
    ledger.close();
    disk.power_on();
    lost += !ledger.open() || !ledger.audit().empty() ? 1 : 0;
  }
  CHECK(lost > 0);
}

}  // namespace
