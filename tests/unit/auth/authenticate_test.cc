#include "tests/unit/auth/office.h"

#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

using namespace callisto;
using namespace callisto::auth;

namespace {

const Fields as_analyst{{"scope", "session-type:Analyst"}};

void give(Office& office, std::int64_t person, const Role& role) {
  office.write([&](storage::Connection& connection) -> Result<void> {
    const storage::Stamp stamp{office.clock.now(), office.random};
    CALLISTO_TRY(const std::int64_t ref, put_role(connection, role, stamp));
    return assign_role(connection, person, ref, stamp);
  });
}

}  // namespace

TEST_CASE("a missing, misshapen, foreign or unknown token is 401 with a message that helps") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  CHECK(office.unauthenticated("").find("Authorization: Bearer") != std::string::npos);
  CHECK(office.unauthenticated(pair.refresh_token).find("refresh token") != std::string::npos);
  for (const std::string& token : {std::string("x"), pair.access_token.substr(1), pair.access_token + "=",
                                   "cat_" + std::string(43, 'A'), std::string(100'000, 'A')})
    CHECK(office.unauthenticated(token).find(token.substr(0, 20)) == std::string::npos);
}

TEST_CASE("an access token ends after ten minutes, to the millisecond") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  office.clock.advance_ms(599'999);
  office.session(pair.access_token);
  office.clock.advance_ms(1);
  CHECK(office.unauthenticated(pair.access_token).find("expired") != std::string::npos);
  office.restart();
  CHECK(office.unauthenticated(pair.access_token).find("expired") != std::string::npos);
}

TEST_CASE("a token is answered from memory after its first use") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  const auto session = office.session(pair.access_token);
  office.run("DELETE FROM access_token");
  CHECK(office.session(pair.access_token) == session);
  office.clock.advance_seconds(1);
  office.unauthenticated(pair.access_token);
}

TEST_CASE("a person without a role has no rights and no partition") {
  Office office;
  const auto session = office.session(office.tokens(password_form("ada", as_analyst)).access_token);
  CHECK(session->rights.empty());
  REQUIRE(session->partitions);
  CHECK(session->partitions->empty());
}

TEST_CASE("several roles give the union of their rights and partitions, in order") {
  Office office;
  give(office, 1, {"First", {"Read", "Update"}, std::vector<std::int64_t>{3, 1}});
  give(office, 1, {"Second", {"Integration", "Read"}, std::vector<std::int64_t>{2, 3}});
  give(office, 2, {"Other", {"Administration"}, std::vector<std::int64_t>{9}});
  const auto session = office.session(office.tokens(password_form("ada", as_analyst)).access_token);
  CHECK(session->rights == std::set<std::string>{"Integration", "Read", "Update"});
  CHECK(session->partitions == std::vector<std::int64_t>{1, 2, 3});
  CHECK(session->may("Integration"));
  CHECK_FALSE(session->may("Administration"));
}

TEST_CASE("one role for all partitions opens all of them") {
  Office office;
  give(office, 1, {"First", {}, std::vector<std::int64_t>{1}});
  give(office, 1, {"Everything", {"Administration"}, std::nullopt});
  const auto session = office.session(office.tokens(password_form("ada", as_analyst)).access_token);
  CHECK_FALSE(session->partitions);
  CHECK(session->may("Administration"));
}

TEST_CASE("a session of type User carries the partitions of its person, but no rights") {
  Office office;
  give(office, 1, {"First", {"Administration"}, std::vector<std::int64_t>{1}});
  const auto session = office.session(office.tokens(password_form("ada")).access_token);
  CHECK(session->rights.empty());
  CHECK(session->partitions == std::vector<std::int64_t>{1});
}

TEST_CASE("putting a role again replaces it, and living sessions follow within a second") {
  Office office;
  give(office, 1, {"First", {"Read"}, std::vector<std::int64_t>{1}});
  const TokenPair pair = office.tokens(password_form("ada", as_analyst));
  CHECK(office.session(pair.access_token)->may("Read"));
  give(office, 1, {"First", {"Create"}, std::vector<std::int64_t>{2}});
  office.clock.advance_seconds(1);
  const auto session = office.session(pair.access_token);
  CHECK(session->rights == std::set<std::string>{"Create"});
  CHECK(session->partitions == std::vector<std::int64_t>{2});
}

TEST_CASE("the tokens of a person who was made inactive or deleted are dead within a second") {
  for (const char* change : {"UPDATE \"person\" SET \"IsActive\" = 0", "UPDATE \"person\" SET \"IsDeleted\" = 1",
                             "UPDATE session SET \"IsDeleted\" = 1"}) {
    INFO(change);
    Office office;
    const TokenPair pair = office.tokens(password_form("ada"));
    office.session(pair.access_token);
    office.run(change);
    office.clock.advance_seconds(1);
    office.unauthenticated(pair.access_token);
  }
}

TEST_CASE("many threads check and renew tokens side by side") {
  constexpr int threads = 8, rounds = 50;
  Office office;
  std::vector<TokenPair> pairs;
  for (int i = 0; i < threads; ++i) pairs.push_back(office.tokens(password_form("ada")));
  std::atomic<int> good = 0;
  std::latch start(threads);
  std::vector<std::thread> crowd;
  for (std::size_t i = 0; i < threads; ++i)
    crowd.emplace_back([&, i] {
      start.arrive_and_wait();
      for (int round = 0; round < rounds; ++round) {
        const LoginAnswer answer = office.login(refresh_form(pairs[i].refresh_token));
        if (const auto* pair = std::get_if<TokenPair>(&answer)) pairs[i] = *pair;
        for (const TokenPair& pair : {pairs[i], pairs[i]})
          if (office.session(pair.access_token)->person == 1) ++good;
      }
    });
  for (std::thread& thread : crowd) thread.join();
  CHECK(good == 2 * threads * rounds);
}
