// 300 worlds, each from its seed: receivers that fail, hang and come back, processes killed with everything in flight,
// clocks that are set, webhooks edited, a database that refuses. CALLISTO_SEED=7 runs the seventh alone, ./dev faults
// three times as many. Under a sanitizer, which makes each several times as slow, a fifth of them.
#include "tests/unit/webhooks/simulation.h"
#include "engine/base/log.h"
#include "tests/faults/knobs.h"
#include "tests/support/sanitized.h"

#include <algorithm>
#include <cstdlib>

using namespace callisto;
using namespace callisto::webhooks;

namespace {

// A world takes longer than what else ./dev faults repeats: a tenth of its factor.
std::size_t count(int of_the_short_run) {
  const int slower = test::is_sanitized() ? 5 : 1;
  return static_cast<std::size_t>(of_the_short_run * std::max(1.0, test::fault_factor() / 10) / slower);
}

struct Found {
  std::size_t attempts = 0, killed = 0, handovers = 0;
};

Found simulate(QueueDesk& desk, std::size_t nodes, std::size_t worlds) {
  log::configure("off", false);
  const char* given = std::getenv("CALLISTO_SEED");
  const std::uint64_t first = given ? std::strtoull(given, nullptr, 10) : 1;
  const std::uint64_t last = given ? first : worlds;
  Found found;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    simulated::World world(desk, seed, nodes);
    world.run();
    for (const std::string& complaint : world.complaints()) {
      INFO("CALLISTO_SEED=" << seed << ", nodes " << nodes);
      FAIL_CHECK(complaint);
    }
    if (given)  // for people
      for (const auto& seen : world.log)
        WARN("webhook " << seen.webhook << " record " << seen.entity_ref << " delivery " << seen.delivery << " attempt "
                        << seen.attempt << " life " << seen.life << ": " << seen.started << " to " << seen.ended
                        << (seen.well ? " well" : ""));
    found.attempts += world.log.size();
    found.handovers += static_cast<std::size_t>(world.handovers);
    for (const auto& seen : world.log) found.killed += seen.ended == 0 ? 1 : 0;
  }
  log::configure("info", false);
  return given ? Found{SIZE_MAX, SIZE_MAX, SIZE_MAX} : found;
}

}  // namespace

TEST_CASE("Whatever happens, every delivery ends as it should", "[simulation]") {
  QueueDesk desk;
  const std::size_t worlds = count(300);
  const Found found = simulate(desk, 1, worlds);
  CHECK(found.attempts > worlds * 20);  // it did try
  CHECK(found.killed > worlds / 10);
}

TEST_CASE("So it does where several nodes share the desk", "[simulation]") {
  QueueDesk desk;
  const std::size_t worlds = count(60);
  for (const std::size_t nodes : {2U, 3U}) {
    const Found found = simulate(desk, nodes, worlds);
    CHECK(found.attempts > worlds * 33);
    CHECK(found.handovers > worlds * 3);
  }
}
