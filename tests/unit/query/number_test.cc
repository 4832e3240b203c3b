#include "engine/query/number.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <limits>

using callisto::query::compare;
using callisto::query::Number;

TEST_CASE("a number is scaled exactly, and rounded down where digits are left over") {
  auto scaled = [](const char* text, int scale) { return Number(text).scaled(scale); };
  CHECK(scaled("1.005", 2)->floor == 100);
  CHECK_FALSE(scaled("1.005", 2)->exact);
  CHECK(scaled("-1.005", 2)->floor == -101);
  CHECK(scaled("-0.1", 0)->floor == -1);
  CHECK(scaled("0.1", 0)->floor == 0);
  CHECK(scaled("1.50", 1)->floor == 15);
  CHECK(scaled("1.50", 1)->exact);
  CHECK(scaled("15e-1", 1)->exact);
  CHECK(scaled("1e3", 0)->floor == 1000);
  CHECK(scaled("000", 2)->exact);
  CHECK(scaled("-0.000", 2)->floor == 0);
}

TEST_CASE("the ends of an int64 are held and nothing beyond") {
  CHECK(Number("9223372036854775807").scaled(0)->floor == std::numeric_limits<std::int64_t>::max());
  CHECK(Number("-9223372036854775808").scaled(0)->floor == std::numeric_limits<std::int64_t>::min());
  CHECK(Number("9223372036854775807.5").scaled(0)->floor == std::numeric_limits<std::int64_t>::max());
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "-9223372036854775808.5", "1e19", "1e99999999"})
    CHECK_FALSE(Number(text).scaled(0));
}

TEST_CASE("numbers compare exactly whatever their spelling") {
  auto order = [](const char* a, const char* b) {
    const int result = compare(Number(a), Number(b));
    return result < 0 ? -1 : result > 0 ? 1 : 0;
  };
  CHECK(order("1.0", "1") == 0);
  CHECK(order("1e2", "100") == 0);
  CHECK(order("0.1", "0.10000000000000000001") == -1);
  CHECK(order("-2", "-10") == 1);
  CHECK(order("-0", "+0.0") == 0);
  CHECK(order("9", "10") == -1);
  CHECK(order("1e-400", "0") == 1);
  CHECK(order("99999999999999999999", "1e20") == -1);
}

TEST_CASE("a double is finite, and zero where the number is too near to it") {
  CHECK(*Number("0.1").to_double() == 0.1);
  CHECK(*Number("-1.7976931348623157e308").to_double() == -std::numeric_limits<double>::max());
  CHECK(*Number("1e-999999999999").to_double() == 0.0);
  CHECK_FALSE(Number("1e309").to_double());
}

TEST_CASE("what is no number in full is none") {
  using callisto::query::is_number;
  for (const char* text : {"0", "-0", "007", "1.50", "1e3", "1E+3", "-2.5e-10", "12345678901234567890123"})
    CHECK(is_number(text));
  for (const char* text :
       {"", "-", "+1", ".5", "5.", "1e", "1e+", "1.e3", "1,5", " 1", "1 ", "0x1", "inf", "nan", "1e3.5", "--1", "1-"}) {
    INFO(text);
    CHECK_FALSE(is_number(text));
  }
}
