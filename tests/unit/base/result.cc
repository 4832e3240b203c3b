#include "engine/base/result.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

namespace callisto {

namespace {

Result<int> half_of(int number) {
  if (number % 2 != 0) return bad_format("odd");
  return number / 2;
}

Result<int> quarter_of(int number) {
  CALLISTO_TRY(const int half, half_of(number));
  CALLISTO_TRY(const int quarter, half_of(half));
  return quarter;
}

Result<void> check_even(int number) {
  CALLISTO_CHECK(half_of(number));
  return {};
}

Result<std::string> check_then_name(int number) {
  CALLISTO_CHECK(check_even(number));
  return std::string("even");
}

}  // namespace

TEST_CASE("A result holds either its value or its error") {
  CHECK(half_of(4).value() == 2);
  const Result<int> refused = half_of(3);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().status == 400);
  CHECK(refused.error().type == "FormatException");
  CHECK(refused.error().message == "odd");
}

TEST_CASE("CALLISTO_TRY unwraps a value and returns the first error") {
  CHECK(quarter_of(12).value() == 3);
  CHECK(quarter_of(6).error().message == "odd");
  CHECK(quarter_of(7).error().message == "odd");
}

TEST_CASE("CALLISTO_CHECK passes an error on, from a result with or without a value") {
  CHECK(check_even(2));
  CHECK_FALSE(check_even(1));
  CHECK(check_then_name(2).value() == "even");
  CHECK(check_then_name(1).error().message == "odd");
}

TEST_CASE("A result moves out what cannot be copied") {
  Result<std::unique_ptr<int>> held = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = *std::move(held);
  CHECK(*taken == 7);
}

}  // namespace callisto
