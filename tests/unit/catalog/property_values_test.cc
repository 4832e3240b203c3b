#include "engine/catalog/property_values.h"

#include "engine/catalog/catalog.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>

using namespace callisto;
using catalog::Property;
using catalog::PropertyValues;

TEST_CASE("values by property are what a map holds, in its order") {
  std::array<Property, 12> properties;
  std::mt19937 random(20261122);
  for (int run = 0; run < 200; ++run) {
    PropertyValues values;
    std::map<const Property*, Value> expected;
    for (int step = 0; step < 30; ++step) {
      const Property* property = &properties[random() % properties.size()];
      const Value value = std::int64_t{step};
      switch (random() % 3) {
        case 0:
          values.insert_or_assign(property, value);
          expected.insert_or_assign(property, value);
          break;
        case 1: {
          const auto [place, is_new] = values.emplace(property, value);
          CHECK(is_new == expected.emplace(property, value).second);
          CHECK(place->second == expected.at(property));
          break;
        }
        default:
          CHECK(values.take(property) == (expected.count(property) != 0 ? expected.at(property) : Value(Null{})));
          expected.erase(property);
      }
      CHECK(values.count(property) == expected.count(property));
    }
    CHECK(std::equal(
        values.begin(), values.end(), expected.begin(), expected.end(),
        [](const auto& one, const auto& other) { return one.first == other.first && one.second == other.second; }));
    for (const Property& property : properties) {
      const auto found = values.find(&property);
      CHECK((found != values.end()) == (expected.count(&property) != 0));
      if (found == values.end()) CHECK_THROWS_AS(values.at(&property), std::out_of_range);
    }
  }
}
