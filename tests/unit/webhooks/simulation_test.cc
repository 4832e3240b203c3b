// 1000 worlds, each from its seed: receivers that fail, hang and come back, processes killed with everything in flight,
// clocks that are set, webhooks edited, a database that refuses. CALLISTO_SEED=7 runs the seventh alone.
#include "tests/unit/webhooks/simulation.h"
#include "engine/base/log.h"

#include <cstdlib>

using namespace callisto;
using namespace callisto::webhooks;

TEST_CASE("Whatever happens, every delivery ends as it should", "[simulation]") {
  log::configure("off", false);
  const char* given = std::getenv("CALLISTO_SEED");
  const std::uint64_t first = given ? std::strtoull(given, nullptr, 10) : 1;
  const std::uint64_t last = given ? first : 1000;
  QueueDesk desk;
  std::size_t attempts = 0, killed = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    simulated::World world(desk, seed);
    world.run();
    for (const std::string& complaint : world.complaints()) {
      INFO("CALLISTO_SEED=" << seed);
      FAIL_CHECK(complaint);
    }
    if (given)  // for people
      for (const auto& seen : world.log)
        WARN("webhook " << seen.webhook << " record " << seen.entity_ref << " delivery " << seen.delivery << " attempt "
                        << seen.attempt << " life " << seen.life << ": " << seen.started << " to " << seen.ended
                        << (seen.well ? " well" : ""));
    attempts += world.log.size();
    for (const auto& seen : world.log) killed += seen.ended == 0 ? 1 : 0;
  }
  if (given) return;
  CHECK(attempts > 20'000);  // it did try
  CHECK(killed > 100);
  log::configure("info", false);
}
