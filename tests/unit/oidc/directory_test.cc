// What a provider publishes: what is believed of it, how long it is kept, and how often it is asked.
#include "tests/unit/oidc/office.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

using namespace callisto;
using namespace callisto::oidc;
using namespace callisto::testing;

namespace {

constexpr auto discovery_url = "/.well-known/openid-configuration";

// The provider signs with another key from now on, and publishes it.
void rotate(IdentityProvider& idp, const std::string& id = "r2") {
  idp.keys = SigningKey::rsa(2048, 1).jwk(id);
  idp.header["kid"] = quote(id);
  idp.sign = [](const std::string& text) { return SigningKey::rsa(2048, 1).sign(text); };
}

// The provider's answers to urls that end so come when the test lets them, at the latest after ten seconds.
class SlowProvider final : public Fetcher {
 public:
  Fetcher* provider = nullptr;
  std::string slow;

  Result<FetchAnswer> fetch(const FetchRequest& request) override {
    if (!slow.empty() && request.url.ends_with(slow)) wait();
    return provider->fetch(request);
  }
  void await_waiting() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(10), [this] { return waiting_ > 0; });
  }
  int waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    may_go_ = true;
    changed_.notify_all();
  }

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::seconds(10), [this] { return may_go_; });
    --waiting_;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  bool may_go_ = false;
};

}  // namespace

TEST_CASE("a discovery document counts only when it fits the issuer and this program", "[oidc]") {
  struct Row {
    const char* what;
    const char* member;
    const char* text;  // empty: the member is missing
    const char* detail;
  };
  for (const Row& row : {
           Row{"another issuer", "issuer", R"("https://evil.example")", "its issuer is 'https://evil.example'"},
           Row{"a slash more", "issuer", R"("https://login.example/realm/")", "its issuer is"},
           Row{"other case", "issuer", R"("https://Login.example/realm")", "its issuer is"},
           Row{"no issuer", "issuer", "", "'issuer' is missing"},
           Row{"an issuer that is a list", "issuer", R"(["https://login.example/realm"])", "'issuer' is missing"},
           Row{"http", "token_endpoint", R"("http://login.example/token")", "'token_endpoint' is"},
           Row{"this machine", "token_endpoint", R"("http://127.0.0.1/token")", "'token_endpoint' is"},
           Row{"this machine by name", "jwks_uri", R"("http://localhost/keys")", "'jwks_uri' is"},
           Row{"a file", "jwks_uri", R"("file:///etc/passwd")", "'jwks_uri' is"},
           Row{"a user in the url", "jwks_uri", R"("https://a:b@login.example/keys")", "'jwks_uri' is"},
           Row{"no keys", "jwks_uri", "", "'jwks_uri' is missing"},
           Row{"a script", "authorization_endpoint", "\"javascript:alert(1)\"", "'authorization_endpoint' is"},
           Row{"a fragment", "authorization_endpoint", R"("https://login.example/a#b")", "'authorization_endpoint' is"},
           Row{"an empty fragment", "authorization_endpoint", R"("https://login.example/a#")", "'authorization_end"},
           Row{"a line break", "authorization_endpoint", R"("https://login.example/a\r\nSet-Cookie: a")",
               "'authorization_endpoint' is"},
           Row{"no code flow", "response_types_supported", R"(["id_token"])", "no code flow"},
           Row{"no response types", "response_types_supported", "", "no code flow"},
           Row{"other algorithms", "id_token_signing_alg_values_supported", R"(["none","HS256"])", "none of RS256"},
       }) {
    INFO(row.what);
    Office office;
    REQUIRE(office.sign_in());
    office.idp.discovery[row.member] = row.text;
    if (!*row.text) office.idp.discovery.erase(row.member);
    office.open();
    check_refused(office, office.provider->begin(browser_key), unreachable(row.detail));
  }
}

TEST_CASE("a document must be a plain, short answer of JSON", "[oidc]") {
  const std::string json = "application/json";
  struct Row {
    const char* what;
    FetchAnswer answer;
    const char* detail;
  };
  for (const Row& row :
       {Row{"redirect", {302, json, "{}"}, "redirects (HTTP 302)"},
        Row{"permanent redirect", {308, "", ""}, "redirects (HTTP 308)"},
        Row{"server error", {500, json, "{}"}, "HTTP 500"}, Row{"other success", {204, json, ""}, "HTTP 204"},
        Row{"HTML", {200, "text/html", "<html>"}, "of type 'text/html'"}, Row{"no type", {200, "", "{}"}, "of type ''"},
        Row{"type in a parameter", {200, "text/html; a=application/json", "{}"}, "of type 'text/html"},
        Row{"too long", {200, json, std::string(256 * 1024 + 1, ' ')}, "longer than 262144 bytes"},
        Row{"cut short", {200, json, R"({"keys":[)"}, "wrong"}, Row{"a list", {200, json, "[]"}, "wrong"},
        Row{"a name twice", {200, json, R"({"keys":[],"keys":[],"issuer":"","issuer":""})"}, "twice"},
        Row{"a byte order mark", {200, json, "\xef\xbb\xbf{}"}, "wrong"},
        Row{"nested deeply", {200, json, std::string(100000, '[')}, "nested deeper"}}) {
    for (const char* document : {discovery_url, "/keys"}) {
      INFO(row.what << " as " << document);
      Office office;
      REQUIRE(office.sign_in());
      office.open();
      office.idp.instead[document] = row.answer;
      if (document == discovery_url)
        check_refused(office, office.provider->begin(browser_key), unreachable(row.detail));
      else check_refused(office, office.sign_in(), unreachable(row.detail));
    }
  }
}

TEST_CASE("the token endpoint's answer must be plain JSON, too", "[oidc]") {
  struct Row {
    FetchAnswer answer;
    Error expected;
  };
  const std::string json = "application/json";
  for (const Row& row : {Row{{302, json, "{}"}, unreachable("redirects")},
                         Row{{200, "text/plain", "{}"}, unreachable("of type 'text/plain'")},
                         Row{{200, json, std::string(256 * 1024 + 1, ' ')}, unreachable("longer than")},
                         Row{{200, json, "{"}, unreachable("wrong")},
                         Row{{200, json, R"({"id_token":"a","id_token":"b"})"}, unreachable("twice")},
                         Row{{200, json, "{}"}, not_accepted("gave no ID token")},
                         Row{{500, json, R"({"error":["a"]})"}, unreachable("HTTP 500 and the error '(none)'")},
                         Row{{400, json, R"({"error":"invalid_grant"})"}, stale("invalid_grant")}}) {
    Office office;
    REQUIRE(office.sign_in());
    office.idp.instead["/token"] = row.answer;
    check_refused(office, office.sign_in(), row.expected);
  }
}

TEST_CASE("parameters and the case of a media type do not matter", "[oidc]") {
  Office office;
  office.idp.instead["/keys"] = {200, "application/jwk-set+json", R"({"keys":[)" + office.idp.keys + "]}"};
  office.idp.instead[discovery_url] = {200, " Application/JSON ; charset=utf-8", object(office.idp.discovery)};
  CHECK(office.sign_in());
}

TEST_CASE("an issuer that ends with a slash is asked below it and must be named so", "[oidc]") {
  Office office("https://login.example/tenant/");
  CHECK(office.sign_in());
  CHECK(office.idp.count("https://login.example/tenant/.well-known/openid-configuration") == 1);
}

TEST_CASE("documents are kept for an hour", "[oidc]") {
  Office office;
  for (int i = 0; i < 3; ++i) REQUIRE(office.sign_in());
  office.clock.advance_ms(3'599'999);
  REQUIRE(office.sign_in());
  CHECK(office.idp.count(discovery_url) == 1);
  CHECK(office.idp.count("/keys") == 1);
  office.clock.advance_ms(1);
  REQUIRE(office.sign_in());
  CHECK(office.idp.count(discovery_url) == 2);
  CHECK(office.idp.count("/keys") == 2);
}

TEST_CASE("a key that the provider has withdrawn ends within the hour", "[oidc]") {
  Office office;
  REQUIRE(office.sign_in());
  office.idp.keys = SigningKey::rsa(2048, 1).jwk("r2");
  office.clock.advance_ms(3'600'000);
  check_refused(office, office.sign_in(), not_accepted("no RS256 key 'r1'"));
}

TEST_CASE("a provider may go over to another algorithm with a new key", "[oidc]") {
  Office office;
  REQUIRE(office.sign_in());
  using enum Algorithm;
  for (const Algorithm next : {PS256, ES384, EdDSA, ES512, PS512, RS256}) {
    INFO(name(next));
    office.clock.advance_ms(60'000);
    const std::string kid = std::string("key-") + name(next);
    office.idp.keys = SigningKey::of(next).jwk(kid, R"(,"use":"sig","alg":")" + std::string(name(next)) + '"');
    office.idp.header["kid"] = quote(kid);
    office.idp.algorithm = next;
    CHECK(office.sign_in());
  }
}

TEST_CASE("a new key works at once, but for the first minute after the keys were asked for", "[oidc]") {
  Office office;
  REQUIRE(office.sign_in());
  office.clock.advance_ms(60'000);
  rotate(office.idp);
  CHECK(office.sign_in());
  CHECK(office.idp.count("/keys") == 2);
  rotate(office.idp, "r3");
  check_refused(office, office.sign_in(), not_accepted("no RS256 key 'r3'"));
  office.clock.advance_ms(59'999);
  check_refused(office, office.sign_in(), not_accepted("no RS256 key 'r3'"));
  CHECK(office.idp.count("/keys") == 2);
  office.clock.advance_ms(1);
  CHECK(office.sign_in());
  CHECK(office.idp.count("/keys") == 3);
}

TEST_CASE("a flood of unknown key ids reaches the provider once a minute, from many threads too", "[oidc]") {
  Office office;
  REQUIRE(office.sign_in());
  office.clock.advance_ms(60'000);
  office.idp.header["kid"] = quote("made-up");
  std::vector<CallbackParameters> callbacks;
  for (int i = 0; i < 40; ++i) callbacks.push_back(office.callback());
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (std::size_t k = static_cast<std::size_t>(i); k < callbacks.size(); k += 4)
        refused += !office.provider->finish(callbacks[k], browser_key);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(refused == 40);
  CHECK(office.idp.count("/keys") == 2);
}

TEST_CASE("keys that came stay in use while the provider cannot be asked about others", "[oidc]") {
  Office office;
  REQUIRE(office.sign_in());
  office.clock.advance_ms(60'000);
  office.idp.unreachable["/keys"] = "Connection refused";
  office.idp.header["kid"] = quote("r9");
  check_refused(office, office.sign_in(), unreachable("cannot be fetched: Connection refused"));
  office.idp.header["kid"] = quote("r1");
  CHECK(office.sign_in());
  CHECK(office.idp.count("/keys") == 2);
}

TEST_CASE("what was kept serves others while one asks a slow provider anew", "[oidc]") {
  for (const char* document : {discovery_url, "/keys"}) {
    INFO(document);
    SlowProvider slow;
    Office office("https://login.example/realm", &slow);
    slow.provider = &office.idp;
    REQUIRE(office.sign_in());
    office.clock.advance_ms(3'600'000);
    slow.slow = document;
    bool asked_well = false;
    std::thread asking([&] {
      const auto url = office.provider->begin(browser_key);
      asked_well = url && office.provider->finish(office.idp.authorize(*url), browser_key);
    });
    slow.await_waiting();
    CHECK(office.sign_in());
    CHECK(slow.waiting() == 1);  // its answer had not come, and nobody else asked
    slow.let_go();
    asking.join();
    CHECK(asked_well);
    CHECK(office.idp.count(document) == 2);
  }
}

TEST_CASE("whoever has nothing kept waits for the one that asks", "[oidc]") {
  SlowProvider slow;
  Office office("https://login.example/realm", &slow);
  slow.provider = &office.idp;
  slow.slow = discovery_url;
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { good += bool(office.provider->begin(browser_key)); });
  slow.await_waiting();
  slow.let_go();
  for (std::thread& thread : threads) thread.join();
  CHECK(good == 4);
  CHECK(office.idp.count(discovery_url) == 1);
}

TEST_CASE("documents are used for a day while the provider gives no others", "[oidc]") {
  for (const char* document : {discovery_url, "/keys"}) {
    INFO(document);
    Office office;
    REQUIRE(office.sign_in());
    office.idp.unreachable[document] = "Connection refused";
    office.clock.advance_ms(3'600'000);
    for (int i = 0; i < 3; ++i) CHECK(office.sign_in());
    CHECK(office.idp.count(document) == 2);  // asked again after five seconds alone
    office.clock.advance_ms(5'000);
    office.idp.instead[document] = {500, "application/json", "{}"};
    office.idp.unreachable.clear();
    CHECK(office.sign_in());
    CHECK(office.idp.count(document) == 3);
    office.clock.advance_ms(86'400'000 - 3'605'000 - 1);
    CHECK(office.sign_in());
    office.clock.advance_ms(5'000);
    if (document == discovery_url) check_refused(office, office.provider->begin(browser_key), unreachable("HTTP 500"));
    else check_refused(office, office.sign_in(), unreachable("HTTP 500"));
    office.idp.instead.clear();
    office.clock.advance_ms(5'000);
    CHECK(office.sign_in());
  }
}

TEST_CASE("after a failure nobody asks for five seconds", "[oidc]") {
  Office office;
  office.idp.unreachable[discovery_url] = "Could not resolve host";
  for (int i = 0; i < 3; ++i)
    check_refused(office, office.provider->begin(browser_key), unreachable("Could not resolve host"));
  office.clock.advance_ms(4'999);
  check_refused(office, office.provider->begin(browser_key), unreachable("Could not resolve host"));
  CHECK(office.idp.count(discovery_url) == 1);
  office.idp.unreachable.clear();
  office.clock.advance_ms(1);
  CHECK(office.sign_in());
}

TEST_CASE("many threads sign in at once with one fetch of each document", "[oidc]") {
  Office office;
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) {
        const auto url = office.provider->begin(browser_key);
        good += url && office.provider->finish(office.idp.authorize(*url), browser_key);
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(good == 40);
  CHECK(office.idp.count(discovery_url) == 1);
  CHECK(office.idp.count("/keys") == 1);
}
