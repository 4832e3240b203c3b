// Locks that follow from wrong guesses hold where the guesses come from, not for the person elsewhere.
#include "engine/auth/people/guesses.h"
#include "tests/unit/auth/office.h"

using namespace callisto;
using namespace callisto::auth;

namespace {

constexpr const char* home = "192.0.2.50";

Options unlimited() {
  Options options;
  options.attempts_per_minute = 0;
  options.network_key = "a key of the desk";
  return options;
}

LoginRequest from(const std::string& address, const Fields& changes = {}, const std::string& login = "ada") {
  LoginRequest request = password_form(login, changes);
  request.remote_address = address;
  return request;
}

void guess(Office& office, const std::string& address, int times, const std::string& login = "ada") {
  for (int i = 0; i < times; ++i) office.refusal(from(address, {{"password", "wrong"}}, login));
}

// A network that nobody came from yet.
std::string stranger(int number) {
  return "2001:db8:" + std::to_string(number / 100) + ":" + std::to_string(number % 100) + "::1";
}

bool admits(Office& office, const std::string& address, const std::string& login = "ada") {
  const LoginAnswer answer = office.login(from(address, {}, login));
  return std::holds_alternative<TokenPair>(answer);
}

}  // namespace

TEST_CASE("ten wrong guesses lock the network that they come from, and nobody else") {
  Office office(unlimited());
  guess(office, "198.51.100.1", 12);
  CHECK_FALSE(admits(office, "198.51.100.1"));
  CHECK(office.audit.events.back().reason == "locked after wrong guesses");
  for (const char* other : {"198.51.100.2", "203.0.113.9", "2001:db8::1"}) {
    INFO(other);
    CHECK(admits(office, other));
  }
  CHECK(admits(office, "198.51.100.1", "bob"));
  office.clock.advance_seconds(30);
  CHECK(admits(office, "198.51.100.1"));
}

TEST_CASE("an IPv6 network is a /64, and a mapped address is the IPv4 address") {
  Office office(unlimited());
  for (int i = 0; i < 12; ++i) guess(office, "2001:db8:1:2::" + std::to_string(i + 1), 1);
  CHECK_FALSE(admits(office, "2001:db8:1:2:ffff::9"));
  CHECK(admits(office, "2001:db8:1:3::1"));
  guess(office, "::ffff:198.51.100.1", 12, "bob");
  CHECK_FALSE(admits(office, "198.51.100.1", "bob"));
}

TEST_CASE("guesses from many networks lock the account for strangers; where the person signed in lately it opens") {
  Office office(unlimited());
  CHECK(admits(office, home));
  for (int i = 0; i < 99; ++i) guess(office, stranger(i), 1);
  CHECK(admits(office, stranger(500)));  // whose right password begins anew
  for (int i = 0; i < 100; ++i) guess(office, stranger(i), 1);
  CHECK_FALSE(admits(office, stranger(501)));
  CHECK(admits(office, home));
  CHECK(admits(office, stranger(500)));
  CHECK_FALSE(admits(office, stranger(501)));  // the known network's sign-in forgives no stranger
  CHECK(admits(office, stranger(501), "bob"));
  office.restart();
  CHECK_FALSE(admits(office, stranger(501)));
  CHECK(admits(office, home));
  office.clock.advance_seconds(30);
  guess(office, stranger(502), 1);  // doubles the lock
  office.clock.advance_seconds(59);
  CHECK_FALSE(admits(office, stranger(501)));
  office.clock.advance_seconds(1);
  CHECK(admits(office, stranger(501)));
}

TEST_CASE("a wrong guess of the person does not make a known network unknown, and ten lock it") {
  Office office(unlimited());
  CHECK(admits(office, home));
  for (int i = 0; i < 120; ++i) guess(office, stranger(i), 1);
  guess(office, home, 9);
  CHECK(admits(office, home));
  guess(office, home, 10);
  CHECK_FALSE(admits(office, home));
  office.clock.advance_seconds(30);
  CHECK(admits(office, home));
}

TEST_CASE("a network is known for thirty days") {
  Office office(unlimited());
  CHECK(admits(office, home));
  const auto lock = [&] {
    for (int i = 0; i < 120; ++i) guess(office, stranger(i), 1);
  };
  office.clock.advance_seconds(30 * 86400 - 1);
  lock();
  CHECK(admits(office, home));
  office.clock.advance_seconds(30 * 86400);
  lock();
  CHECK_FALSE(admits(office, home));
}

TEST_CASE("what is kept holds no address, is bounded for each person, and goes in time") {
  Office office(unlimited());
  for (int i = 0; i < 80; ++i) CHECK(admits(office, stranger(i)));
  CHECK(office.number("SELECT COUNT(*) FROM sign_in_network") <= 64);
  CHECK(office.number("SELECT COUNT(*) FROM sign_in_network WHERE length(network) <> 43") == 0);
  for (int i = 0; i < 50; ++i) guess(office, stranger(i), 1, "nobody-" + std::to_string(i));
  CHECK(office.number("SELECT COUNT(*) FROM sign_in_network WHERE person <> 1") == 1);  // the stand-in
  CHECK(network_digest("a", 1, home) != network_digest("b", 1, home));
  CHECK(network_digest("a", 1, home) != network_digest("a", 2, home));
  office.clock.advance_seconds(31 * 86400);
  office.sweep();
  CHECK(office.number("SELECT COUNT(*) FROM sign_in_network") == 0);
}

TEST_CASE("a new password forgets guesses and networks") {
  Office office(unlimited());
  CHECK(admits(office, home));
  guess(office, home, 10);
  office.write(
      [&](storage::Connection& connection) { return put_password_hash(connection, 1, office.hash("correct")); });
  CHECK(admits(office, home));
}

TEST_CASE("stamps of a clock that was ahead do not outlive its correction") {
  constexpr int ahead = 400 * 86400;
  Office office(unlimited());
  CHECK(admits(office, home));
  office.clock.set_ahead_seconds(ahead);
  guess(office, "198.51.100.1", 11);
  for (int i = 0; i < 120; ++i) guess(office, stranger(i), 1, "bob");
  const TokenPair then = office.tokens(from("203.0.113.9"));
  office.session(then.access_token);
  office.clock.set_ahead_seconds(-ahead);
  CHECK(admits(office, "198.51.100.1"));
  CHECK(admits(office, "203.0.113.7", "bob"));
  guess(office, "198.51.100.9", 9);
  CHECK(admits(office, "198.51.100.9"));
  office.sweep();
  office.service().forget_all();
  office.session(then.access_token);
  const std::int64_t now = office.clock.now().ms;
  CHECK(office.number("SELECT MAX(expires_at) FROM access_token") == now + 600'000);
  CHECK(office.number("SELECT MAX(expires_at) FROM refresh_token") == now + 86'400'000);
  CHECK(office.number("SELECT MAX(\"ExpiresDate\") FROM \"session\"") == now + 86'400'000);
  CHECK(office.number("SELECT MAX(\"CreatedDate\") FROM \"session\"") == now);
  office.clock.advance_seconds(600);
  office.unauthenticated(then.access_token);
  const TokenPair next = office.tokens(refresh_form(then.refresh_token));
  office.clock.advance_seconds(86400);
  CHECK(office.refusal(refresh_form(next.refresh_token)).status == 401);
}

TEST_CASE("a spent refresh token of a clock that was ahead is theft, not a race") {
  Office office(unlimited());
  office.clock.set_ahead_seconds(86000);
  const TokenPair first = office.tokens(password_form("ada"));
  office.tokens(refresh_form(first.refresh_token));
  office.clock.set_ahead_seconds(-86000);
  office.refusal(refresh_form(first.refresh_token));
  CHECK(office.audit.events.back().kind == audit::Kind::RefreshReuse);
}
