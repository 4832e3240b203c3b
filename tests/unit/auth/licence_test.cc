// Licences, and what is told of sessions: the count is right whatever ends them, persons know whether they are signed
// in, and programs may sign in for themselves.
#include "engine/auth/sessions/last_use.h"
#include "engine/auth/sessions/session_store.h"
#include "tests/unit/auth/office.h"

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

using namespace callisto;
using namespace callisto::auth;

namespace {

Options with_licences(int licences) {
  Options options;
  options.licences = licences;
  options.attempts_per_minute = 0;
  return options;
}

std::int64_t in_use(Office& office) {
  const std::int64_t count = office.number("SELECT in_use FROM licence_pool");
  CHECK(count == office.number("SELECT COUNT(*) FROM \"session\" WHERE \"IsDeleted\" = 0"));
  return count;
}

std::int64_t is_logged_in(Office& office) {
  return office.number("SELECT COALESCE(\"IsLoggedIn\", -1) FROM \"person\" WHERE \"Ref\" = 1");
}

LoginRequest by_itself(const Fields& changes = {}) {
  Fields fields{{"grant_type", "client_credentials"},
                {"client_id", "service"},
                {"client_secret", "secret"},
                {"scope", "session-type:User"}};
  for (const auto& [name, value] : changes) fields[name] = value;
  return form(fields);
}

}  // namespace

TEST_CASE("a licence is given back once, however its session ends") {
  Office office(with_licences(3));
  const TokenPair first = office.tokens(password_form("ada")), second = office.tokens(password_form("ada"));
  const TokenPair third = office.tokens(password_form("bob"));
  CHECK(in_use(office) == 3);
  CHECK(office.refusal(password_form("bob")).error == "invalid_grant");
  CHECK_FALSE(office.log_out(first));
  CHECK(in_use(office) == 2);
  CHECK(office.log_out(first)->status == 404);
  CHECK(in_use(office) == 2);
  const TokenPair next = office.tokens(refresh_form(second.refresh_token));
  office.tokens(refresh_form(next.refresh_token));
  CHECK(in_use(office) == 2);
  office.refusal(refresh_form(second.refresh_token));  // theft
  CHECK(in_use(office) == 1);
  office.refusal(refresh_form(second.refresh_token));
  CHECK(in_use(office) == 1);
  office.clock.advance_seconds(86400);
  office.sweep();
  CHECK(in_use(office) == 0);
  office.sweep();
  CHECK(in_use(office) == 0);
  CHECK(office.log_out(third)->status == 401);
}

TEST_CASE("expired sessions are ended before a sign-in is refused, without waiting for the sweep") {
  Office office(with_licences(2));
  office.tokens(password_form("ada"));
  office.tokens(password_form("ada"));
  office.clock.advance_seconds(86399);
  office.refusal(password_form("bob"));
  office.clock.advance_seconds(1);
  office.tokens(password_form("bob"));
  CHECK(in_use(office) == 1);
}

TEST_CASE("of fifty sign-ins at once for five licences five succeed") {
  constexpr int threads = 50;
  Office office(with_licences(5));
  std::atomic<int> succeeded = 0, refused = 0;
  std::latch start(threads);
  std::vector<std::thread> crowd;
  for (int i = 0; i < threads; ++i)
    crowd.emplace_back([&] {
      start.arrive_and_wait();
      const LoginAnswer answer = office.login(by_itself());
      const auto* error = std::get_if<OAuthError>(&answer);
      if (!error) ++succeeded;
      else if (error->error == "invalid_grant") ++refused;
    });
  for (std::thread& thread : crowd) thread.join();
  CHECK(succeeded == 5);
  CHECK(refused == threads - 5);
  CHECK(in_use(office) == 5);
}

TEST_CASE("the count is mended at start-up and once an hour") {
  Office office(with_licences(2));
  office.tokens(password_form("ada"));
  const auto spoil = [&] { office.run("UPDATE licence_pool SET in_use = 7"); };
  spoil();
  office.restart();
  CHECK(in_use(office) == 1);
  office.clock.advance_seconds(1800);
  spoil();
  office.sweep();
  CHECK(office.number("SELECT in_use FROM licence_pool") == 7);
  office.clock.advance_seconds(1800);
  office.sweep();
  CHECK(in_use(office) == 1);
}

TEST_CASE("the number of licences is that of the settings, at each start") {
  Office office(with_licences(1));
  office.tokens(password_form("ada"));
  office.refusal(password_form("ada"));
  office.options.licences = 2;
  office.restart();
  office.tokens(password_form("ada"));
  office.refusal(password_form("ada"));
  office.options.licences = 0;
  office.restart();
  office.tokens(password_form("ada"));
  CHECK(in_use(office) == 3);
}

TEST_CASE("a person is logged in while a session of theirs lives") {
  Office office;
  CHECK(is_logged_in(office) == -1);
  const TokenPair first = office.tokens(password_form("ada")), second = office.tokens(password_form("ada"));
  CHECK(is_logged_in(office) == 1);
  CHECK(office.number("SELECT \"LastLoginDate\" FROM \"person\" WHERE \"Ref\" = 1") == office.clock.now().ms);
  CHECK_FALSE(office.log_out(first));
  CHECK(is_logged_in(office) == 1);
  CHECK_FALSE(office.log_out(second));
  CHECK(is_logged_in(office) == 0);
  office.tokens(password_form("ada"));
  CHECK(is_logged_in(office) == 1);
  office.clock.advance_seconds(86400);
  office.sweep();
  CHECK(is_logged_in(office) == 0);
  CHECK(office.number("SELECT COUNT(*) FROM \"person\" WHERE \"IsLoggedIn\" IS NOT NULL") == 1);
}

TEST_CASE("a program signs in for itself: no person, no rights, the partitions of its role, a licence") {
  Office office(with_licences(2));
  TokenPair pair = office.tokens(by_itself());
  CHECK(pair.scope == "session-type:User");
  auto session = office.session(pair.access_token);
  CHECK_FALSE(session->person);
  CHECK(session->client_id == "service");
  CHECK(session->rights.empty());
  CHECK(session->partitions == std::vector<std::int64_t>{});
  office.write([&](storage::Connection& connection) -> Result<void> {
    const storage::Stamp stamp{office.clock.now(), office.random};
    CALLISTO_TRY(const std::int64_t role,
                 put_role(connection, {"Open", {"Administration"}, std::vector<std::int64_t>{2, 1}}, stamp));
    static const Sql sql("UPDATE \"client\" SET \"Role\" = ?1 WHERE \"ClientId\" = 'service'");
    CALLISTO_CHECK(connection.execute(sql, {Value(role)}));
    return {};
  });
  pair = office.tokens(refresh_form(pair.refresh_token, {{"client_id", "service"}, {"client_secret", "secret"}}));
  session = office.session(pair.access_token);
  CHECK(session->rights.empty());
  CHECK(session->partitions == std::vector<std::int64_t>{1, 2});
  office.tokens(by_itself());
  CHECK(office.refusal(by_itself()).error == "invalid_grant");
  CHECK(in_use(office) == 2);
}

TEST_CASE("client_credentials is for clients that prove themselves, with the User scope") {
  Office office;
  struct Case {
    Fields changes;
    int status;
    std::string error;
  };
  for (const Case& each : std::vector<Case>{{{{"scope", "session-type:Analyst"}}, 400, "invalid_scope"},
                                            {{{"scope", "session-type:user"}}, 400, "invalid_scope"},
                                            {{{"scope", ""}}, 400, "invalid_request"},
                                            {{{"client_secret", "wrong"}}, 401, "invalid_client"},
                                            {{{"client_secret", ""}}, 401, "invalid_client"},
                                            {{{"client_id", "app"}}, 400, "unauthorized_client"},
                                            {{{"client_id", "renewer"}}, 400, "unauthorized_client"},
                                            {{{"client_id", "disabled"}}, 401, "invalid_client"},
                                            {{{"client_id", "nobody"}}, 401, "invalid_client"}}) {
    const OAuthError error = office.refusal(by_itself(each.changes));
    INFO(each.changes.begin()->first << "=" << each.changes.begin()->second);
    CHECK(error.status == each.status);
    CHECK(error.error == each.error);
  }
  CHECK(in_use(office) == 0);
}

TEST_CASE("sessions of a client that is disabled or gone are dead") {
  for (const char* change : {"UPDATE \"client\" SET \"IsEnabled\" = 0", "UPDATE \"client\" SET \"IsDeleted\" = 1",
                             "UPDATE \"client\" SET \"SessionType\" = 'analyst'"}) {
    INFO(change);
    Office office;
    const TokenPair pair = office.tokens(password_form("ada"));
    office.session(pair.access_token);
    office.run(change);
    office.service().forget_all();
    office.unauthenticated(pair.access_token);
    CHECK(office.refusal(refresh_form(pair.refresh_token)).error == "invalid_client");
  }
}

TEST_CASE("a session row is complete: the API reads it like any other") {
  Office office;
  LoginRequest request = password_form("ada");
  request.remote_address = "2001:db8::7";
  office.tokens(request);
  CHECK(office.number(
            "SELECT COUNT(*) FROM \"session\" WHERE \"Ref\" = 1 AND length(\"Id\") = 36 AND \"RecordVersion\" = 1 "
            "AND \"IsDeleted\" = 0 AND \"Person\" = 1 AND \"Client\" = 1 AND \"SessionType\" = 'User' "
            "AND \"Address\" = '2001:db8::7' AND \"CreatedDate\" = \"LastUsed\" "
            "AND \"ExpiresDate\" = \"CreatedDate\" + 86400000") == 1);
}

TEST_CASE("when a session was last used is written by the sweep, once a minute at most") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  const std::int64_t start = office.clock.now().ms;
  const auto use_and_sweep = [&](int seconds) {
    office.clock.advance_seconds(seconds);
    office.session(pair.access_token);
    office.sweep();
    return (office.number("SELECT \"LastUsed\" FROM \"session\"") - start) / 1000;
  };
  CHECK(use_and_sweep(10) == 10);
  CHECK(use_and_sweep(30) == 10);
  CHECK(use_and_sweep(29) == 10);
  CHECK(use_and_sweep(1) == 70);
}

TEST_CASE("what is not used any more is written once and forgotten") {
  LastUse uses;
  uses.note(1, {1000});
  uses.note(2, {2000});
  uses.note(1, {3000});
  CHECK(uses.take_due({100'000}).size() == 2);
  CHECK(uses.take_due({200'000}).empty());
  uses.note(1, {200'000});
  const auto due = uses.take_due({200'000});
  REQUIRE(due.size() == 1);
  CHECK(due[0].second.ms == 200'000);
}
