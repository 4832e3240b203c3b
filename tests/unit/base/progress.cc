#include "engine/base/progress.h"

#include "tests/unit/base/stderr_capture.h"

#include <catch2/catch.hpp>

namespace callisto {

TEST_CASE("Work that ends at once shows no progress") {
  const StderrCapture capture;
  {
    Progress progress("Loading", 3);
    for (std::uint64_t done = 1; done <= 3; ++done) progress.advance_to(done);
  }
  CHECK(capture.text().empty());
}

}  // namespace callisto
