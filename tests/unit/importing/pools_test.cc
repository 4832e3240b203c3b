#include "engine/importing/write/pools.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace callisto::importing {

TEST_CASE("what a group made is forgotten with it, and what a batch made with the batch") {
  catalog::Entity place;
  catalog::Property ref, name;
  place.key = {&ref};
  const std::vector<Pool> plan{{&place, {&name}}};
  Pools pools(plan);
  const auto make = [&](const std::string& text, std::int64_t key) {
    records::NewRow row{&place, {}};
    row.values.emplace(&name, text);
    pools.add(row, key);
  };
  const auto knows = [&](const std::string& text) {
    std::string key;
    Pools::append_key(key, text);
    return pools.find(0, key).has_value();
  };
  make("Ulm", 1);
  pools.keep();  // a batch before
  make("Bonn", 2);
  const std::size_t before = pools.added();
  make("Rome", 3);
  pools.undo(before);  // the second group alone
  CHECK(knows("ulm"));
  CHECK(knows("Bonn"));
  CHECK_FALSE(knows("Rome"));
  make("Oslo", 4);
  pools.undo();  // all of the batch: it runs again
  CHECK(knows("Ulm"));
  CHECK_FALSE(knows("Bonn"));
  CHECK_FALSE(knows("Oslo"));
}

}  // namespace callisto::importing
