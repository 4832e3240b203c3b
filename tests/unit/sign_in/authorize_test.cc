#include "tests/unit/sign_in/lobby.h"

using namespace callisto;
using namespace callisto::sign_in;
using Catch::Contains;

TEST_CASE("a person signs in and goes back to the client with code, state and issuer behind its own query") {
  Lobby lobby;
  const Reply page = lobby.get(good);
  REQUIRE(page.status == 200);
  CHECK_THAT(page.body, Contains("The application") && Contains("Desk") && Contains("app.example"));
  const Reply done = lobby.submit(page);
  CHECK(done.status == 303);
  CHECK(done.location() ==
        "https://app.example/back?tab=1&code=code%2F%2B%201&state=s%201&iss=https%3A%2F%2Fdesk.example");
  CHECK(done.body.empty());
  CHECK(lobby.service.codes_issued == std::vector<std::int64_t>{7});
}

TEST_CASE("a wrong password shows the page again with one message and the name, and then the right one works") {
  Lobby lobby;
  const Reply page = lobby.get(good);
  const Reply wrong = lobby.submit(page, "ada", "wrong");
  const Reply unknown = lobby.submit(page, "nobody", "lovelace");
  for (const Reply* each : {&wrong, &unknown}) {
    CHECK(each->status == 400);
    CHECK_THAT(each->body, Contains("role=\"alert\"") && Contains("The user name and password do not match") &&
                               !Contains("secret reason") && !Contains("lovelace") && !Contains("value=\"wrong\""));
  }
  CHECK_THAT(wrong.body, Contains("value=\"ada\""));
  CHECK(wrong.header("Set-Cookie").empty());  // the browser has one
  const Reply done =
      lobby.post("request=" + encoded(pending_of(wrong)) + "&username=ada&password=lovelace", cookie_of(page));
  CHECK(done.status == 303);
}

TEST_CASE("a person who may not hold such a session is told what a wrong password is told") {
  Lobby lobby;
  lobby.service.code.reset();
  const Reply refused = lobby.submit(lobby.get(good));
  CHECK(refused.status == 400);
  CHECK_THAT(refused.body, Contains("The user name and password do not match"));
}

TEST_CASE("too many attempts and too much work are told with the time to wait") {
  struct Row {
    auth::OAuthError refusal;
    std::string words;
  };
  const std::vector<Row> rows{
      {{429, "invalid_request", "", 12}, "too many attempts to sign in. Wait 12 seconds, then try again."},
      {{429, "invalid_request", "", 90}, "Wait 90 seconds"},
      {{429, "invalid_request", "", 91}, "Wait 2 minutes"},
      {{503, "temporarily_unavailable", "", 1}, "Too many people are signing in right now. Wait 1 second, then"},
      {{503, "temporarily_unavailable", "", 0}, "Try again a little later."},
  };
  for (const Row& row : rows) {
    INFO(row.words);
    Lobby lobby;
    lobby.service.password_refusal = row.refusal;
    const Reply reply = lobby.submit(lobby.get(good));
    CHECK(reply.status == row.refusal.status);
    CHECK_THAT(reply.body, Contains(row.words));
    const int wait = row.refusal.retry_after_seconds;
    CHECK(reply.header("Retry-After") == (wait > 0 ? std::to_string(wait) : ""));
  }
}

TEST_CASE("an empty name or password is asked for before anything is checked") {
  Lobby lobby;
  const Reply page = lobby.get(good);
  for (const auto& [name, password] : {std::pair("", "x"), std::pair("ada", ""), std::pair("", "")}) {
    const Reply reply = lobby.submit(page, name, password);
    CHECK(reply.status == 400);
    CHECK_THAT(reply.body, Contains("Enter your user name and your password."));
  }
  CHECK(lobby.service.passwords_checked.empty());
}

TEST_CASE("what is wrong with the client or its redirect uri is a page, never a redirect") {
  for (const std::string query :
       {"", "response_type=code", "response_type=code&client_id=other", "response_type=code&client_id=App",
        "client_id=app&client_id=app&response_type=code",
        "client_id=app&response_type=code&redirect_uri=https%3a%2f%2fapp.example%2fback%3ftab%3d1&redirect_uri=x",
        "client_id=app&response_type=code&redirect_uri=https%3a%2f%2fevil.example", "client_id=%zz", "client_id=%00",
        "client_id=app%ff"}) {
    INFO(query);
    Lobby lobby;
    const Reply reply = lobby.get(query);
    CHECK(reply.status == 400);
    CHECK_THAT(reply.body, Contains("This sign-in cannot continue") && !Contains("<form"));
  }
  Lobby lobby;
  CHECK(lobby.get("response_type=code&client_id=" + std::string(201, 'a')).status == 400);
  CHECK(lobby.get(good + "&redirect_uri=" + std::string(2001, 'a')).status == 400);
}

TEST_CASE("every other error goes to the client with error, description, state and issuer") {
  struct Row {
    std::string query, expected;
  };
  const std::vector<Row> rows{
      {"response_type=token&client_id=app&state=a%26b%23",
       "error=unsupported_response_type&error_description=Only%20code%20%26%20%22nothing%22%20else.&state=a%26b%23"},
      {good + "&scope=a&scope=b",
       "error=invalid_request&error_description=The%20parameter%20scope%20stands%20there%20twice.&state=s%201"},
      {good + "&state=other",
       "error=invalid_request&error_description=The%20parameter%20state%20stands%20there%20twice."},
      {good + "&state=&state=",
       "error=invalid_request&error_description=The%20parameter%20state%20stands%20there%20twice."},
      {"response_type=code&client_id=app&state=" + std::string(2001, 's'),
       "error=invalid_request&error_description=The%20parameter%20state%20is%20too%20long."},
      {good + "&prompt=none", "error=login_required&error_description=Nobody%20is%20signed%20in.&state=s%201"},
      {good + "&prompt=none+login",
       "error=invalid_request&error_description=The%20parameter%20prompt%20has%20%27none%27%20together%20with%20other%"
       "20words.&state="
       "s%201"},
  };
  for (const Row& row : rows) {
    INFO(row.query);
    Lobby lobby;
    const Reply reply = lobby.get(row.query);
    CHECK(reply.status == 303);
    CHECK(reply.location() == "https://app.example/back?tab=1&" + row.expected + "&iss=https%3A%2F%2Fdesk.example");
  }
}

TEST_CASE("a cookie comes with the page alone, to a browser that has none") {
  Lobby lobby;
  const Reply page = lobby.get(good);
  CHECK_FALSE(page.header("Set-Cookie").empty());
  CHECK(lobby.get(good, {{"Cookie", cookie_of(page)}}).header("Set-Cookie").empty());
  CHECK(lobby.get("client_id=other").header("Set-Cookie").empty());
  CHECK(lobby.get(good + "&prompt=none").header("Set-Cookie").empty());
}

TEST_CASE("unknown parameters are ignored, also twice; a login hint fills the name") {
  Lobby lobby;
  CHECK(lobby.get(good + "&resource=a&resource=b&nonce=1").status == 200);
  CHECK_THAT(lobby.get(good + "&login_hint=ada").body, Contains("value=\"ada\""));
}

TEST_CASE("the issuer is the server's url, or what the browser called it") {
  Lobby lobby({"", "/service.web/oauth", "Desk"});
  const Headers host{{"Host", "localhost:8080"}};
  const Reply page = lobby.get(good, host);
  CHECK(page.header("Set-Cookie").starts_with("callisto-sign-in="));
  CHECK_THAT(page.header("Set-Cookie"), !Contains("Secure") && Contains("; Path=/; HttpOnly; SameSite=Lax"));
  Headers headers{host.front(), {"Cookie", cookie_of(page)}, {"Content-Type", "application/x-www-form-urlencoded"}};
  const Reply done =
      lobby.send("POST", "", headers, "request=" + encoded(pending_of(page)) + "&username=ada&password=lovelace");
  CHECK_THAT(done.location(), Contains("&iss=http%3A%2F%2Flocalhost%3A8080"));
}

TEST_CASE("below a path of a proxy the form leads there") {
  Lobby lobby({"https://host.example/desk", "/service.web/oauth", "Desk"});
  CHECK_THAT(lobby.get(good).body, Contains("action=\"/desk/service.web/oauth/authorize\""));
}

TEST_CASE("other methods are 405, with what works; the database's failure is a page without its reason") {
  Lobby lobby;
  for (const char* method : {"HEAD", "PUT", "DELETE", "OPTIONS"}) {
    const Reply reply = lobby.send(method, good);
    CHECK(reply.status == 405);
    CHECK(reply.header("Allow") == "GET, POST");
  }
  lobby.service.broken = true;
  const Reply reply = lobby.get(good);
  CHECK(reply.status == 500);
  CHECK_THAT(reply.body, Contains("Something went wrong") && !Contains("disk"));
}

TEST_CASE("the form may lead to this server and to the client's origin, nowhere else") {
  struct Row {
    std::string redirect_uri, source;
  };
  for (const Row& row :
       {Row{"https://app.example:8443/a?b", "https://app.example:8443"},
        Row{"http://127.0.0.1:8765/callback", "http://127.0.0.1:8765"}, Row{"http://[::1]:8765/callback", "http:"},
        Row{"com.example.app:/back", "com.example.app:"}}) {
    Lobby lobby;
    lobby.service.redirect_uri = row.redirect_uri;
    CHECK_THAT(lobby.get(good).header("Content-Security-Policy"),
               Contains("; form-action 'self' " + row.source + "; "));
  }
  Lobby lobby;
  CHECK_THAT(lobby.get("").header("Content-Security-Policy"), Contains("; form-action 'none'; "));
}

TEST_CASE("one can go back without signing in") {
  Lobby lobby;
  CHECK_THAT(lobby.get(good).body,
             Contains("href=\"https://app.example/back?tab=1&amp;error=access_denied&amp;state=s%201&amp;iss="));
}

TEST_CASE("the page speaks to password managers and screen readers") {
  Lobby lobby;
  const std::string body = lobby.get(good).body;
  CHECK_THAT(body, Contains("<html lang=\"en\">") && Contains("autocomplete=\"username\"") &&
                       Contains("autocomplete=\"current-password\"") && Contains("<label for=\"username\">") &&
                       Contains("<label for=\"password\">") && Contains("width=device-width"));
  CHECK(body.find("autofocus") < body.find("id=\"password\""));
  const std::string hinted = lobby.get(good + "&login_hint=ada").body;
  CHECK(hinted.find("autofocus") > hinted.find("id=\"password\""));
}
