// Providers whose ID tokens are thin: the userinfo endpoint tells the login name (OpenID Connect Core 5.3, 5.4).
#include "engine/json/node_text.h"
#include "tests/unit/oidc/office.h"

using namespace callisto;
using namespace callisto::oidc;
using namespace callisto::testing;

namespace {

struct ThinOffice : Office {
  ThinOffice() {
    for (const char* claim : {"preferred_username", "email", "email_verified", "name"}) idp.claims[claim] = "";
    idp.discovery["userinfo_endpoint"] = quote(options.issuer + "/userinfo");
    idp.user_info = {{"sub", quote("s-1")},
                     {"preferred_username", quote("grace")},
                     {"email", quote("grace@example.org")},
                     {"email_verified", "true"},
                     {"name", quote("Grace Hopper")}};
  }
};

}  // namespace

TEST_CASE("where the ID token lacks the login claim, userinfo is asked with the access token", "[oidc]") {
  for (const bool is_signed : {false, true}) {
    ThinOffice office;
    office.idp.signs_user_info = is_signed;
    const auto identity = office.sign_in();
    if (!identity) FAIL(identity.error().log_detail);
    CHECK(identity->login_name == "grace");
    CHECK(identity->name == "Grace Hopper");
    CHECK(identity->email_verified);
    CHECK(identity->subject == "s-1");
    CHECK(office.idp.count("/userinfo") == 1);
  }
}

TEST_CASE("an ID token that tells the login name is enough", "[oidc]") {
  ThinOffice office;
  office.idp.claims["preferred_username"] = quote("ada");
  CHECK(office.sign_in()->login_name == "ada");
  CHECK(office.idp.count("/userinfo") == 0);
}

TEST_CASE("whether an address is verified may stand in userinfo alone, and goes with the address there", "[oidc]") {
  ThinOffice office;
  office.options.login_claim = "email";
  office.open();
  office.idp.claims["email"] = quote("ada@example.org");
  CHECK(office.sign_in()->login_name == "grace@example.org");
  office.idp.user_info["email_verified"] = "false";
  check_refused(office, office.sign_in(), not_accepted("'email_verified' is not true"));
  office.idp.claims["email_verified"] = "false";
  const int before = office.idp.count("/userinfo");
  check_refused(office, office.sign_in(), not_accepted("'email_verified' is not true"));
  CHECK(office.idp.count("/userinfo") == before);  // the ID token has said it
}

TEST_CASE("userinfo that is not of this subject, this provider or no proper answer signs nobody in", "[oidc]") {
  struct Case {
    const char* what;
    void (*change)(ThinOffice&);
    Error expected;
  };
  const Case cases[] = {
      {"another subject", [](ThinOffice& o) { o.idp.user_info["sub"] = quote("s-2"); }, not_accepted("'sub'")},
      {"no subject", [](ThinOffice& o) { o.idp.user_info.erase("sub"); }, not_accepted("'sub'")},
      {"a subject that is a number", [](ThinOffice& o) { o.idp.user_info["sub"] = "1"; }, not_accepted("'sub'")},
      {"a subject in capitals", [](ThinOffice& o) { o.idp.user_info["sub"] = quote("S-1"); }, not_accepted("'sub'")},
      {"no login name", [](ThinOffice& o) { o.idp.user_info.erase("preferred_username"); },
       not_accepted("set oidc.login_claim")},
      {"a list",
       [](ThinOffice& o) {
         o.idp.instead["/userinfo"] = {200, "application/json", "[]"};
       },
       not_accepted("userinfo")},
      {"a page",
       [](ThinOffice& o) {
         o.idp.instead["/userinfo"] = {200, "text/html", "<html>"};
       },
       unreachable("userinfo")},
      {"a refusal",
       [](ThinOffice& o) {
         o.idp.instead["/userinfo"] = {401, "application/json", "{}"};
       },
       unreachable("HTTP 401")},
      {"a redirect",
       [](ThinOffice& o) {
         o.idp.instead["/userinfo"] = {302, "application/json", "{}"};
       },
       unreachable("HTTP 302")},
      {"no connection", [](ThinOffice& o) { o.idp.unreachable["/userinfo"] = "no route"; }, unreachable("no route")},
      {"no endpoint",
       [](ThinOffice& o) {
         o.idp.discovery.erase("userinfo_endpoint");
         o.open();
       },
       not_accepted("names no userinfo endpoint")},
      {"an endpoint on a loopback address",
       [](ThinOffice& o) {
         o.idp.discovery["userinfo_endpoint"] = quote("http://127.0.0.1:9/userinfo");
         o.open();
       },
       not_accepted("names no userinfo endpoint")},
      {"no access token", [](ThinOffice& o) { o.idp.token_answer["access_token"] = ""; }, not_accepted("access token")},
      {"an access token with a line break",
       [](ThinOffice& o) { o.idp.token_answer["access_token"] = R"("at\r\nX: y")"; }, not_accepted("access token")},
      {"signed for another issuer",
       [](ThinOffice& o) {
         o.idp.signs_user_info = true;
         o.idp.user_info["iss"] = quote("https://other.example");
       },
       not_accepted("'iss'")},
      {"signed for another client",
       [](ThinOffice& o) {
         o.idp.signs_user_info = true;
         o.idp.user_info["aud"] = quote("another");
       },
       not_accepted("'aud'")},
      {"signed wrongly",
       [](ThinOffice& o) {
         o.idp.instead["/userinfo"] = {200, "application/jwt", "e30.e30.e30"};
       },
       not_accepted("")}};
  for (const Case& each : cases) {
    INFO(each.what);
    ThinOffice office;
    each.change(office);
    check_refused(office, office.sign_in(), each.expected);
  }
}

TEST_CASE("claims that are wanted come from the ID token, else from userinfo", "[oidc]") {
  const std::vector<std::string> wanted{"groups", "realm_access"};
  const auto told = [&](Office& office) {
    const auto identity = office.provider->finish(office.callback(), browser_key, wanted);
    if (!identity) FAIL(identity.error().log_detail);
    return json::text_of(identity->claims);
  };
  ThinOffice office;
  const std::string head = R"({"iss":"https://login.example/realm","sub":"s-1")";
  for (const auto& [name, value] : {std::pair("preferred_username", R"("ada")"), std::pair("groups", R"(["a"])"),
                                    std::pair("realm_access", R"({"roles":["b"]})")})
    office.idp.claims[name] = value;
  CHECK(told(office) == head + R"(,"groups":["a"],"realm_access":{"roles":["b"]}})");
  CHECK(office.idp.count("/userinfo") == 0);
  office.idp.claims["groups"] = "";
  CHECK(told(office) == head + R"(,"realm_access":{"roles":["b"]}})");  // neither tells it
  CHECK(office.idp.count("/userinfo") == 1);
  office.idp.user_info["groups"] = R"([{"value":"c"}])";
  office.idp.user_info["realm_access"] = R"({"roles":["never"]})";
  CHECK(told(office) == head + R"(,"groups":[{"value":"c"}],"realm_access":{"roles":["b"]}})");
  office.idp.signs_user_info = true;
  CHECK(told(office) == head + R"(,"groups":[{"value":"c"}],"realm_access":{"roles":["b"]}})");
  office.idp.claims["groups"] = "null";  // said to be none
  CHECK(told(office) == head + R"(,"groups":null,"realm_access":{"roles":["b"]}})");
}

TEST_CASE("a claim that is wanted and cannot be asked for now refuses the sign-in", "[oidc]") {
  const auto sign_in = [](Office& office) {
    return office.provider->finish(office.callback(), browser_key, {"groups"});
  };
  ThinOffice office;
  office.idp.claims["preferred_username"] = quote("ada");
  REQUIRE(sign_in(office));
  office.idp.instead["/userinfo"] = {500, "application/json", "{}"};
  check_refused(office, sign_in(office), unreachable("The userinfo endpoint answers HTTP 500"));
  office.idp.instead["/userinfo"] = {200, "application/json", R"({"sub":"s-2","groups":["admins"]})"};
  check_refused(office, sign_in(office), not_accepted("'sub' is not that of the ID token"));
  office.idp.instead.clear();
  office.idp.token_answer["access_token"] = "";
  check_refused(office, sign_in(office), not_accepted("no access token"));
  office.idp.discovery.erase("userinfo_endpoint");
  office.open();
  CHECK(sign_in(office));  // there is none: what the token tells is all there is
}

TEST_CASE("claims that are told to be elsewhere refuse the sign-in", "[oidc]") {
  const auto sign_in = [](Office& office) {
    return office.provider->finish(office.callback(), browser_key, {"groups"});
  };
  const auto kept_back = not_accepted("'groups' is not told, only that it can be asked for elsewhere (_claim_names)");
  for (const bool in_token : {true, false}) {
    ThinOffice office;
    office.idp.claims["preferred_username"] = quote("ada");
    (in_token ? office.idp.claims : office.idp.user_info)["_claim_names"] = R"({"groups":"src1"})";
    check_refused(office, sign_in(office), kept_back);
    (in_token ? office.idp.user_info : office.idp.claims)["groups"] = R"(["a"])";
    CHECK(sign_in(office));   // the other one tells it
    CHECK(office.sign_in());  // nobody wants it
  }
}
