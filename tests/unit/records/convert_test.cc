// Values of a body and of a script against the range of their property's type.
#include "engine/records/convert.h"

#include <catch2/catch.hpp>

using namespace callisto;
using catalog::DataType;

namespace {

catalog::Property property(DataType type) {
  catalog::Property made;
  made.name = "Measure";
  made.type = type;
  return made;
}

std::string refused(const Result<Value>& result) { return result ? "" : result.error().message; }

Result<Value> of_body(DataType type, const std::string& text) {
  const auto node = json::parse(text);
  REQUIRE(node);
  return records::from_json(property(type), *node);
}

}  // namespace

TEST_CASE("a number beyond its type is refused however it comes: by a body, as text, by a script") {
  CHECK(of_body(DataType::Float, "3.4e38"));
  CHECK(of_body(DataType::Double, "1e308"));
  CHECK_THAT(refused(of_body(DataType::Float, "1e39")), Catch::Contains("a number in range"));
  CHECK_THAT(refused(of_body(DataType::Float, "-1e39")), Catch::Contains("a number in range"));
  CHECK_THAT(refused(of_body(DataType::Short, "32768")), Catch::Contains("a number in range"));
  CHECK_THAT(refused(records::from_text(property(DataType::Float), "1e39")), Catch::Contains("a number in range"));
  CHECK_THAT(refused(records::coerced(property(DataType::Float), 1e39)), Catch::Contains("a number in range"));
  CHECK_THAT(refused(records::coerced(property(DataType::Integer), std::int64_t{1} << 31)),
             Catch::Contains("a number in range"));
}

TEST_CASE("a script's value of another type is refused, one of a neighbouring type is taken") {
  CHECK_THAT(refused(records::coerced(property(DataType::Integer), 1.5)), Catch::Contains("a value of this type"));
  CHECK_THAT(refused(records::coerced(property(DataType::Text), 1.5)), Catch::Contains("a value of this type"));
  const auto taken = records::coerced(property(DataType::Double), std::int64_t{2});
  REQUIRE(taken);
  CHECK(*taken == Value(2.0));
}
