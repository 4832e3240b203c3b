// The commands for people, clients and sessions: what they change is what a server then does, what they print is for
// people on a terminal and for programs elsewhere, and their exit status says how it went.
#include "oauth_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

Finished run(const OAuthDesk& desk, std::vector<std::string> arguments, std::string_view input = {}) {
  arguments.insert(arguments.end(), {"--data", desk.folder(), "--set", "log.level=off"});
  return run_program(arguments, input);
}

void check(const Finished& finished, int status, const std::string& part) {
  INFO(finished.output);
  CHECK(finished.exit_status == status);
  CHECK(finished.output.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("commands change who may sign in, while no server has the desk open") {
  OAuthDesk desk;
  desk.server().stop();
  check(run(desk, {"person", "add", "carla", "--analyst", "--role", "Analyst Vienna"}, "secret-words\n"), 0, "CARLA");
  check(run(desk, {"person", "add", "carla"}, "secret-words\n"), 1, "taken");
  check(run(desk, {"person", "add", "dora", "--role", "Nothing"}, "secret-words\n"), 1, "Nothing");
  check(run(desk, {"person", "add", "dora"}, "short\n"), 2, "8 characters");
  check(run(desk, {"person", "password", "Carla"}, "other-words\n"), 0, "CARLA");
  check(run(desk, {"person", "password", "nobody"}, "other-words\n"), 1, "NOBODY");
  check(run(desk, {"person", "password", "carla"}, "\n"), 2, "8 characters");
  check(run(desk, {"client", "add", "tool", "--secret", "--grants", "client_credentials", "--role", "User Vienna"},
            "tool-secret\n"),
        0, "tool");
  check(run(desk, {"client", "add", "portal", "--session-type", "User", "--grants", "password"}), 0, "portal");
  check(run(desk, {"client", "add", "x", "--grants", "passwort"}), 2, "passwort");
  check(run(desk, {"client", "add", "x", "--session-type", "user"}), 2, "user");
  check(run(desk, {"client", "add", "x", "--role", "Nothing"}), 1, "Nothing");
  check(run(desk, {"client", "add", "x", "--secret"}, "\n"), 2, "standard input");
  check(run(desk, {"client", "disable", "quick"}), 0, "disabled");
  check(run(desk, {"client", "disable", "x"}), 1, "client list");
  check(run(desk, {"client", "remove", "x"}), 2, "");
  const Finished clients = run(desk, {"client", "list"});
  check(clients, 0, "tool\ttool\tenabled\tsecret\tAny\tclient_credentials\t\n");
  check(clients, 0, "portal\tportal\tenabled\tpublic\tUser\tpassword\t\n");
  check(clients, 0, "quick\tquick\tdisabled\tsecret\t");
  for (const char* hidden : {"scrypt", "tool-secret"}) CHECK(clients.output.find(hidden) == std::string::npos);

  desk.start();
  const std::string as_carla = "grant_type=password&username=carla&password=";
  CHECK(desk.send("login", as_carla + "secret-words&client_id=portal&scope=session-type:User").what() ==
        "400 invalid_grant");
  CHECK(desk.send("login", as_carla + "other-words&client_id=portal&scope=session-type:Analyst").what() ==
        "400 invalid_scope");
  const auto carla = desk.sign_in(as_carla + "other-words&client_id=sample-app&scope=session-type:Analyst");
  REQUIRE(carla);
  CHECK(desk.api(carla->access, "GET", "call?$count=true").raw ==
        desk.api(desk.pair("analyst", "session-type:Analyst").access, "GET", "call?$count=true").raw);
  CHECK(desk.sign_in("grant_type=client_credentials&client_id=tool&client_secret=tool-secret&scope=session-type:User"));
  CHECK(desk.send("login", "grant_type=client_credentials&scope=session-type:User" + by_quick).what() ==
        "401 invalid_client");
}

TEST_CASE("commands take what the API takes, in its words, and nothing else") {
  OAuthDesk desk;
  desk.server().stop();
  const std::string words = "secret-words\n", longest(80, 'x'), too_long(81, 'x');
  const std::string at_most_80 = ": Text: text of at most 80 characters is expected";
  check(run(desk, {"person", "add", ""}, words), 2, "LoginId: is mandatory");
  check(run(desk, {"person", "add", too_long}, words), 2, "LoginId" + at_most_80);
  check(run(desk, {"person", "add", "a\xC3(b"}, words), 2, "LoginId: Text: valid UTF-8 is expected");
  check(run(desk, {"person", "add", "eva", "--first-name", too_long}, words), 2, "FirstName" + at_most_80);
  check(run(desk, {"person", "add", "eva", "--last-name", "\xFF"}, words), 2, "LastName: Text: valid UTF-8");
  check(run(desk, {"person", "add", longest, "--first-name", longest}, words), 0, "added");

  check(run(desk, {"client", "add", ""}), 2, "ClientId: is mandatory");
  check(run(desk, {"client", "add", std::string(101, 'x')}), 2, "ClientId: Text: text of at most 100 characters");
  check(run(desk, {"client", "add", "x", "--name", too_long}), 2, "Name" + at_most_80);
  check(run(desk, {"client", "add", "x", "--description", "\xFF"}), 2, "Description: Text: valid UTF-8 is expected");
  for (const char* uri : {"not a uri", "", "callback", "https:", "javascript:alert(1)", "https://desk.example/cb#here",
                          "https://a.example/cb https://b.example/cb", "data:text/html,x"})
    check(run(desk, {"client", "add", "x", "--redirect-uri", uri}), 2,
          "RedirectUris: '" + std::string(uri) + "' is no absolute uri");
  check(run(desk, {"client", "add", "native", "--redirect-uri", "http://127.0.0.1/cb", "--redirect-uri",
                   "com.example.app:/cb"}),
        0, "native");
}

TEST_CASE("sessions are listed beside a running server; ending one there is left to the API, and the command says so",
          "[sqlite]") {
  OAuthDesk desk;
  const Pair pair = desk.quick();
  const Pair user = desk.pair("user");
  const Finished list = run(desk, {"session", "list"});
  check(list, 0, "1\t-\tquick\tUser\t20");
  check(list, 0, "2\tUSER\tsample-app\tUser\t20");
  CHECK(list.output.find("REF") == std::string::npos);  // titles are for terminals
  check(run(desk, {"client", "list"}), 0, "sample-app");
  check(run(desk, {"session", "end", "1"}), 1, "DELETE /service.api/api/v1/session/1");
  check(run(desk, {"client", "disable", "quick"}), 1, "PUT /service.api/api/v1/client/REF");
  check(run(desk, {"person", "password", "user"}, "other-words\n"), 1, "stop it first");
  CHECK(desk.api(pair.access, "GET", "").status == 200);

  desk.server().stop();
  check(run(desk, {"session", "end", "1"}), 0, "session 1 ended");
  check(run(desk, {"session", "end", "1"}), 1, "session list");
  check(run(desk, {"session", "end", "99"}), 1, "99");
  check(run(desk, {"session", "end", "x"}), 2, "");
  check(run(desk, {"session", "end"}), 2, "");
  CHECK(run(desk, {"session", "list"}).output.find("quick") == std::string::npos);
  CHECK(desk.number("SELECT in_use FROM licence_pool") == 1);
  desk.start();
  CHECK(desk.api(pair.access, "GET", "").status == 401);
  CHECK(desk.log_out(pair.refresh, pair.access).what() == "404 invalid_grant");
  CHECK(desk.api(user.access, "GET", "").status == 200);
}

TEST_CASE("sessions end with the password or the client that a command changes") {
  OAuthDesk desk;
  const Pair program = desk.quick();
  const Pair user = desk.pair("user");
  const Pair other = desk.pair("analyst", "session-type:Analyst");
  desk.server().stop();
  check(run(desk, {"person", "password", "user"}, "other-words\n"), 0, "password of USER set");
  check(run(desk, {"client", "disable", "quick"}), 0, "client quick disabled");
  CHECK(desk.number("SELECT in_use FROM licence_pool") == 1);
  desk.start();
  CHECK(desk.api(user.access, "GET", "").status == 401);
  CHECK(desk.api(program.access, "GET", "").status == 401);
  CHECK(desk.api(other.access, "GET", "").status == 200);
}

TEST_CASE("a desk that is not there cannot be listed") {
  const TemporaryFolder folder;
  for (const char* noun : {"session", "client"}) {
    const Finished finished = run_program({noun, "list", "--data", folder.path() + "/none"});
    check(finished, 1, "callisto: ");
  }
}
