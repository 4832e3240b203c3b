#include "engine/base/random.h"

#include <catch2/catch.hpp>

#include <set>
#include <thread>
#include <vector>

namespace callisto {

namespace {

class Repeated final : public Random {
 public:
  explicit Repeated(char byte) : byte_(byte) {}
  std::string bytes(std::size_t count) override { return std::string(count, byte_); }

 private:
  char byte_;
};

}  // namespace

TEST_CASE("A GUID carries its time, version and variant whatever the bytes") {
  Repeated zeros('\0');
  Repeated ones('\xFF');
  CHECK(make_guid(zeros, DateTime{0}) == "00000000-0000-7000-8000-000000000000");
  CHECK(make_guid(ones, DateTime{0}) == "00000000-0000-7fff-bfff-ffffffffffff");
  // The example of RFC 9562, appendix A.6: Tuesday, 22 February 2022, 14:22:22 at -05:00.
  CHECK(make_guid(zeros, DateTime{1645557742000}).substr(0, 15) == "017f22e2-79b0-7");
}

TEST_CASE("The system's bytes are as many as asked for and differ") {
  SystemRandom random;
  CHECK(random.bytes(0).empty());
  const std::string first = random.bytes(32);
  CHECK(first.size() == 32);
  CHECK(first != random.bytes(32));
  CHECK(random.bytes(1000).size() == 1000);
}

TEST_CASE("No two GUIDs of several threads are the same") {
  SystemRandom random;
  std::vector<std::vector<std::string>> made(4);
  {
    std::vector<std::jthread> threads;
    for (auto& each : made)
      threads.emplace_back([&] {
        for (int i = 0; i < 500; ++i) each.push_back(make_guid(random, DateTime{1}));
      });
  }
  std::set<std::string> all;
  for (const auto& each : made) all.insert(each.begin(), each.end());
  CHECK(all.size() == 2000);
}

}  // namespace callisto
