// The real Fetcher against a real socket: what it sends, and what it does not put up with.
#include "engine/base/base64.h"
#include "engine/oidc/url.h"
#include "tests/unit/oidc/office.h"
#include "tests/unit/oidc/raw_server.h"

#include <chrono>

using namespace callisto;
using namespace callisto::oidc;
using namespace callisto::testing;

namespace {

std::string response(const std::string& status, const std::string& headers, const std::string& body) {
  return "HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}

const std::string json_head = "Content-Type: application/json\r\n";

std::string header_of(const std::string& request, const std::string& name) {
  const std::size_t at = request.find("\r\n" + name + ": ");
  if (at == std::string::npos) return {};
  const std::size_t start = at + name.size() + 4;
  return request.substr(start, request.find("\r\n", start) - start);
}

// A request on the wire, as the identity provider's own Fetcher would get it.
FetchRequest read_back(const std::string& request, const std::string& base) {
  const std::size_t space = request.find(' ');
  FetchRequest out{base + request.substr(space + 1, request.find(' ', space + 1) - space - 1), std::nullopt, {}, {}};
  if (request.starts_with("POST ")) out.form = request.substr(request.find("\r\n\r\n") + 4);
  const std::string login = header_of(request, "Authorization");
  if (login.starts_with("Basic ")) {
    const std::string pair = decode_base64(login.substr(6), Base64::Padded).value_or("?");
    out.user = pair.substr(0, pair.find(':'));
    out.password = pair.substr(pair.find(':') + 1);
  }
  return out;
}

std::string fetch_failure(const std::string& url, const FetchOptions& limits = {}) {
  const auto answer = make_curl_fetcher(limits)->fetch({url, std::nullopt, {}, {}});
  return answer ? "HTTP " + std::to_string(answer->status) : answer.error().log_detail;
}

}  // namespace

TEST_CASE("a whole sign-in over a loopback socket", "[oidc][fetch]") {
  IdentityProvider* idp = nullptr;
  std::string base, token_request;
  RawServer server([&](const std::string& request) {
    if (request.starts_with("POST ")) token_request = request;
    const FetchAnswer answer = idp->answer(read_back(request, base));
    return response(std::to_string(answer.status) + " X", "Content-Type: " + answer.content_type + "\r\n", answer.body);
  });
  base = server.url();
  const auto fetcher = make_curl_fetcher();
  Office office(base + "/realm", fetcher.get());
  idp = &office.idp;
  for (const bool es256 : {false, true}) {
    office.idp.algorithm = es256 ? Algorithm::ES256 : Algorithm::RS256;
    const auto identity = office.sign_in();
    REQUIRE(identity);
    CHECK(identity->login_name == "ada");
    CHECK(identity->issuer == base + "/realm");
  }
  CHECK(server.connections() == 4);  // two documents, two codes
  CHECK(token_request.starts_with("POST /realm/token HTTP/1.1\r\n"));
  CHECK(header_of(token_request, "Content-Type") == "application/x-www-form-urlencoded");
  CHECK(header_of(token_request, "Accept") == "application/json");
  CHECK(header_of(token_request, "Expect").empty());
  CHECK(decode_base64(header_of(token_request, "Authorization").substr(6), Base64::Padded).value_or("?") ==
        "desk:s%3Ae%20cret%25");
}

TEST_CASE("redirects are reported, not followed", "[oidc][fetch]") {
  RawServer target([](const std::string&) { return response("200 OK", json_head, "{}"); });
  RawServer server([&](const std::string&) {
    return response("302 Found", "Location: " + target.url() + "/\r\n" + json_head, "{}");
  });
  CHECK(fetch_failure(server.url()) == "HTTP 302");
  CHECK(server.connections() == 1);
  CHECK(target.connections() == 0);
}

TEST_CASE("an answer beyond its limit ends, however it is framed", "[oidc][fetch]") {
  const FetchOptions limits{2000, 5000};
  const std::string body(3000, 'x');
  std::string answer;
  RawServer server([&](const std::string&) { return answer; });
  const std::string expected = "the answer is longer than 2000 bytes";
  answer = response("200 OK", json_head, body);
  CHECK(fetch_failure(server.url(), limits) == expected);
  answer = "HTTP/1.1 200 OK\r\n" + json_head + "Transfer-Encoding: chunked\r\n\r\nbb8\r\n" + body + "\r\n0\r\n\r\n";
  CHECK(fetch_failure(server.url(), limits) == expected);
  answer = "HTTP/1.1 200 OK\r\n" + json_head + "Connection: close\r\n\r\n" + body;
  CHECK(fetch_failure(server.url(), limits) == expected);
  answer = response("200 OK", json_head + "X-Long: " + body + "\r\n", "{}");
  CHECK(fetch_failure(server.url(), limits) == expected);
  answer = response("200 OK", json_head, std::string(1800, ' '));
  CHECK(fetch_failure(server.url(), limits) == "HTTP 200");
}

TEST_CASE("a server that never answers is left in time", "[oidc][fetch]") {
  RawServer server([](const std::string&) { return std::string(); });
  const auto start = std::chrono::steady_clock::now();
  CHECK_THAT(fetch_failure(server.url(), {1000, 200}), Catch::Contains("Timeout"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("what is no HTTP is no answer", "[oidc][fetch]") {
  std::string answer = "{}";
  RawServer server([&](const std::string&) { return answer; });
  CHECK_FALSE(fetch_failure(server.url()).starts_with("HTTP "));  // HTTP/0.9
  answer = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}";
  CHECK_FALSE(fetch_failure(server.url()).starts_with("HTTP "));  // cut short
}

TEST_CASE("a closed port is an Error that says so, without the url's query", "[oidc][fetch]") {
  std::string url;
  {
    RawServer server([](const std::string&) { return std::string("x"); });
    url = server.url();
  }
  const std::string failure = fetch_failure(url + "/?code=secret");
  CHECK(failure == "Couldn't connect to server");
}

TEST_CASE("https needs TLS", "[oidc][fetch]") {
  RawServer server([](const std::string&) { return response("200 OK", json_head, "{}"); });
  CHECK_FALSE(fetch_failure("https" + server.url().substr(4)).starts_with("HTTP "));
  CHECK(server.connections() == 1);
}

TEST_CASE("all but this machine is asked through the proxy", "[oidc][fetch]") {
  std::string asked, answer = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
  RawServer proxy([&](const std::string& request) {
    asked = request;
    return answer;
  });
  RawServer direct([](const std::string&) { return response("200 OK", json_head, "{}"); });
  FetchOptions options;
  options.proxy = "http://desk:hunter2@" + proxy.url().substr(7);
  CHECK(fetch_failure(direct.url(), options) == "HTTP 200");
  CHECK(proxy.connections() == 0);

  setenv("NO_PROXY", "login.example", 1);  // the setting says where to ask
  CHECK(fetch_failure("https://login.example/token?code=secret", options) == "the proxy of oidc.proxy answers 403");
  unsetenv("NO_PROXY");
  CHECK(asked.starts_with("CONNECT login.example:443 HTTP/1.1\r\n"));
  CHECK(header_of(asked, "Proxy-Authorization") == "Basic " + encode_base64("desk:hunter2", Base64::Padded));
  CHECK(asked.find("secret") == asked.npos);
  answer = "HTTP/1.1 200 OK\r\n\r\n";  // and no TLS behind it
  CHECK_FALSE(fetch_failure("https://login.example/", options).starts_with("HTTP "));
  CHECK(proxy.connections() == 2);

  options.proxy = "http://127.0.0.1:1";
  CHECK_THAT(fetch_failure("https://login.example/", options), Catch::EndsWith("(the proxy of oidc.proxy)"));
  options.proxy = "http://nowhere.invalid:3128";
  CHECK(fetch_failure("https://login.example/", options) == "the name of the proxy of oidc.proxy is not found");
}

TEST_CASE("what names a proxy", "[oidc][fetch]") {
  for (const char* good :
       {"http://proxy.example:3128", "http://10.0.0.1", "http://u:p@proxy:3128", "http://[::1]:3128"})
    CHECK(names_proxy(good));
  for (const char* bad :
       {"", "proxy.example:3128", "https://proxy:3128", "socks5://proxy:1080", "http://", "http://a b"})
    CHECK_FALSE(names_proxy(bad));
}

TEST_CASE("only https is fetched, and http on this machine", "[oidc][fetch]") {
  for (const char* url : {"http://login.example/",
                          "http://10.0.0.1/",
                          "http://128.0.0.1/",
                          "http://[::2]/",
                          "http://0.0.0.0/",
                          "http://localhost.example/",
                          "http://127.0.0.1.example/",
                          "http://127.0.0.1@example.org/",
                          "HTTP://127.0.0.1/",
                          "ftp://127.0.0.1/",
                          "file:///etc/passwd",
                          "gopher://127.0.0.1/",
                          "//127.0.0.1/",
                          "127.0.0.1",
                          "",
                          "https://",
                          "https://a b/",
                          "https://a/\r\nX: b",
                          "https://a:b@c/",
                          "https://a@c/",
                          "https://a/#",
                          "https://a\\@b/",
                          "https://a/\xc3\xa9 b"}) {
    INFO(url);
    CHECK(transport_of(url) == Transport::Refused);
    CHECK(fetch_failure(url) == "only https is fetched, and http on loopback addresses");
  }
  CHECK(transport_of(std::string("https://a\0b", 11)) == Transport::Refused);
  for (const char* url :
       {"http://127.0.0.1", "http://127.1:80/a", "http://127.255.0.9/?a", "http://localhost/", "http://[::1]:8080/a"})
    CHECK(transport_of(url) == Transport::Loopback);
  for (const char* url : {"https://a", "https://127.0.0.1/", "https://a.example:8443/b?c=d"})
    CHECK(transport_of(url) == Transport::Https);
}
