// Signing in by password, and what a token opens (API rules 6, 6.1).
#include "server_process.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

struct Case {
  std::string form;
  int status;
  std::string error;
};

const std::string good =
    "client_id=sample-app&grant_type=password&username=analyst&password=callisto"
    "&scope=session-type:Analyst";

}  // namespace

TEST_CASE("a login answers the fields of the specification, not to be stored") {
  const Answer answer = sample_server().login(good);
  REQUIRE(answer.status == 200);
  CHECK(answer.headers.at("cache-control") == "no-store");
  CHECK(answer.headers.at("pragma") == "no-cache");
  const auto body = json::parse(answer.body);
  REQUIRE(body);
  CHECK(body->find("expires_in")->text() == "7200");
  CHECK(body->find("token_type")->text() == "Bearer");
  CHECK(body->find("scope")->text() == "session-type:Analyst");
  CHECK_FALSE(body->find("refresh_token")->text().empty());
}

TEST_CASE("a refused login has the status and error of the tables") {
  const std::vector<Case> cases{
      {"client_id=nobody&grant_type=password&username=analyst&password=callisto&scope=session-type:Analyst", 401,
       "invalid_client"},
      {"client_id=disabled-app&grant_type=password&username=analyst&password=callisto&scope=session-type:Analyst", 401,
       "invalid_client"},
      {"client_id=sample-app&grant_type=password&username=analyst&password=wrong&scope=session-type:Analyst", 400,
       "invalid_grant"},
      {"client_id=sample-app&grant_type=password&username=nobody&password=callisto&scope=session-type:Analyst", 400,
       "invalid_grant"},
      {"client_id=sample-app&grant_type=password&username=user&password=callisto&scope=session-type:Analyst", 400,
       "invalid_grant"},
      {"client_id=sample-app&grant_type=password&username=analyst&password=callisto&scope=session-type:analyst", 400,
       "invalid_scope"},
      {"client_id=sample-app&grant_type=password&username=analyst&password=callisto", 400, "invalid_request"},
      {"client_id=sample-app&grant_type=magic&username=a&password=b&scope=session-type:User", 400,
       "unsupported_grant_type"},
      {"grant_type=password&username=analyst&password=callisto&scope=session-type:Analyst", 400, "invalid_request"},
      {good + "&scope=session-type:User", 400, "invalid_request"},
      {"client_id=sample-app&grant_type=refresh_token&refresh_token=crt_nothing", 401, "invalid_grant"},
      {"client_id=sample-app&grant_type=password&username=%00&password=%zz", 400, "invalid_request"},
  };
  for (const Case& each : cases) {
    const Answer answer = sample_server().login(each.form);
    INFO(each.form << " -> " << answer.body);
    CHECK(answer.status == each.status);
    CHECK(answer.body.find("\"error\":\"" + each.error + "\"") != std::string::npos);
    CHECK(answer.headers.at("content-type").starts_with("application/json"));
  }
}

TEST_CASE("field names match ignoring case, and so does the login name") {
  CHECK(sample_server()
            .login("Client_Id=sample-app&GRANT_TYPE=password&UserName=aNaLySt&password=callisto"
                   "&scope=session-type:Analyst")
            .status == 200);
}

TEST_CASE("another content type than a form is 415") {
  const Answer answer =
      sample_server().send("POST", "/service.web/oauth/login", {"Content-Type: application/json"}, "{}");
  CHECK(answer.status == 415);
  CHECK(answer.body.find("\"error\"") != std::string::npos);
}

TEST_CASE("a client that used HTTP Basic is refused in its scheme, any other is not (RFC 6749 5.2)") {
  const std::string form = "grant_type=password&username=analyst&password=callisto&scope=session-type:Analyst";
  const ServerProcess::Headers type{"Content-Type: application/x-www-form-urlencoded"};
  ServerProcess::Headers basic = type;
  basic.push_back("authorization: bAsIc bm9ib2R5OnNlY3JldA==");  // nobody:secret
  const Answer refused = sample_server().send("POST", "/service.web/oauth/login", basic, form);
  CHECK(refused.status == 401);
  CHECK(refused.body.find("\"invalid_client\"") != std::string::npos);
  REQUIRE(refused.headers.count("www-authenticate") == 1);
  CHECK(refused.headers.at("www-authenticate").starts_with("Basic realm=\""));
  const Answer by_form = sample_server().login(form + "&client_id=nobody");
  CHECK(by_form.status == 401);
  CHECK(by_form.headers.count("www-authenticate") == 0);
}

TEST_CASE("a form that cannot be read is refused in the OAuth shape, not to be stored") {
  const Answer large = sample_server().login("client_id=" + std::string(70'000, 'a'));
  CHECK(large.status == 413);
  CHECK(large.body.starts_with("{\"error\":\"invalid_request\""));
  CHECK(large.headers.at("cache-control") == "no-store");
  CHECK(large.headers.at("content-type").starts_with("application/json"));
}

TEST_CASE("without a live token every API url is 401 and says Bearer") {
  for (const char* header :
       {"X-None: 1", "Authorization: Bearer", "Authorization: Bearer cat_made_up", "Authorization: Basic YTpi"}) {
    for (const char* target : {"/service.api/api/v1/call", "/service.api/api/v1/nothing", "/service.api/api"}) {
      const Answer answer = sample_server().send("GET", target, {header});
      INFO(header << " " << target << " " << answer.body);
      CHECK(answer.status == 401);
      CHECK(answer.headers.at("www-authenticate").starts_with("Bearer"));
      CHECK(answer.body.find("\"Message\"") != std::string::npos);
    }
  }
}

TEST_CASE("a refresh token works once") {
  const auto body = json::parse(sample_server().login(good).body);
  REQUIRE(body);
  const std::string form = "client_id=sample-app&grant_type=refresh_token&scope=session-type:Analyst&refresh_token=" +
                           body->find("refresh_token")->text();
  CHECK(sample_server().login(form).status == 200);
  CHECK(sample_server().login(form).status == 401);
}
