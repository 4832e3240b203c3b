// What `callisto serve` refuses of the settings before it opens anything, and that `callisto check` tells the same.
#include "engine/app/opening/prepare.h"
#include "rule_desk.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::app;

namespace {

using Given = std::vector<std::pair<std::string, std::string>>;
using Problems = std::vector<std::string>;

Settings settings_of(const Given& given) {
  Settings settings;
  for (const auto& [name, value] : given) REQUIRE(set(settings, name, value));
  return settings;
}

Problems problems_of(const Given& given) {
  Problems problems;
  prepare(settings_of(given), problems);
  return problems;
}

}  // namespace

TEST_CASE("a setting that serving cannot be made of is told with its fix") {
  struct Row {
    Given given;
    const char* words;
  };
  const Row rows[] = {
      {{{"listen", "8080"}}, "setting listen: '8080' does not fit; write HOST:PORT, such as 127.0.0.1:8080"},
      {{{"listen", "127.0.0.1:65536"}}, "setting listen: "},
      {{{"listen", "127.0.0.1:1,127.0.0.1:65536"}}, "setting listen: '127.0.0.1:65536'"},
      {{{"listen", "127.0.0.1:1,127.0.0.1:1"}}, "setting listen: '127.0.0.1:1' stands there twice"},
      {{{"listen", "unix:/a,unix:/a"}}, "setting listen: 'unix:/a' stands there twice"},
      {{{"listen", "*:8080"}}, "[::]:8080 for all addresses"},
      {{{"listen", "unix:"}}, "setting listen: 'unix:' names no file"},
      {{{"socket.mode", "0888"}}, "settings socket.mode and socket.owner: '0888' is no mode"},
      {{{"socket.owner", "a:b:c"}}, "settings socket.mode and socket.owner: 'a:b:c' is no owner"},
      {{{"listen", "[::1]:80x"}}, "setting listen: "},
      {{{"tls.key", "/nowhere/key"}}, "tls.key is set, but tls.certificate is not"},
      {{{"tls.certificate", "/nowhere/crt"}}, "/nowhere/crt cannot be read"},
      {{{"database", "mysql://me:secret@host/desk"}}, "the setting 'database' must be sqlite:PATH"},
      {{{"database", "postgresql://me@host:port:port/%zz"}}, "the setting 'database' must be a url such as"},
      {{{"http.trusted_proxies", "nginx"}}, "setting http.trusted_proxies: 'nginx'"},
      {{{"metrics.allow", "10.1.2.3/8"}}, "setting metrics.allow: '10.1.2.3/8'"},
      {{{"sso.trusted_proxies", "10.1.2.3/8"}}, "setting sso.trusted_proxies: '10.1.2.3/8'"},
      {{{"sso.trusted_proxies", "10.1.2.3"}}, "sso.trusted_proxies needs a sso.secret"},
      {{{"sso.secret", "0123456789abcdef"}}, "sso.trusted_proxies names no proxy"},
      {{{"oidc.issuer", "https://login.example"}}, "oidc.issuer needs base_url"},
      {{{"oidc.issuer", "https://login.example"}, {"base_url", "https://desk.example"}},
       "setting oidc.client_id is missing"},
      {{{"oidc.issuer", "http://login.example"}, {"oidc.client_id", "desk"}, {"base_url", "https://desk.example"}},
       "setting oidc.issuer: 'http://login.example' does not fit"},
      {{{"oidc.issuer", "https://login.example"}, {"oidc.client_id", "desk"}, {"base_url", "http://desk.example"}},
       "setting base_url: the callback 'http://desk.example/service.web/oauth/callback' must be"},
      {{{"oidc.issuer", "https://login.example"},
        {"oidc.client_id", "desk"},
        {"oidc.scopes", "profile"},
        {"base_url", "https://desk.example"}},
       "setting oidc.scopes: 'profile' does not hold 'openid'"},
      {{{"oidc.issuer", "https://login.example"},
        {"oidc.client_id", "desk"},
        {"oidc.proxy", "socks5://proxy:1080"},
        {"base_url", "https://desk.example"}},
       "oidc.proxy is no url of an HTTP proxy"},
      {{{"webhooks.schedule", "0,5,5"}}, "The setting webhooks.schedule has 5 behind 5"},
      {{{"webhooks.time_scale", "2"}}, "webhooks.time_scale"},
      {{{"webhooks.proxy", "socks5://proxy:1080"}}, "webhooks.proxy is no url of an HTTP proxy"},
      {{{"webhooks.ca_file", "/nowhere/ca"}}, "webhooks.ca_file: /nowhere/ca holds no certificates"},
  };
  for (const Row& row : rows) {
    INFO(row.given.front().first << " = " << row.given.front().second);
    const Problems problems = problems_of(row.given);
    REQUIRE(problems.size() == 1);
    CHECK_THAT(problems.front(), Catch::Contains(row.words) && !Catch::Contains("secret@"));
  }
}

TEST_CASE("settings that fit become the parts of a server") {
  Problems problems;
  const Prepared prepared = prepare(settings_of({{"listen", "[::1]:0"},
                                                 {"http.trusted_proxies", "10.0.0.0/8"},
                                                 {"metrics.allow", "10.0.0.1"},
                                                 {"webhooks.schedule", "0,5"}}),
                                    problems);
  CHECK(problems.empty());
  REQUIRE(prepared.listen.size() == 1);
  CHECK(prepared.listen.front().host == "::1");
  CHECK_FALSE(prepared.transport.policy.loopback);  // a proxy publishes it
  CHECK(prepare(settings_of({{"listen", "[::1]:0"}}), problems).transport.policy.loopback);
  CHECK(prepared.proxies.contains("10.1.2.3"));
  CHECK((prepared.metrics_readers.contains("10.0.0.1") && prepared.metrics_readers.contains("127.0.0.1")));
  CHECK(prepared.schedule.offsets.size() == 2);
  CHECK_FALSE(prepared.tls);
  CHECK_FALSE(prepared.providers.proxy);
  CHECK_FALSE(prepared.providers.identity_provider);
  CHECK(prepare(settings_of({{"listen", ":80"}}), problems).listen.front().host == "127.0.0.1");
  // A proxy that asks by a unix socket is not on the network, and the server no more than it.
  CHECK(prepare(settings_of({{"listen", "127.0.0.1:1,unix:/a"}}), problems).transport.policy.loopback);
  CHECK_FALSE(prepare(settings_of({{"listen", "[::]:1,unix:/a"}}), problems).transport.policy.loopback);
  CHECK(prepare(settings_of({{"listen", "127.0.0.1:0,127.0.0.1:0"}}), problems).listen.size() == 2);
  CHECK(problems.empty());
}

TEST_CASE("check tells all wrong settings, and what is wrong in the scripts too") {
  const test::RuleDesk desk;
  const Given wrong{{"listen", "8080"}, {"webhooks.schedule", "5"}, {"metrics.allow", "everybody"}};
  CHECK_FALSE(desk.checked(settings_of(wrong)).model);
  desk.write("scripts/book/actions/lose.lua", "return nothing");
  const Checked checked = desk.checked(settings_of(wrong));
  const Problems problems = problems_of(wrong);
  REQUIRE(problems.size() == 3);
  REQUIRE(checked.findings.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(checked.findings[i].severity == Severity::Error);
    CHECK(checked.findings[i].problem.message == problems[i]);
  }
  CHECK(to_text(checked.findings, false).starts_with("callisto: setting listen: '8080'"));
}
