// Providers before the login page: the trusted proxy's header, and what any other may answer.
#include "engine/sign_in/proxy_header.h"
#include "tests/unit/sign_in/lobby.h"

using namespace callisto;
using namespace callisto::sign_in;
using Catch::Contains;

namespace {

Headers vouched(const std::string& name, const std::string& secret = Lobby::secret) {
  return {{"X-Remote-User", name}, {"X-Callisto-Proxy-Secret", secret}};
}

Headers with(Headers headers, const Headers& more) {
  headers.insert(headers.end(), more.begin(), more.end());
  return headers;
}

}  // namespace

TEST_CASE("a trusted proxy's person needs no password") {
  Lobby lobby;
  lobby.trust_proxy();
  lobby.peer = "10.0.0.5";
  for (const char* name : {"ada", "CORP\\ada", "corp\\ada", "ada@CORP.EXAMPLE"}) {
    const Reply reply = lobby.get(good, vouched(name));
    CHECK(reply.location().starts_with("https://app.example/back?tab=1&code="));
  }
  CHECK(lobby.service.codes_issued.size() == 4);
  CHECK(lobby.service.passwords_checked.empty());
  CHECK(lobby.distrusted.empty());
  CHECK(lobby.get(good + "&prompt=none", vouched("ada")).location().find("&code=") != std::string::npos);
}

TEST_CASE("an identity header that is not the proxy's own is as if it were not there, and is heard of") {
  struct Row {
    std::string peer;
    Headers headers;
    std::string reason;
  };
  const Headers ada{{"X-Remote-User", "ada"}};
  const std::string secret = Lobby::secret;
  const std::vector<Row> rows{
      {"192.0.2.9", vouched("ada"), "the peer is no trusted proxy"},
      {"10.0.0.50", vouched("ada"), "the peer is no trusted proxy"},
      {"::1", vouched("ada"), "the peer is no trusted proxy"},
      {"", vouched("ada"), "the peer is no trusted proxy"},
      {"10.0.0.5", ada, "the proxy's secret is missing or occurs twice"},
      {"10.0.0.5", vouched("ada", ""), "the proxy's secret is wrong"},
      {"10.0.0.5", vouched("ada", secret + "x"), "the proxy's secret is wrong"},
      {"10.0.0.5", vouched("ada", secret.substr(1)), "the proxy's secret is wrong"},
      {"10.0.0.5", vouched("ada", "Correct-horse-battery"), "the proxy's secret is wrong"},
      {"10.0.0.5", with(vouched("eve"), ada), "the identity header occurs twice"},
      {"10.0.0.5", with(ada, {{"x-remote-user", "ada"}, {"X-Callisto-Proxy-Secret", secret}}),
       "the identity header occurs twice"},
      {"10.0.0.5", with(vouched("ada", "guess"), {{"X-Callisto-Proxy-Secret", secret}}),
       "the proxy's secret is missing or occurs twice"},
  };
  for (const Row& row : rows) {
    INFO(row.peer << " " << row.reason);
    Lobby lobby;
    lobby.trust_proxy();
    lobby.peer = row.peer;
    const Reply reply = lobby.get(good, row.headers);
    CHECK(reply.status == 200);
    CHECK_THAT(reply.body, Contains("<form"));
    CHECK(lobby.distrusted == std::vector<std::string>{row.peer + ": " + row.reason});
    CHECK(lobby.service.names_asked.empty());
    CHECK(lobby.service.codes_issued.empty());
  }
}

TEST_CASE("without a proxy in the settings the headers mean nothing") {
  Lobby lobby;
  lobby.peer = "10.0.0.5";
  CHECK(lobby.get(good, vouched("ada")).status == 200);
}

TEST_CASE("a proxy that knows nobody leaves the person to the login page") {
  for (const char* name : {"", "(null)"}) {
    Lobby lobby;
    lobby.trust_proxy();
    lobby.peer = "10.0.0.5";
    CHECK(lobby.get(good, vouched(name)).status == 200);
    CHECK(lobby.get(good, {{"X-Callisto-Proxy-Secret", Lobby::secret}}).status == 200);
    CHECK(lobby.distrusted.empty());
  }
}

TEST_CASE("a person whom the proxy names and nobody knows is refused, and so is one who may not come in") {
  Lobby lobby;
  lobby.trust_proxy();
  lobby.peer = "10.0.0.5";
  CHECK_THAT(lobby.get(good, vouched("bob")).location(), Contains("error=access_denied") && !Contains("bob"));
  REQUIRE(lobby.audit.events.size() == 1);
  const audit::Event& event = lobby.audit.events.front();
  CHECK(event.kind == audit::Kind::SignInRefused);
  CHECK(event.client == "app");
  CHECK(event.address == "10.0.0.5");
  CHECK(event.login == "bob");
  CHECK(event.action == "proxy");
  CHECK_THAT(event.reason, Contains("nobody active"));
  lobby.service.code.reset();
  CHECK_THAT(lobby.get(good, vouched("ada")).location(), Contains("error=access_denied"));
}

TEST_CASE("whoever asks to sign in anew gets the login page") {
  Lobby lobby;
  lobby.trust_proxy();
  lobby.peer = "10.0.0.5";
  CHECK(lobby.get(good + "&prompt=login", vouched("ada")).status == 200);
  CHECK(lobby.get(good + "&prompt=select_account", vouched("ada")).status == 200);
  CHECK(lobby.service.codes_issued.empty());
}

TEST_CASE("a login name loses the domains of the settings and no other") {
  const std::vector<std::string> realms{"CORP", "corp.example"};
  const std::vector<std::pair<std::string, std::string>> rows{
      {"ada", "ada"},
      {"CORP\\ada", "ada"},
      {"corp\\Ada", "Ada"},
      {"ada@CORP.EXAMPLE", "ada"},
      {"EVIL\\ada", "EVIL\\ada"},
      {"ada@evil.example", "ada@evil.example"},
      {"CORP\\ada@corp.example", "CORP\\ada@corp.example"},
      {"ada@corp@corp.example", "ada@corp@corp.example"},
      {"ada\\CORP", "ada\\CORP"},
      {"corp.example@ada", "corp.example@ada"},
      {"CORP\\", ""},
      {"@CORP", ""},
      {"ada, eve", ""},
      {"(null)", ""},
      {"Zo\xc3\xab", "Zo\xc3\xab"},
      {"Zo\xeb", ""},
      {std::string(257, 'a'), ""},
  };
  for (const auto& [value, name] : rows) {
    INFO(value);
    CHECK(login_name_of(value, realms) == name);
  }
  CHECK(login_name_of("CORP\\ada", {}) == "CORP\\ada");
}

TEST_CASE("settings that would trust too much, or nobody, stop the start") {
  FakeService service;
  const auto refuses = [&](ProxyHeaderOptions options, const char* words) {
    const auto made = ProxyHeader::create(std::move(options), service, {});
    REQUIRE_FALSE(made);
    CHECK_THAT(made.error().message, Contains(words));
  };
  const AddressList proxies = *AddressList::parse({"10.0.0.5"});
  const std::string secret = Lobby::secret;
  refuses({{}, "X-Remote-User", secret, {}}, "sso.trusted_proxies names no proxy");
  refuses({proxies, "X-Remote-User", "", {}}, "openssl rand -hex 32");
  refuses({proxies, "X-Remote-User", "fifteen letters", {}}, "at least 16");
  refuses({proxies, "X-Remote-User", "with a blank in it, long", {}}, "visible");
  refuses({proxies, "X-Callisto-Proxy-Secret", secret, {}}, "sso.header");
  refuses({proxies, "", secret, {}}, "sso.header");
  refuses({proxies, "X Remote", secret, {}}, "sso.header");
}

TEST_CASE("addresses and ranges of both kinds") {
  const auto list = AddressList::parse({"127.0.0.1", " 10.1.0.0/16", "fd00::/8", "192.0.2.128/25", "2001:db8::1"});
  REQUIRE(list);
  for (const char* inside : {"127.0.0.1", "10.1.255.255", "::ffff:10.1.2.3", "fdff::1", "192.0.2.129", "2001:db8::1"})
    CHECK(list->contains(inside));
  for (const char* outside : {"127.0.0.2", "10.2.0.0", "fe00::1", "192.0.2.127", "2001:db8::2", "::127.0.0.1", "", "x",
                              "10.1.2", "10.1.2.3x", "010.1.2.3"})
    CHECK_FALSE(list->contains(outside));
  for (const char* wrong : {"localhost", "10.1.2.3/8", "0.0.0.0/0", "::/0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1",
                            "10.0.0.0/8x", "fd00::/129", "10.0.0", ""}) {
    INFO(wrong);
    CHECK_FALSE(AddressList::parse({wrong}));
  }
  CHECK_FALSE(AddressList().contains("127.0.0.1"));
}

namespace {

// Sends the browser away and takes it back.
class Upstream final : public Provider {
 public:
  Result<Verdict> ask(const Attempt& attempt) override {
    if (attempt.chosen != "corp") return Verdict(NotMine{});
    pending = attempt.pending;
    browser_key = attempt.browser_key;
    return Verdict(SendTo{"https://login.example/?state=1", {{"Set-Cookie", "upstream=1"}}});
  }
  Result<std::optional<Returned>> resume(http::Request& request, const std::string& returning) override {
    if (request.raw_query != "state=1") return std::optional<Returned>();
    same_browser = returning == browser_key;
    return std::optional(Returned{pending, verdict});
  }
  std::optional<Offer> offer() const override { return Offer{"corp", "the <company> account"}; }

  std::string pending, browser_key;
  bool same_browser = false;
  Verdict verdict = SignedIn{9};
};

struct UpstreamLobby {
  UpstreamLobby() {
    auto made = std::make_unique<Upstream>();
    upstream = made.get();
    lobby.add(std::move(made));
    const Reply page = lobby.get(good);
    REQUIRE_THAT(page.body,
                 Contains("Continue with <bdi>the &lt;company&gt; account</bdi>") &&
                     Contains("/service.web/oauth/authorize?client_id=app&amp;code_challenge=c&amp;idp=corp"));
    cookie = cookie_of(page);
    const Reply away = lobby.get(good + "&idp=corp", {{"Cookie", cookie}});
    REQUIRE(away.location() == "https://login.example/?state=1");
    REQUIRE(away.header("Set-Cookie") == "upstream=1");
  }
  Reply back(const std::string& query, const std::string& with_cookie) {
    return lobby.send("GET", query, {{"Cookie", with_cookie}}, {}, AuthorizationEndpoint::Path::Callback);
  }

  Lobby lobby;
  Upstream* upstream = nullptr;
  std::string cookie;
};

}  // namespace

TEST_CASE("a provider may send the browser away and know the person when it returns") {
  UpstreamLobby there;
  CHECK_THAT(there.back("state=1", there.cookie).location(), Contains("tab=1&code=") && Contains("&state=s%201&"));
  CHECK(there.lobby.service.codes_issued == std::vector<std::int64_t>{9});
  CHECK(there.upstream->same_browser);
  there.upstream->verdict = Refused{"access_denied", "No."};
  CHECK_THAT(there.back("state=1", there.cookie).location(), Contains("error=access_denied&error_description=No."));
  there.upstream->verdict = NotMine{};
  CHECK(there.back("state=1", there.cookie).status == 200);
}

TEST_CASE("a callback counts in the browser that was sent away, in time, and where something was begun") {
  UpstreamLobby there;
  CHECK(there.back("state=2", there.cookie).status == 400);
  CHECK(there.back("state=1", "").status == 400);
  CHECK_FALSE(there.upstream->same_browser);
  CHECK(there.back("state=1", cookie_of(there.lobby.get(good))).status == 400);
  CHECK(there.lobby.send("POST", "state=1", {{"Cookie", there.cookie}}, {}, AuthorizationEndpoint::Path::Callback)
            .status == 405);
  there.lobby.clock.advance_ms(3'600'001);
  CHECK(there.back("state=1", there.cookie).status == 400);
  CHECK(there.lobby.service.codes_issued.empty());
}
