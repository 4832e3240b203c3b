#include "engine/auth/sessions/session_cache.h"

#include <catch2/catch.hpp>

#include <string>

using namespace callisto;
using namespace callisto::auth;

namespace {

LiveSession live(std::int64_t id, std::int64_t expires_ms) {
  auto session = std::make_shared<Session>();
  session->id = id;
  return {session, DateTime{expires_ms}};
}

SessionCache::Moment at(std::int64_t ms) { return {DateTime{ms}, ms}; }

void keep(SessionCache& cache, const Digest& digest, const LiveSession& session, std::int64_t ms) {
  cache.insert(digest, session, at(ms), cache.generation(digest));
}

}  // namespace

TEST_CASE("the cache gives a session for a second, then the database is asked again") {
  SessionCache cache;
  const Digest digest = digest_of("a");
  keep(cache, digest, live(7, 100'000), 0);
  REQUIRE(cache.find(digest, at(999)));
  CHECK(cache.find(digest, at(999))->id == 7);
  CHECK_FALSE(cache.find(digest, at(1000)));
  CHECK_FALSE(cache.find(digest_of("b"), at(0)));
}

TEST_CASE("the cache gives no session past its end") {
  SessionCache cache;
  const Digest digest = digest_of("a");
  keep(cache, digest, live(7, 500), 0);
  CHECK(cache.find(digest, at(499)));
  CHECK_FALSE(cache.find(digest, at(500)));
}

TEST_CASE("a forgotten session is gone under all its tokens, also when it was being read meanwhile") {
  SessionCache cache;
  const Digest first = digest_of("a"), second = digest_of("b"), other = digest_of("c"), late = digest_of("d");
  keep(cache, first, live(7, 100'000), 0);
  keep(cache, second, live(7, 100'000), 0);
  keep(cache, other, live(8, 100'000), 0);
  const std::uint64_t before = cache.generation(late);
  cache.forget(7);
  cache.insert(late, live(7, 100'000), at(0), before);
  CHECK_FALSE(cache.find(first, at(0)));
  CHECK_FALSE(cache.find(second, at(0)));
  CHECK_FALSE(cache.find(late, at(0)));
  CHECK(cache.find(other, at(0)));
}

TEST_CASE("the cache keeps to its bound and lets stale entries go first") {
  SessionCache cache(2);
  std::vector<Digest> digests;
  for (int i = 0; i < 400; ++i) digests.push_back(digest_of(std::to_string(i)));
  for (const Digest& digest : digests) keep(cache, digest, live(1, 100'000), 0);
  std::size_t kept = 0;
  for (const Digest& digest : digests) kept += cache.find(digest, at(0)) ? 1 : 0;
  CHECK(kept == 32);
  for (const Digest& digest : {digests[0], digests[1]}) {
    keep(cache, digest, live(2, 100'000), 5000);
    CHECK(cache.find(digest, at(5000)));
  }
}
