// How many licences one person may hold, and who is let in though all are taken.
#include "tests/unit/auth/office.h"

#include <latch>
#include <thread>
#include <vector>

using namespace callisto;
using namespace callisto::auth;

namespace {

Options with_licences(int licences, int per_person = 0) {
  Options options;
  options.licences = licences;
  options.licences_per_person = per_person;
  options.attempts_per_minute = 0;
  return options;
}

std::int64_t in_use(Office& office) {
  const std::int64_t count = office.number("SELECT in_use FROM licence_pool");
  CHECK(count == office.number("SELECT COUNT(*) FROM \"session\" WHERE \"IsDeleted\" = 0"));
  return count;
}

void make_administrator(Office& office, std::int64_t person) {
  office.write([&](storage::Connection& connection) -> Result<void> {
    const storage::Stamp stamp{office.clock.now(), office.random};
    CALLISTO_TRY(const std::int64_t role, put_role(connection, {"Chief", {"Administration"}, {}}, stamp));
    return assign_role(connection, person, role, stamp);
  });
}

std::size_t noted(const Office& office, const std::string& reason) {
  std::size_t count = 0;
  for (const audit::Event& event : office.audit.events) count += event.reason.find(reason) != std::string::npos;
  return count;
}

}  // namespace

TEST_CASE("one person holds a share of the licences: one more ends the oldest, at once and audited") {
  struct Case {
    int licences, per_person, most;
  };
  for (const Case& each : {Case{12, 0, 3}, Case{16, 0, 4}, Case{40, 0, 10}, Case{12, 5, 5}, Case{12, 1, 1}}) {
    INFO(each.licences << " " << each.per_person);
    Office office(with_licences(each.licences, each.per_person));
    std::vector<TokenPair> pairs;
    for (int i = 0; i < each.most; ++i) {
      pairs.push_back(office.tokens(password_form("bob")));
      office.session(pairs.back().access_token);
      office.clock.advance_seconds(1);
    }
    CHECK(in_use(office) == each.most);
    const TokenPair newest = office.tokens(password_form("bob"));
    CHECK(in_use(office) == each.most);
    office.unauthenticated(pairs.front().access_token);
    CHECK(office.refusal(refresh_form(pairs.front().refresh_token)).status == 401);
    office.session(newest.access_token);
    if (each.most > 1) office.session(pairs[1].access_token);
    REQUIRE(noted(office, "replaced the oldest session") == 1);
    CHECK(office.audit.events.back().kind == audit::Kind::SessionEnded);
    CHECK(office.audit.events.back().person == 2);
    CHECK(office.audit.events.back().session == 1);
    office.tokens(password_form("ada"));  // others are let in
  }
}

TEST_CASE("a session that was renewed is as old as its sign-in; without licences nobody counts") {
  Office office(with_licences(12));
  const TokenPair oldest = office.tokens(password_form("bob"));
  office.clock.advance_seconds(1);
  office.tokens(password_form("bob"));
  office.tokens(password_form("bob"));
  const TokenPair renewed = office.tokens(refresh_form(oldest.refresh_token));
  office.tokens(password_form("bob"));
  office.unauthenticated(renewed.access_token);
  Office unlimited;
  for (int i = 0; i < 20; ++i) unlimited.tokens(password_form("bob"));
  CHECK(in_use(unlimited) == 20);
}

TEST_CASE("of fifty sign-ins of one person at once as many sessions live as one may hold") {
  constexpr int threads = 50;
  Office office(with_licences(16));
  std::latch start(threads);
  std::vector<std::thread> crowd;
  for (int i = 0; i < threads; ++i)
    crowd.emplace_back([&] {
      start.arrive_and_wait();
      office.login(password_form("bob"));
    });
  for (std::thread& thread : crowd) thread.join();
  CHECK(in_use(office) == 4);
  CHECK(noted(office, "replaced the oldest session") == threads - 4);
}

TEST_CASE("a person with Administration is let in beyond the licences, audited; others are told the one text") {
  Office office(with_licences(2));
  make_administrator(office, 1);
  office.tokens(password_form("bob"));
  office.tokens(password_form("élodie"));
  CHECK(office.refusal(password_form("bob")).error == "invalid_grant");
  CHECK(office.audit.events.back().reason == "no licence is free");
  office.tokens(password_form("ada", {{"scope", "session-type:Analyst"}}));
  CHECK(in_use(office) == 3);
  CHECK(office.audit.events.back().kind == audit::Kind::SignIn);
  CHECK(office.audit.events.back().reason.find("has Administration and is let in beyond them") != std::string::npos);
  office.refusal(password_form("bob"));
  for (int i = 0; i < 5; ++i) office.tokens(password_form("ada"));  // beyond, but not without end
  CHECK(in_use(office) == 5);
  office.refusal(password_form("élodie"));
}

TEST_CASE("who holds a full share replaces a session of the own, also where administrators are beyond the number") {
  Office office(with_licences(2, 1));
  make_administrator(office, 1);
  const TokenPair bob = office.tokens(password_form("bob"));
  office.tokens(password_form("élodie"));
  office.tokens(password_form("ada"));
  CHECK(in_use(office) == 3);
  office.tokens(password_form("bob"));
  CHECK(in_use(office) == 3);
  office.unauthenticated(bob.access_token);
}
