// The workbench's server side: landing, signing in as a token-mediating backend, and the files of its pages. What
// people see is tested in tests/browser.
#include "server_process.h"

#include <catch2/catch.hpp>

#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;

const std::string secret = "correct-horse-battery";
const std::string own_page = "Sec-Fetch-Site: same-origin";
const std::string session_cookie = "__Host-callisto-workbench=", way_cookie = "__Host-callisto-workbench-way=";

// Behind a proxy that vouches for people, so that the way to the login page and back needs no form.
struct Desk {
  explicit Desk(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"--samples",
                                       "--set",
                                       "sso.trusted_proxies=127.0.0.1",
                                       "--set",
                                       "sso.secret=" + secret,
                                       "--set",
                                       "base_url=https://desk.example"};
    for (const std::string& each : more) arguments.insert(arguments.end(), {"--set", each});
    server.emplace(folder.path(), arguments);
  }
  TemporaryFolder folder;
  std::optional<ServerProcess> server;
};

const ServerProcess& desk() {
  static const Desk one;
  return *one.server;
}

// The value of that cookie as a header sends it back; the answer has one Set-Cookie header or the map the last of them.
std::string cookie_of(const Answer& answer) {
  const auto found = answer.headers.find("set-cookie");
  return found == answer.headers.end() ? std::string() : found->second.substr(0, found->second.find(';'));
}

std::string path_of(const Answer& answer) {
  const std::string location = answer.headers.at("location");
  const std::string base = "https://desk.example";
  return location.starts_with(base) ? location.substr(base.size()) : location;
}

// Where the browser comes back to, and the cookie that it has then.
struct Way {
  std::string callback, cookie;
};

Way begin(const ServerProcess& server, const std::string& login, const std::string& as = {}) {
  const Answer begun = server.send("GET", "/workbench/sign-in" + as, {own_page});
  REQUIRE(begun.status == 303);
  const Answer vouched =
      server.send("GET", path_of(begun), {"X-Remote-User: " + login, "X-Callisto-Proxy-Secret: " + secret});
  INFO(vouched.body);
  REQUIRE(vouched.status == 303);
  return {path_of(vouched), cookie_of(begun)};
}

// The session's cookie: "name=secret".
std::string sign_in(const ServerProcess& server, const std::string& login, const std::string& as = {}) {
  const Way way = begin(server, login, as);
  const Answer done = server.send("GET", way.callback, {"Cookie: " + way.cookie});
  REQUIRE(done.status == 303);
  CHECK(path_of(done) == "/workbench");
  return cookie_of(done);
}

Answer ask_token(const ServerProcess& server, const std::string& cookie, const std::string& header = own_page) {
  return server.send("POST", "/workbench/token", {"Cookie: " + cookie, header});
}

std::string token_of(const Answer& answer) {
  INFO(answer.body);
  REQUIRE(answer.status == 200);
  return json::parse(answer.body)->find("access_token")->text();
}

std::size_t sessions_of_workbench(const ServerProcess& server) {
  const Client admin(server, server.token("admin"));
  return admin.get_json("v1/session", {{"$filter", "Client.ClientId == \"workbench\""}})
      .find("results")
      ->items()
      .size();
}

}  // namespace

TEST_CASE("a browser that opens the server's address lands at the workbench, a program is told that nothing is there") {
  const Answer landed = sample_server().send("GET", "/", {"Accept: text/html,application/xhtml+xml,*/*;q=0.8"});
  CHECK(landed.status == 303);
  CHECK(landed.headers.at("location") == "/workbench");
  CHECK(sample_server().send("GET", "/", {"Accept: application/json"}).status == 404);
  CHECK(sample_server().send("GET", "/").status == 404);
}

TEST_CASE("every page is a document without data, whose policy allows nothing inline and nothing from elsewhere") {
  const Answer page = sample_server().send("GET", "/workbench/record/anything/1");
  CHECK(page.status == 200);
  CHECK(page.headers.at("content-type") == "text/html; charset=utf-8");
  const std::string policy = page.headers.at("content-security-policy");
  CHECK(policy.find("unsafe") == std::string::npos);
  CHECK(policy.find("default-src 'none'; script-src 'self'; style-src 'self'") == 0);
  CHECK(policy.find("trusted-types 'none'") != std::string::npos);
  CHECK(page.body == sample_server().send("GET", "/workbench/record/other/2").body);
  CHECK(page.body.find("/record.js\"") != std::string::npos);
  CHECK(sample_server().send("GET", "/workbench").body.find("/start.js\"") != std::string::npos);
  const std::string plain = sample_server().send("GET", "/workbench/nothing").body;
  CHECK(plain.find("/api.js\"") != std::string::npos);
  CHECK(plain == sample_server().send("GET", "/workbench/api").body);
  const std::size_t start = page.body.find("/workbench/files/");
  const std::string file = page.body.substr(start, page.body.find('"', start) - start);
  const Answer got = sample_server().send("GET", file);
  CHECK(got.status == 200);
  CHECK(got.headers.at("content-encoding") == "gzip");
  CHECK(got.headers.at("cache-control") == "public, max-age=31536000, immutable");
  CHECK(sample_server().send("GET", "/workbench/files/0123456789abcdef/app.js").status == 404);
  CHECK(sample_server().send("GET", "/workbench/files/").status == 404);
  CHECK(sample_server().send("DELETE", "/workbench").status == 405);
}

TEST_CASE("a sign-in ends in a cookie that no script reads, and its page gets access tokens alone") {
  const Way way = begin(desk(), "analyst");
  CHECK(way.cookie.starts_with(way_cookie));
  CHECK(way.callback.starts_with("/workbench/callback?code="));
  const Answer done = desk().send("GET", way.callback, {"Cookie: " + way.cookie});
  const std::string set = done.headers.at("set-cookie");
  CHECK(set.starts_with(session_cookie));
  for (const char* word : {"; Path=/", "; HttpOnly", "; SameSite=Strict", "; Secure"})
    CHECK(set.find(word) != std::string::npos);
  CHECK(set.find("Domain") == std::string::npos);
  const Answer token = ask_token(desk(), cookie_of(done));
  CHECK(token.body.find("refresh_token") == std::string::npos);
  CHECK(std::stoi(json::parse(token.body)->find("expires_in")->text()) <= 600);
  CHECK(json::parse(token.body)->find("scope")->text() == "session-type:Analyst");
  CHECK(Client(desk(), token_of(token)).get("v1/call", {{"$top", "1"}}).status == 200);
}

TEST_CASE("over plain http on loopback the cookie has no prefix, since browsers would refuse it there") {
  const std::string set = sample_server().send("GET", "/workbench/sign-in").headers.at("set-cookie");
  CHECK(set.starts_with("callisto-workbench-way="));
  CHECK(set.find("Secure") == std::string::npos);
}

TEST_CASE("a user signs in as a user, and not as an analyst") {
  const std::string cookie = sign_in(desk(), "user", "?as=User");
  CHECK(ask_token(desk(), cookie).body.find("session-type:User") != std::string::npos);
  const Way refused = begin(desk(), "user");
  const Answer told = desk().send("GET", refused.callback, {"Cookie: " + refused.cookie});
  CHECK(path_of(told) == "/workbench?problem=access_denied");
  CHECK(told.headers.at("set-cookie").find("Max-Age=0") != std::string::npos);
}

TEST_CASE("all tabs of a browser share one session and one licence") {
  const Desk own({"licences=20"});
  const std::string cookie = sign_in(*own.server, "analyst");
  std::set<std::string> tokens;
  for (int tab = 0; tab < 3; ++tab) tokens.insert(token_of(ask_token(*own.server, cookie)));
  CHECK(tokens.size() == 3);
  for (const std::string& token : tokens)
    CHECK(Client(*own.server, token).get("v1/call", {{"$top", "1"}}).status == 200);
  CHECK(sessions_of_workbench(*own.server) == 1);
  // Signing in once more in the same browser takes the place of the session.
  const Way again = begin(*own.server, "analyst");
  const Answer done = own.server->send("GET", again.callback, {"Cookie: " + again.cookie + "; " + cookie});
  CHECK(ask_token(*own.server, cookie_of(done)).status == 200);
  CHECK(ask_token(*own.server, cookie).status == 401);
  CHECK(sessions_of_workbench(*own.server) == 1);
}

TEST_CASE("only the workbench's own pages get a token or sign out") {
  const std::string cookie = sign_in(desk(), "analyst");
  for (const char* header :
       {"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Sec-Fetch-Site: none",
        "Origin: https://evil.example", "Origin: null", "Origin: http://desk.example", "X-Nothing: 1"})
    for (const char* path : {"/workbench/token", "/workbench/sign-out"}) {
      INFO(header << ' ' << path);
      CHECK(desk().send("POST", path, {"Cookie: " + cookie, header}).status == 403);
    }
  CHECK(ask_token(desk(), cookie, "Origin: https://desk.example").status == 200);
  CHECK(desk().send("GET", "/workbench/token", {"Cookie: " + cookie, own_page}).status == 405);
  CHECK(desk().send("GET", "/workbench/sign-in", {"Sec-Fetch-Site: cross-site"}).status == 403);
}

TEST_CASE("a code that another browser brings opens nothing, and neither does one that is brought twice") {
  const Way way = begin(desk(), "analyst");
  const Way other = begin(desk(), "analyst");
  for (const std::string& cookie : {std::string("x=1"), other.cookie, way_cookie + "short"}) {
    const Answer refused = desk().send("GET", way.callback, {"Cookie: " + cookie});
    CHECK(path_of(refused) == "/workbench?problem=out_of_date");
    CHECK_FALSE(cookie_of(refused).starts_with(session_cookie));
  }
  CHECK(cookie_of(desk().send("GET", way.callback, {"Cookie: " + way.cookie})).starts_with(session_cookie));
  CHECK(path_of(desk().send("GET", way.callback, {"Cookie: " + way.cookie})) == "/workbench?problem=invalid_grant");
}

TEST_CASE("without a cookie, or with one that is nobody's, there is no token") {
  CHECK(ask_token(desk(), "x=1").status == 401);
  CHECK(ask_token(desk(), session_cookie + std::string(43, 'A')).status == 401);
  const std::string cookie = sign_in(desk(), "analyst");
  CHECK(ask_token(desk(), cookie + "; " + cookie).status == 401);
}

TEST_CASE("signing out ends the session, its tokens and its cookie") {
  const std::string cookie = sign_in(desk(), "analyst");
  const std::string token = token_of(ask_token(desk(), cookie));
  const Answer out = desk().send("POST", "/workbench/sign-out", {"Cookie: " + cookie, own_page});
  CHECK(out.status == 204);
  CHECK(out.headers.at("set-cookie").find("Max-Age=0") != std::string::npos);
  CHECK(Client(desk(), token).get("v1/call").status == 401);
  CHECK(ask_token(desk(), cookie).status == 401);
  CHECK(desk().send("POST", "/workbench/sign-out", {"Cookie: " + cookie, own_page}).status == 204);
}

TEST_CASE("a session that an administrator ends is over for the browser too") {
  const Desk own;
  const std::string cookie = sign_in(*own.server, "analyst");
  const Client admin(*own.server, own.server->token("admin"));
  const auto rows = admin.get_json("v1/session", {{"$filter", "Client.ClientId == \"workbench\""}});
  const std::string ref = rows.find("results")->items().front().find("Ref")->text();
  CHECK(admin.send("DELETE", "v1/session/" + ref, "").status == 200);
  const Answer answer = ask_token(*own.server, cookie);
  CHECK(answer.status == 401);
  CHECK(answer.headers.at("set-cookie").find("Max-Age=0") != std::string::npos);
}

TEST_CASE("a session ends with its longest life, however often its page asks") {
  const Desk own({"oauth.session_seconds=1"});
  const std::string cookie = sign_in(*own.server, "analyst");
  Answer answer = ask_token(*own.server, cookie);
  while (answer.status == 200) answer = ask_token(*own.server, cookie);
  CHECK((answer.status == 401 || answer.status == 429));
}

TEST_CASE("an administrator switches the workbench's client off by the API, and nobody goes on") {
  const Desk own;
  const std::string cookie = sign_in(*own.server, "analyst");
  const Client admin(*own.server, own.server->token("admin"));
  const auto rows = admin.get_json("v1/client", {{"$filter", "ClientId == \"workbench\""}});
  const std::string ref = rows.find("results")->items().front().find("Ref")->text();
  const Answer changed = admin.send("PUT", "v1/client/" + ref, R"({"IsEnabled": false})");
  INFO(changed.body);
  CHECK(changed.status == 200);
  CHECK(ask_token(*own.server, cookie).status == 401);
}

TEST_CASE("switched off there is neither landing nor workbench") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "workbench=false"});
  CHECK(server.send("GET", "/", {"Accept: text/html"}).status == 404);
  for (const char* path : {"/workbench", "/workbench/sign-in", "/workbench/files/x/app.js"})
    CHECK(server.send("GET", path).status == 404);
  CHECK(server.send("POST", "/workbench/token", {own_page}).status == 404);
}

TEST_CASE("the setting workbench.allow names who may open it, beside this machine") {
  const TemporaryFolder folder;
  const ServerProcess server(
      folder.path(), {"--samples", "--set", "workbench.allow=192.0.2.0/24", "--set", "http.trusted_proxies=127.0.0.1"});
  CHECK(server.send("GET", "/workbench").status == 200);
  CHECK(server.send("GET", "/workbench", {"X-Forwarded-For: 192.0.2.7"}).status == 200);
  for (const char* path : {"/workbench", "/workbench/sign-in", "/workbench/callback?code=x"})
    CHECK(server.send("GET", path, {"X-Forwarded-For: 203.0.113.9"}).status == 403);
  CHECK(server.send("POST", "/workbench/token", {"X-Forwarded-For: 203.0.113.9", own_page}).status == 403);
}

TEST_CASE("below a path of a proxy the pages and their files lie below it too") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "base_url=https://x.example/desk"});
  CHECK(server.send("GET", "/desk", {"Accept: text/html"}).headers.at("location") == "/desk/workbench");
  const Answer page = server.send("GET", "/desk/workbench");
  CHECK(page.body.find("src=\"/desk/workbench/files/") != std::string::npos);
  CHECK(page.body.find("data-base=\"/desk\"") != std::string::npos);
  CHECK(server.send("GET", "/workbench/sign-in")
            .headers.at("location")
            .starts_with("/desk/service.web/oauth/authorize?"));
}

TEST_CASE("the rules of an entity: which state offers which action to whom, for administrators alone") {
  CHECK(get("analyst", "v1/incident/$rules").status == 403);
  const auto rules = get_json("admin", "v1/incident/$rules");
  CHECK(rules.find("stateProperty")->text() == "State");
  bool found = false;
  for (const json::Node& action : rules.find("actions")->items()) {
    if (action.find("name")->text() != "Reopen") continue;
    found = true;
    CHECK(action.find("source")->text() == "scripts/call/actions/reopen.lua:1");
    CHECK(action.find("offered")->text() == "!@IsLockedByOther");
    for (const json::Node& cell : action.find("cells")->items()) {
      const bool closed = cell.find("state")->text().starts_with("Closed");
      INFO(cell.find("state")->text());
      CHECK(cell.find("Analyst")->text() == (closed ? "Perhaps" : "Never"));
    }
  }
  CHECK(found);
  CHECK(get_json("admin", "v1/organization/$rules").find("states")->items().empty());
  for (const char* path :
       {"v1/$rules", "v1/incident/206/$rules", "v1/incident/206/history/$rules", "v1/nothing/$rules"})
    CHECK(get("admin", path).status == 404);
  CHECK(sample_server().send("GET", "/service.api/api/v1/incident/$rules").status == 401);
}

TEST_CASE("the rules tell how many records are in each state, and where a picture of the states has all of them") {
  const auto rules = get_json("admin", "v1/incident/$rules?$inlinecount=true");
  const auto groups = get_json("admin", "v1/incident?$groupby=State");
  int all = 0;
  for (const json::Node& state : rules.find("states")->items()) {
    std::string expected = "0";
    for (const json::Node& group : groups.find("results")->items())
      if (group.find("State")->text() == state.find("value")->text()) expected = group.find("__count")->text();
    INFO(state.find("name")->text());
    CHECK(state.find("__count")->text() == expected);
    all += std::stoi(expected);
  }
  CHECK(all > 0);
  const auto plain = get_json("admin", "v1/incident/$rules");
  CHECK_FALSE(plain.find("states")->items().front().find("__count"));
  CHECK(get("admin", "v1/incident/$rules?$inlinecount=perhaps").status == 400);
  const json::Node& diagram = *plain.find("diagram");
  CHECK(diagram.find("states")->items().size() == plain.find("states")->items().size() + 1);
  bool found = false;
  for (const json::Node& move : diagram.find("moves")->items()) {
    if (move.find("from")->is_null() || move.find("from")->text() != "Closed") continue;
    if (move.find("to")->text() != "Open") continue;
    found = true;
    CHECK(move.find("actions")->items().front().text() == "Reopen");
    CHECK(move.find("path")->text().starts_with("M"));
    CHECK(std::stoi(move.find("label")->find("width")->text()) > 40);
  }
  CHECK(found);
  CHECK_FALSE(get_json("admin", "v1/organization/$rules?$inlinecount=true").find("diagram"));
}

TEST_CASE("the options of a record's action say which of its rules hold, and to administrators the rules too") {
  const auto holds = [](const char* login, const char* path) {
    const auto options = get_json(login, path);
    const json::Node* held = options.find("holds");
    REQUIRE(held);
    std::string all;
    for (const char* rule : {"state", "offered", "allowed"}) all += held->find(rule)->boolean() ? '1' : '0';
    return all + (options.find("offered") ? " told" : "");
  };
  CHECK(holds("admin", "v1/call/206/reopen/$options") == "011 told");
  CHECK(holds("analyst", "v1/call/206/reopen/$options") == "011");
  CHECK(holds("analyst", "v1/call/206/close/$options") == "111");
  CHECK_FALSE(get_json("analyst", "v1/call/$close").find("holds"));
}
