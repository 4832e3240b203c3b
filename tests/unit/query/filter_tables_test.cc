// Every line of tests/filters is answered as it says.
#include "tests/support/filter_tables.h"
#include "tests/support/paths.h"
#include "tests/support/test_catalog.h"

#include <catch2/catch.hpp>

using namespace callisto;

namespace {

// The column that an error names in all its forms; 0: accepted.
std::size_t refused_at(const test::Desk::PlanResult& plan) {
  if (plan) return 0;
  const Error& error = plan.error();
  REQUIRE(error.status == 400);
  REQUIRE(error.diagnostic);
  REQUIRE(error.diagnostic->option == "$filter");
  REQUIRE(error.message.find("$filter, column " + std::to_string(error.diagnostic->position) + ": ") == 0);
  return error.diagnostic->position;
}

}  // namespace

TEST_CASE("every filter of the tables is accepted, or refused at its column") {
  test::Desk desk;
  const auto cases = test::read_filter_tables(test::source_folder() + "/tests/filters");
  REQUIRE(cases.size() > 200);
  for (const test::FilterCase& each : cases) {
    INFO(each.place << "  " << each.filter);
    auto plan = desk.filter(each.entity, each.filter);
    if (!plan) UNSCOPED_INFO(plan.error().message);
    CHECK(refused_at(plan) == each.column);
  }
}
