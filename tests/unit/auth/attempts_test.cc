#include "engine/auth/attempts.h"

#include <catch2/catch.hpp>

using namespace callisto::auth;

TEST_CASE("an address may try as often as a minute allows, then waits for the next drop") {
  AttemptLimiter limiter(60);
  for (int i = 0; i < 60; ++i) REQUIRE(limiter.take("192.0.2.1", 1000) == 0);
  CHECK(limiter.take("192.0.2.1", 1000) == 1);
  CHECK(limiter.take("192.0.2.2", 1000) == 0);
  CHECK(limiter.take("192.0.2.1", 1999) == 1);
  CHECK(limiter.take("192.0.2.1", 2000) == 0);
  CHECK(limiter.take("192.0.2.1", 2000) == 1);
}

TEST_CASE("a slow bucket tells how many seconds to wait") {
  AttemptLimiter limiter(2);
  REQUIRE(limiter.take("a", 0) == 0);
  REQUIRE(limiter.take("a", 0) == 0);
  CHECK(limiter.take("a", 0) == 30);
  CHECK(limiter.take("a", 10'000) == 20);
  CHECK(limiter.take("a", 30'000) == 0);
}

TEST_CASE("zero attempts a minute means no limit") {
  AttemptLimiter limiter(0);
  for (int i = 0; i < 1000; ++i) REQUIRE(limiter.take("a", 0) == 0);
}

TEST_CASE("a network of IPv6 and a mapped IPv4 address count as one address") {
  CHECK(address_group("2001:db8:1:2::1") == address_group("2001:db8:1:2:ffff::9"));
  CHECK(address_group("2001:db8:1:2::1") != address_group("2001:db8:1:3::1"));
  CHECK(address_group("::ffff:192.0.2.1") == "192.0.2.1");
  CHECK(address_group("192.0.2.1") == "192.0.2.1");
}

TEST_CASE("more addresses than are remembered share one bucket until the others are full again") {
  AttemptLimiter limiter(2, 2);
  REQUIRE(limiter.take("a", 0) == 0);
  REQUIRE(limiter.take("b", 0) == 0);
  CHECK(limiter.take("c", 0) == 0);
  CHECK(limiter.take("d", 0) == 0);
  CHECK(limiter.take("e", 0) == 30);
  CHECK(limiter.take("e", 60'000) == 0);
}
