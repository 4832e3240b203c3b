#include "engine/sign_in/identity_provider.h"
#include "tests/support/identity_provider.h"
#include "tests/unit/sign_in/lobby.h"

using namespace callisto;
using namespace callisto::sign_in;
using Catch::Contains;

namespace {

struct ByLogin final : Admissions {
  explicit ByLogin(auth::Service& auth) : admission(std::make_shared<LinkedAdmission>(auth)) {}
  std::shared_ptr<const Admission> current() override { return admission; }
  std::shared_ptr<const Admission> admission;
};

struct Upstream {
  explicit Upstream() : idp(lobby.clock) {
    oidc::Options options;
    options.name = "Example";
    options.issuer = "https://login.example/realm";
    options.client_id = idp.client_id;
    options.client_secret = idp.client_secret;
    options.redirect_uri = "https://desk.example/service.web/oauth/callback";
    auto provider = oidc::Provider::create(options, lobby.clock, lobby.random, idp);
    lobby.add(std::make_unique<IdentityProvider>(*std::move(provider), lobby.service, admissions));
  }

  // As a program that sends its person straight to the provider: the browser's first visit.
  Reply back(const std::string& more = {}) {
    const Reply away = lobby.get(good + "&idp=oidc");
    cookie = cookie_of(away);
    std::string query;
    for (const auto& [name, value] : idp.authorize(away.location())) query += name + "=" + encoded(value) + "&";
    return callback(query + more);
  }
  Reply callback(const std::string& query) {
    return lobby.send("GET", query, {{"Cookie", cookie}}, {}, AuthorizationEndpoint::Path::Callback);
  }

  Lobby lobby;
  ByLogin admissions{lobby.service};
  testing::IdentityProvider idp;
  std::string cookie;
};

}  // namespace

TEST_CASE("an identity provider signs in who has the login name it vouches for") {
  Upstream there;
  CHECK_THAT(there.lobby.get(good).body, Contains("Continue with <bdi>Example</bdi>"));
  CHECK_THAT(there.back().location(), Contains("tab=1&code=") && Contains("&state=s%201&"));
  CHECK(there.lobby.service.codes_issued == std::vector<std::int64_t>{7});
}

TEST_CASE("the client hears of an identity provider's refusals, and nobody is signed in") {
  Upstream there;
  CHECK_THAT(there.back("error=access_denied").location(), Contains("error=access_denied"));
  there.idp.claims["preferred_username"] = testing::quote("eve");
  CHECK_THAT(there.back().location(), Contains("error=access_denied"));
  there.idp.claims["nonce"] = testing::quote("other");
  CHECK_THAT(there.back().location(), Contains("error=access_denied"));
  there.idp.unreachable["/token"] = "Connection refused";
  CHECK_THAT(there.back().location(), Contains("error=temporarily_unavailable"));
  there.lobby.clock.advance_seconds(86400);
  there.idp.unreachable["openid-configuration"] = "Connection refused";
  CHECK_THAT(there.lobby.get(good + "&idp=oidc").location(), Contains("error=temporarily_unavailable"));
  CHECK(there.lobby.service.codes_issued.empty());

  const auto& events = there.lobby.audit.events;
  REQUIRE(events.size() == 5);
  CHECK(events[1].login == "eve");
  for (const audit::Event& event : events) {
    CHECK(event.kind == audit::Kind::SignInRefused);
    CHECK(event.client == "app");
    CHECK(event.address == "192.0.2.9");
    CHECK(event.action == "oidc");
    CHECK_FALSE(event.reason.empty());
    for (const std::string& hidden : there.idp.secrets()) CHECK(event.reason.find(hidden) == std::string::npos);
  }
}

TEST_CASE("an address that tries too often is not sent to an identity provider, nor is its callback followed") {
  Upstream there;
  const Reply away = there.lobby.get(good + "&idp=oidc");
  std::string query;
  for (const auto& [name, value] : there.idp.authorize(away.location())) query += name + "=" + encoded(value) + "&";
  there.cookie = cookie_of(away);
  there.lobby.service.seconds_to_wait = 12;
  for (const Reply& refused : {there.lobby.get(good + "&idp=oidc"), there.callback(query)}) {
    CHECK(refused.status == 429);
    CHECK(refused.headers.find("Retry-After")->second == "12");
    CHECK_THAT(refused.body, Contains("too many attempts"));
  }
  there.lobby.service.seconds_to_wait = 0;
  CHECK_THAT(there.callback(query).location(), Contains("code="));
}

TEST_CASE("a callback of another browser, or one with doubled parameters, is a page") {
  Upstream there;
  CHECK(there.back("code=other").status == 400);
  const Reply away = there.lobby.get(good + "&idp=oidc");
  std::string query;
  for (const auto& [name, value] : there.idp.authorize(away.location())) query += name + "=" + encoded(value) + "&";
  CHECK(there.callback(query).status == 400);  // the cookie is that of the visit before
  there.cookie.clear();
  CHECK(there.callback(query).status == 400);
  CHECK(there.lobby.service.codes_issued.empty());
  there.cookie = cookie_of(away);
  CHECK_THAT(there.callback(query).location(), Contains("code="));
}
