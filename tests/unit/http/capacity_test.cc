#include "engine/http/connections/capacity.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace callisto::http;

TEST_CASE("connections leave descriptors to others, however few there are") {
  for (std::size_t most : {0, 5, 16, 40, 64, 100, 256, 1024, 65'536})
    for (std::size_t open : {3, 30, 60, 300}) {
      const Capacity found = capacity_of(512, most, open);
      INFO(most << " " << open);
      CHECK((found.threads >= 1 && found.threads <= 512 && found.queue >= 1 && found.queue <= 4096));
      const std::size_t free = most > open ? most - open : 0;
      const auto connections = static_cast<std::size_t>(found.threads + found.queue);
      if (free >= 8) CHECK(connections + std::min(free / 2, 2 * open + 64) <= free);
    }
  CHECK(capacity_of(512, 65'536, 60).threads == 512);
  CHECK(capacity_of(512, 65'536, 60).queue == 4096);
  CHECK(capacity_of(512, 1024, 60).threads == 512);
  CHECK(capacity_of(512, 64, 40).threads == 9);
  CHECK(capacity_of(4, 64, 40).threads == 4);
}
