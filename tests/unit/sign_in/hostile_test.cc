// What somebody tries who wants to be sent elsewhere, to sign another in, or to speak in the page's name.
#include "engine/base/html.h"
#include "engine/sign_in/answer_url.h"
#include "engine/sign_in/pages/page.h"
#include "tests/unit/sign_in/lobby.h"

using namespace callisto;
using namespace callisto::sign_in;
using Catch::Contains;

TEST_CASE("a browser is sent to absolute uris only, never to one that runs or hides something") {
  for (const char* uri : {"https://app.example/back", "http://127.0.0.1:8765/cb", "http://[::1]/cb", "https://a?b=c",
                          "com.example.app:/cb", "com.example.app://cb"}) {
    INFO(uri);
    CHECK(is_redirectable(uri));
  }
  for (const char* uri : {"",
                          "/back",
                          "//evil.example",
                          "///evil.example",
                          "https:",
                          "https://",
                          "https:///evil.example",
                          "http:evil",
                          "https://user@evil.example/",
                          "https://app.example@evil.example/",
                          "https://app.example\\@evil.example/",
                          "https://app.example/\r\nSet-Cookie: a=b",
                          "https://app.example/\nx",
                          "https://app.example/a b",
                          "https://app.example/#f",
                          "https://app.example/\x7f",
                          "https://\xc3\xa4pp.example/",
                          "javascript:alert(1)",
                          "JavaScript:alert(1)",
                          "data:text/html,x",
                          "vbscript:x",
                          "blob:https://a/b",
                          "file:///etc/passwd",
                          "about:blank",
                          "1a:b",
                          "a_b://c",
                          ":x",
                          "https://:443/",
                          "\thttps://app.example/"}) {
    INFO(uri);
    CHECK_FALSE(is_redirectable(uri));
  }
}

TEST_CASE("an odd registered uri ends in a page") {
  for (const char* uri : {"//evil.example", "javascript:alert(1)", "https://a@evil.example/", "https://a/#b"}) {
    Lobby lobby;
    lobby.service.redirect_uri = uri;
    CHECK(lobby.get(good).status == 400);
    CHECK(lobby.get("client_id=app&response_type=token").status == 400);
  }
}

TEST_CASE("a redirect uri near the registered one is a page") {
  for (const char* uri :
       {"https://app.example/back?tab=1x", "https://app.example/back?tab=1%26code=mine", "https://app.example/back",
        "https://app.example.evil.example/back?tab=1", "https://app.example@evil.example/back?tab=1",
        "https://app.example/back?tab=1%23", "https://app.example/back?tab=1%0d%0aX: y", "//app.example/back?tab=1",
        "https://APP.example/back?tab=1", "https://app.example:443/back?tab=1",
        "https://app.example/x/../back?tab=1"}) {
    INFO(uri);
    Lobby lobby;
    CHECK(lobby.get(good + "&redirect_uri=" + encoded(uri)).status == 400);
  }
}

TEST_CASE("an answer goes behind the uri's own query") {
  CHECK(answer_url("https://a/b", {{"code", "1"}, {"state", ""}, {"iss", "x"}}) == "https://a/b?code=1&iss=x");
  CHECK(answer_url("https://a/b?", {{"code", "1"}}) == "https://a/b?code=1");
  CHECK(answer_url("https://a/b?c", {{"code", "&="}}) == "https://a/b?c&code=%26%3D");
  CHECK(answer_url("https://a/b?c&", {{"code", "\r\n"}}) == "https://a/b?c&code=%0D%0A");
}

TEST_CASE("the page tells where one returns to, and calls nothing else this device") {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"https://app.example:8443/a", "app.example:8443"},
      {"http://127.0.0.1:8765/cb", "a program on this device"},
      {"http://localhost/cb", "a program on this device"},
      {"http://[::1]:1/cb", "a program on this device"},
      {"com.example.app:/cb", "an app on this device"},
      {"https://127.0.0.1.evil.example/", "127.0.0.1.evil.example"},
      {"https://localhost.evil.example/", "localhost.evil.example"},
      {"https://a_b.example/", "a_b.example"},
  };
  for (const auto& [uri, words] : rows) CHECK(destination_of(uri) == words);
}

TEST_CASE("nothing of a redirect uri can add to the policy") {
  CHECK(policy_source("https://a;script-src 'unsafe-inline'/") == "https:");
  CHECK(policy_source("https://a,b/") == "https:");
  CHECK(policy_source("https://*.example/") == "https:");
  CHECK(policy_source("nothing").empty());
}

TEST_CASE("text is never markup, whoever wrote it") {
  const std::string attack = "\"><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;";
  const std::string escaped =
      "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;amp;";
  CHECK(Html("").text(attack).str() == escaped);
  {
    Lobby lobby;
    lobby.service.client_name = attack;
    CHECK_THAT(lobby.get(good).body, Contains("<bdi>" + escaped + "</bdi>"));
  }
  {
    Lobby lobby({"https://desk.example", "/service.web/oauth", attack});
    CHECK_THAT(lobby.get(good).body, Contains("<title>Sign in – " + escaped + "</title>"));
  }
  Lobby lobby;
  CHECK_THAT(lobby.get("client_id=" + encoded(attack)).body, Contains("No such client: &lt;" + escaped));
  const Reply hinted = lobby.get("response_type=code&client_id=app&login_hint=" + encoded(attack));
  CHECK_THAT(hinted.body, Contains("value=\"" + escaped + "\""));
  const Reply typed = lobby.submit(hinted, attack, "x");
  CHECK_THAT(typed.body, Contains("value=\"" + escaped + "\""));
  // Lobby::send has found no <script> in any of them; state stands in the sealed request and in the way back.
  const Reply state = lobby.get("response_type=code&client_id=app&state=" + encoded(attack));
  CHECK(state.body.find("onerror=") == std::string::npos);
  CHECK_THAT(lobby.submit(state).location(), Contains("&state=" + encoded(attack) + "&iss="));
}

TEST_CASE("line ends in a state stay in the query") {
  Lobby lobby;
  const Reply done = lobby.submit(lobby.get("response_type=code&client_id=app&state=a%0d%0aSet-Cookie:%20b"));
  CHECK_THAT(done.location(), Contains("&state=a%0D%0ASet-Cookie%3A%20b&iss="));
}

namespace {

void check_refused(Lobby& lobby, const Reply& reply) {
  CHECK(reply.status == 400);
  CHECK_THAT(reply.body, Contains("This page is out of date"));
  CHECK(lobby.service.passwords_checked.empty());
  CHECK(lobby.service.codes_issued.empty());
}

const std::string credentials = "&username=ada&password=lovelace";

}  // namespace

TEST_CASE("a form counts with the cookie of the browser that was given it alone") {
  Lobby lobby;
  const Reply page = lobby.get(good);
  const Reply other = lobby.get(good);
  const std::string sealed = "request=" + encoded(pending_of(page)) + credentials;
  const std::string cookie = cookie_of(page);
  REQUIRE(cookie.starts_with("__Host-callisto-sign-in="));
  CHECK_THAT(page.header("Set-Cookie"), Contains("; Path=/; HttpOnly; SameSite=Lax; Secure") && !Contains("Domain"));
  check_refused(lobby, lobby.post(sealed, ""));                // another site's form: Lax cookies stay at home
  check_refused(lobby, lobby.post(sealed, cookie_of(other)));  // another browser
  check_refused(lobby, lobby.post("request=" + encoded(pending_of(other)) + credentials, cookie));
  check_refused(lobby, lobby.post(sealed, cookie + "; " + cookie_of(other)));  // a planted one beside it
  check_refused(lobby, lobby.post(sealed, cookie.substr(7)));                  // without __Host-
  check_refused(lobby, lobby.post(sealed, cookie + "x"));
  check_refused(lobby, lobby.post("request=" + credentials, cookie));
  check_refused(lobby, lobby.post(credentials.substr(1), cookie));
  check_refused(lobby, lobby.post(sealed, "__Host-callisto-sign-in="));
  check_refused(lobby, lobby.post(sealed, cookie, {{"Sec-Fetch-Site", "cross-site"}}));
  check_refused(lobby, lobby.post(sealed, cookie, {{"Sec-Fetch-Site", "same-site"}}));
  CHECK(lobby.post(sealed, "a=b; " + cookie + "; c", {{"Sec-Fetch-Site", "same-origin"}}).status == 303);
}

TEST_CASE("no character of a sealed request can be another") {
  Lobby lobby;
  const Reply page = lobby.get(good);
  const std::string sealed = pending_of(page);
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    std::string changed = sealed;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    INFO(changed);
    check_refused(lobby, lobby.post("request=" + encoded(changed) + credentials, cookie_of(page)));
  }
  check_refused(lobby, lobby.post("request=" + encoded(sealed + "&x=y") + credentials, cookie_of(page)));
  check_refused(lobby, lobby.post("request=" + encoded(sealed.substr(1)) + credentials, cookie_of(page)));
  CHECK(lobby.submit(page).status == 303);
}

TEST_CASE("a form from before a restart is out of date, with and without its own cookie") {
  Lobby lobby;
  const Reply page = lobby.get(good);
  lobby.restart();
  check_refused(lobby, lobby.submit(page));
}

TEST_CASE("an hour later the page is there again, fresh, and nothing was checked") {
  Lobby lobby;
  const Reply page = lobby.get(good);
  lobby.clock.advance_seconds(3600);
  CHECK(lobby.submit(page).status == 303);
  lobby.service.passwords_checked.clear();
  lobby.clock.advance_ms(1);
  const Reply late = lobby.submit(page);
  CHECK(late.status == 400);
  CHECK_THAT(late.body, Contains("open for a long time"));
  CHECK(lobby.service.passwords_checked.empty());
  CHECK(lobby.post("request=" + encoded(pending_of(late)) + credentials, cookie_of(page)).status == 303);
}

TEST_CASE("the request is checked again when the form comes: a client may be gone meanwhile") {
  Lobby lobby;
  const Reply page = lobby.get(good + "&redirect_uri=" + encoded(lobby.service.redirect_uri));
  lobby.service.redirect_uri = "https://elsewhere.example/";
  CHECK(lobby.submit(page).status == 400);
  CHECK(lobby.service.passwords_checked.empty());
}

TEST_CASE("a form of another type, too long, or with a doubled field is refused") {
  Lobby lobby;
  const Reply page = lobby.get(good);
  const std::string sealed = "request=" + encoded(pending_of(page)) + credentials;
  const std::string cookie = cookie_of(page);
  CHECK(lobby.send("POST", "", {{"Cookie", cookie}, {"Content-Type", "text/plain"}}, sealed).status == 415);
  CHECK(lobby.send("POST", "", {{"Cookie", cookie}}, sealed).status == 415);
  CHECK(lobby.post(sealed + "&x=" + std::string(40'000, 'x'), cookie).status == 413);
  for (const char* doubled : {"&username=eve", "&password=x", "&request=x", "&username=%zz"})
    CHECK(lobby.post(sealed + doubled, cookie).status == 400);
  CHECK(lobby.service.passwords_checked.empty());
  CHECK(lobby
            .send("POST", "",
                  {{"Cookie", cookie}, {"Content-Type", "Application/X-WWW-Form-Urlencoded; charset=UTF-8"}}, sealed)
            .status == 303);
}

TEST_CASE("the form's own query counts for nothing") {
  Lobby lobby;
  const Reply page = lobby.get(good);
  const Reply done = lobby.send("POST", "client_id=other&state=evil&redirect_uri=https://evil.example",
                                {{"Cookie", cookie_of(page)}, {"Content-Type", "application/x-www-form-urlencoded"}},
                                "request=" + encoded(pending_of(page)) + credentials);
  CHECK(done.location().starts_with("https://app.example/back?tab=1&code="));
  CHECK_THAT(done.location(), Contains("&state=s%201&"));
}
