#include "engine/base/process_limits.h"

#include "tests/support/sanitized.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

using namespace callisto;

TEST_CASE("threads are counted by making them, and leave nothing behind") {
  if (test::is_sanitized()) return;  // which has more address space than any limit
  constexpr std::size_t stack = 256 * 1024;
  CHECK(process_limits::threads_to_have(20, stack) == 20);
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  const rlimit less{std::size_t{1} << 30, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_AS, &less) == 0);
  const std::size_t had = process_limits::threads_to_have(1000, std::size_t{64} << 20);
  CHECK(had > 0);
  CHECK(had < 16);
  const std::size_t again = process_limits::threads_to_have(1000, std::size_t{64} << 20);
  CHECK(again + 2 >= had);  // nothing of them is left behind
  CHECK(process_limits::of_threads().find("`ulimit -v` (LimitAS) is 1048576 KiB") != std::string::npos);
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
}

TEST_CASE("descriptors are counted, and their soft limit is raised to the hard one") {
  const std::size_t open_before = process_limits::open_descriptors();
  const int more = open("/dev/null", O_RDONLY | O_CLOEXEC);
  CHECK(process_limits::open_descriptors() == open_before + 1);
  close(more);
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit less{100, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &less) == 0);
  CHECK(process_limits::most_descriptors() == 100);
  process_limits::raise_descriptors();
  CHECK(process_limits::most_descriptors() == std::min<std::size_t>(before.rlim_max, 65'536));
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
}
