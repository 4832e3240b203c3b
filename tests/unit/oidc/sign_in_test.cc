// The way of a browser through a sign-in: what it is sent with, and what it must bring back.
#include "tests/unit/oidc/office.h"

using namespace callisto;
using namespace callisto::oidc;
using namespace callisto::testing;

TEST_CASE("a person comes back from the provider with an identity", "[oidc]") {
  Office office;
  const auto identity = office.sign_in();
  REQUIRE(identity);
  CHECK(identity->issuer == "https://login.example/realm");
  CHECK(identity->subject == "s-1");
  CHECK(identity->login_name == "ada");
  CHECK(identity->email == "ada@example.org");
  CHECK(identity->email_verified);
  CHECK(identity->name == "Ada Lovelace");
}

TEST_CASE("the browser is sent with code flow, PKCE, state and nonce", "[oidc]") {
  Office office;
  const std::string url = office.begin();
  CHECK(url.substr(0, url.find('?')) == "https://login.example/realm/authorize");
  const auto fields = fields_of(url.substr(url.find('?') + 1));
  CHECK(fields.at("response_type") == "code");
  CHECK(fields.at("client_id") == "desk");
  CHECK(fields.at("redirect_uri") == "https://desk.example/oauth/callback");
  CHECK(fields.at("scope") == "openid profile email");
  CHECK(fields.at("code_challenge_method") == "S256");
  CHECK(fields.at("code_challenge").size() == 43);
  CHECK(fields.at("nonce").size() == 43);
  CHECK(fields.size() == 8);
  const auto other_url = office.begin();
  const auto others = fields_of(other_url.substr(other_url.find('?') + 1));
  for (const char* once : {"state", "nonce", "code_challenge"}) CHECK(fields.at(once) != others.at(once));
  CHECK(fields.at("nonce") != fields.at("code_challenge"));
  CHECK(url.find("secret") == std::string::npos);
}

TEST_CASE("the authorization endpoint's own query stays, and a prompt is passed on", "[oidc]") {
  Office office;
  office.idp.discovery["authorization_endpoint"] = quote("https://login.example/authorize?p=signin");
  const auto url = office.provider->begin(browser_key, {}, "login");
  REQUIRE(url);
  CHECK(url->starts_with("https://login.example/authorize?p=signin&response_type=code&"));
  CHECK(fields_of(url->substr(url->find('?') + 1)).at("prompt") == "login");
}

TEST_CASE("the caller's context comes back to the same browser alone, and unread", "[oidc]") {
  Office office;
  const std::string context(
      "a\0b\xff"
      "client_id=x",
      15);
  const std::string url = office.begin(context);
  const auto callback = office.idp.authorize(url);
  CHECK(url.find("client_id=x") == std::string::npos);
  CHECK(office.provider->context_of(callback, browser_key).value() == context);
  check_refused(office, office.provider->context_of(callback, "another-browser-another-1"), stale("'state'"));
  CHECK(office.provider->begin(browser_key, std::string(4096, 'c')));
  CHECK(office.provider->begin(browser_key, std::string(4097, 'c')).error().status == 400);
}

TEST_CASE("a callback counts only in the browser that was sent", "[oidc]") {
  Office office;
  const auto callback = office.callback();
  const int asked = office.idp.count("/token");
  for (const char* browser :
       {"another-browser-another-1", "browser-browser-browser-", "", "browser-browser-browser-1 "})
    check_refused(office, office.provider->finish(callback, browser), stale("was not made here for this browser"));
  CHECK(office.idp.count("/token") == asked);  // nobody spends another's code
  CHECK(office.provider->finish(callback, browser_key));
}

TEST_CASE("a browser without a secret of its own is not sent at all", "[oidc]") {
  Office office;
  CHECK(office.provider->begin("").error().status == 500);
  CHECK(office.provider->begin(std::string(21, 'b')).error().status == 500);
  CHECK(office.provider->begin(std::string(22, 'b')));
}

TEST_CASE("a callback works once", "[oidc]") {
  Office office;
  const auto callback = office.callback();
  REQUIRE(office.provider->finish(callback, browser_key));
  check_refused(office, office.provider->finish(callback, browser_key), stale("'invalid_grant'"));
}

TEST_CASE("a sign-in may take ten minutes", "[oidc]") {
  Office office;
  const auto in_time = office.callback(), late = office.callback();
  office.clock.advance_ms(599'999);
  CHECK(office.provider->finish(in_time, browser_key));
  office.clock.advance_ms(1);
  check_refused(office, office.provider->finish(late, browser_key), stale("longer than ten minutes"));
  check_refused(office, office.provider->context_of(late, browser_key), stale("longer than ten minutes"));
}

TEST_CASE("no byte of a state can be changed", "[oidc]") {
  Office office;
  const auto callback = office.callback();
  const std::string& state = callback.at("state");
  REQUIRE(state.size() > 100);
  for (std::size_t i = 0; i < state.size(); ++i) {
    auto forged = callback;
    forged["state"][i] = state[i] == 'A' ? 'B' : 'A';
    const auto identity = office.provider->finish(forged, browser_key);
    if (identity || identity.error().message != stale("").message) FAIL_CHECK("byte " << i);
  }
  for (const std::string& wrong : {std::string(), std::string("A"), state.substr(1), state.substr(0, state.size() - 1),
                                   state + "A", state + state, std::string(state.size(), 'A')}) {
    auto forged = callback;
    forged["state"] = wrong;
    check_refused(office, office.provider->finish(forged, browser_key), stale("was not made here"));
  }
  auto without = callback;
  without.erase("state");
  check_refused(office, office.provider->finish(without, browser_key), stale("no 'state'"));
  CHECK(office.provider->finish(callback, browser_key));
}

TEST_CASE("a state is worth nothing to another provider, client or key", "[oidc]") {
  const auto refused_after = [](void (*change)(Options&)) {
    Office office;
    office.options.state_key = std::string(32, 'k');
    office.open();
    const auto first = office.callback(), second = office.callback();
    office.open();
    CHECK(office.provider->finish(first, browser_key));  // the same options on another node
    change(office.options);
    office.open();
    check_refused(office, office.provider->context_of(second, browser_key), stale("was not made here"));
  };
  refused_after([](Options& options) { options.issuer = "https://login.example/other"; });
  refused_after([](Options& options) { options.client_id = "shop"; });
  refused_after([](Options& options) { options.state_key = std::string(32, 'l'); });
  refused_after([](Options& options) { options.state_key.clear(); });
}

TEST_CASE("the provider's refusals are told from its troubles, and its words are not shown", "[oidc]") {
  struct Row {
    const char* error;
    Error expected;
  };
  for (const Row& row : {Row{"access_denied", denied("the error 'access_denied'")},
                         Row{"login_required", denied("the error 'login_required'")}, Row{"", denied("the error ''")},
                         Row{"temporarily_unavailable", unreachable("the error 'temporarily_unavailable'")},
                         Row{"server_error", unreachable("the error 'server_error'")}}) {
    Office office;
    auto callback = office.callback();
    callback["error"] = row.error;
    callback["error_description"] = "<script>";
    const int asked = office.idp.count("/token");
    const auto identity = office.provider->finish(callback, browser_key);
    check_refused(office, identity, row.expected);
    CHECK(identity.error().log_detail.find("<script>") == std::string::npos);
    CHECK(office.idp.count("/token") == asked);  // a code beside an error is not used
  }
}

TEST_CASE("a callback without a code, or with a boundless one, is refused", "[oidc]") {
  for (const std::string& code : {std::string(), std::string(8193, 'c')}) {
    Office office;
    auto callback = office.callback();
    callback["code"] = code;
    check_refused(office, office.provider->finish(callback, browser_key), not_accepted("nor a code"));
    callback.erase("code");
    check_refused(office, office.provider->finish(callback, browser_key), not_accepted("nor a code"));
    CHECK(office.idp.count("/token") == 0);
  }
}

TEST_CASE("iss in the callback is checked, and needed where the provider announces it", "[oidc]") {
  Office office;
  auto callback = office.callback();
  callback["iss"] = "https://evil.example";
  check_refused(office, office.provider->finish(callback, browser_key),
                not_accepted("'iss' is 'https://evil.example'"));
  callback["error"] = "access_denied";  // answers with errors are checked alike
  check_refused(office, office.provider->finish(callback, browser_key),
                not_accepted("'iss' is 'https://evil.example'"));
  callback.erase("error");
  callback["iss"] = "";
  check_refused(office, office.provider->finish(callback, browser_key), not_accepted("'iss' is ''"));
  callback["iss"] = office.options.issuer;
  CHECK(office.provider->finish(callback, browser_key));

  office.idp.discovery["authorization_response_iss_parameter_supported"] = "true";
  office.open();
  CHECK(office.sign_in());
  callback = office.callback();
  callback.erase("iss");
  check_refused(office, office.provider->finish(callback, browser_key), not_accepted("has no 'iss'"));
}

TEST_CASE("the client proves itself as the provider wants it", "[oidc]") {
  constexpr auto allowed_methods = "token_endpoint_auth_methods_supported";
  struct Row {
    const char* methods;
    bool basic, post;
  };
  for (const Row& row : {Row{"", true, false}, Row{R"(["client_secret_post","client_secret_basic"])", true, false},
                         Row{R"(["private_key_jwt","client_secret_post"])", false, true}}) {
    INFO(row.methods);
    Office office;
    office.options.client_id = office.idp.client_id = "desk:1 \u00e4%";
    office.open();
    if (*row.methods) office.idp.discovery[allowed_methods] = row.methods;
    const auto callback = office.callback();
    REQUIRE(office.provider->finish(callback, browser_key));
    CHECK(office.idp.secret_in_basic == row.basic);
    CHECK(office.idp.secret_in_form == row.post);
  }
  Office office;
  office.idp.discovery[allowed_methods] = R"(["private_key_jwt"])";
  check_refused(office, office.sign_in(), unreachable("neither by client_secret_basic nor"));
}

TEST_CASE("a client without a secret has PKCE alone", "[oidc]") {
  Office office;
  office.options.client_secret = office.idp.client_secret = "";
  office.idp.discovery["token_endpoint_auth_methods_supported"] = R"(["none"])";
  office.open();
  CHECK(office.sign_in());
  CHECK_FALSE(office.idp.secret_in_basic);
  CHECK_FALSE(office.idp.secret_in_form);
}

TEST_CASE("a wrong client secret is the operator's to mend", "[oidc]") {
  Office office;
  office.options.client_secret = "old-secret";
  office.open();
  const auto identity = office.sign_in();
  check_refused(office, identity, unreachable("'invalid_client'; compare client, secret and redirect_uri"));
  CHECK(identity.error().log_detail.find("old-secret") == std::string::npos);
}

TEST_CASE("options that cannot work are refused before anybody signs in", "[oidc]") {
  struct Row {
    void (*change)(Options&);
    const char* message;
  };
  for (const Row& row :
       {Row{[](Options& o) { o.issuer = "http://login.example"; }, "oidc.issuer"},
        Row{[](Options& o) { o.issuer = "login.example"; }, "oidc.issuer"},
        Row{[](Options& o) { o.issuer = ""; }, "oidc.issuer"},
        Row{[](Options& o) { o.issuer = "https://login.example?a=b"; }, "oidc.issuer"},
        Row{[](Options& o) { o.issuer = "https://login.example/#a"; }, "oidc.issuer"},
        Row{[](Options& o) { o.issuer = "https://user:word@login.example"; }, "oidc.issuer"},
        Row{[](Options& o) { o.issuer = "http://127.0.0.1.evil.example"; }, "oidc.issuer"},
        Row{[](Options& o) { o.issuer = "http://127.0.0.1@evil.example"; }, "oidc.issuer"},
        Row{[](Options& o) { o.client_id = ""; }, "oidc.client_id"},
        Row{[](Options& o) { o.redirect_uri = "http://desk.example/callback"; }, "base_url: the callback"},
        Row{[](Options& o) { o.redirect_uri = ""; }, "base_url: the callback"},
        Row{[](Options& o) { o.scopes = "profile"; }, "oidc.scopes"},
        Row{[](Options& o) { o.scopes = "openid2"; }, "oidc.scopes"},
        Row{[](Options& o) { o.state_key = "short"; }, "32 bytes"}}) {
    Office office;
    row.change(office.options);
    const auto made = Provider::create(office.options, office.clock, office.random, office.idp);
    REQUIRE_FALSE(made);
    CHECK_THAT(made.error().message, Catch::Contains(row.message));
  }
  for (const char* issuer :
       {"http://localhost:8080/realms/desk", "http://127.0.0.1", "http://[::1]:9000", "https://a"}) {
    Office office;
    office.options.issuer = issuer;
    CHECK(Provider::create(office.options, office.clock, office.random, office.idp));
  }
}
