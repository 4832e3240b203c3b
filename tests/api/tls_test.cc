// https as an administrator and clients meet it: settings, errors at the start, versions, reload by SIGHUP and by
// callisto reload, links and cookies, and the headers that every answer has.
#include "desk.h"
#include "tests/support/test_certificate.h"

#include <curl/curl.h>
#include <signal.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <memory>
#include <optional>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Contains;

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  chmod(path.c_str(), 0600);
}

class SecureServer {
 public:
  SecureServer() : log_(folder_ / "log") {
    write(certificate(), test::without_key(first_));
    write(key(), test::key_of(first_));
    server_.emplace(folder_ / "data",
                    std::vector<std::string>{"--samples", "--set", "tls.certificate=" + certificate(), "--set",
                                             "tls.key=" + key(), "--set", "log.access=false"},
                    log_);
  }
  std::string certificate() const { return folder_ / "desk.crt"; }
  std::string key() const { return folder_ / "desk.key"; }
  std::string data() const { return folder_ / "data"; }
  const ServerProcess& server() const { return *server_; }
  void replace(const std::string& pem) const {
    write(certificate(), test::without_key(pem));
    write(key(), test::key_of(pem));
  }
  // What callisto reload says, told as this server was started.
  Finished reload() const { return run_program({"reload", "--data", data(), "--set", "log.level=off"}); }

 private:
  TemporaryFolder folder_;
  std::string log_;
  const std::string first_ = test::make_certificate("first");
  std::optional<ServerProcess> server_;
};

// A GET by libcurl on a connection of its own, which verifies the certificate by `authority`. 0: none.
int status_of(const std::string& url, long version, const std::string& authority) {
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT, 60L);
  curl_easy_setopt(curl.get(), CURLOPT_SSLVERSION, version);
  curl_easy_setopt(curl.get(), CURLOPT_SSL_CIPHER_LIST, "DEFAULT@SECLEVEL=0");  // lets libcurl offer TLS 1.1
  curl_easy_setopt(curl.get(), CURLOPT_CAINFO, authority.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_NOBODY, 1L);
  long status = 0;
  if (curl_easy_perform(curl.get()) != CURLE_OK) return 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  return static_cast<int>(status);
}

struct Kind {
  const char* name;
  const char* method;
  const char* target;
  int status;
  const char* body = "";
  const char* type = "application/json";
  bool signed_in = true;
};

const Kind kinds[] = {
    {"a search", "GET", "/service.api/api/v1/call?$top=1", 200},
    {"a record", "GET", "/service.api/api/v1/call/1", 200},
    {"HEAD", "HEAD", "/service.api/api/v1/call/1", 200},
    {"metadata", "GET", "/service.api/api/v1/_metadata", 404},
    {"an unknown entity", "GET", "/service.api/api/v1/nothing", 404},
    {"an unknown record", "GET", "/service.api/api/v1/call/999999", 404},
    {"an unknown path", "GET", "/nowhere", 404},
    {"a malformed filter", "GET", "/service.api/api/v1/call?$filter=(", 400},
    {"a malformed body", "POST", "/service.api/api/v1/person", 400, "{"},
    {"another type", "POST", "/service.api/api/v1/person", 415, "x", "text/plain"},
    {"a method that is none", "PATCH", "/service.api/api/v1/call/1", 405},
    {"without a token", "GET", "/service.api/api/v1/call", 401, "", "", false},
    {"a malformed path", "GET", "/service.api/%00", 400},
    {"a url that is too long", "GET", nullptr, 414},
    {"a file", "GET", "/service.api/api/v1/call/1/attachment/FILE/content", 200},
    {"a part of a file", "GET", "/service.api/api/v1/call/1/attachment/FILE/content", 206},
    {"a file that is known", "GET", "/service.api/api/v1/call/1/attachment/FILE/content", 304},
    {"signing in", "POST", "/service.web/oauth/login", 200,
     "client_id=sample-app&grant_type=password&username=user&password=callisto&scope=session-type:User",
     "application/x-www-form-urlencoded", false},
    {"a wrong password", "POST", "/service.web/oauth/login", 400,
     "client_id=sample-app&grant_type=password&username=user&password=x&scope=session-type:User",
     "application/x-www-form-urlencoded", false},
    {"the page of signing in", "GET", "/service.web/oauth/authorize", 400, "", "", false},
    {"metadata of signing in", "GET", "/.well-known/oauth-authorization-server", 200, "", "", false},
    {"/metrics", "GET", "/metrics", 200, "", "", false},
    {"/healthz", "GET", "/healthz", 200, "", "", false},
    {"/readyz", "GET", "/readyz", 200, "", "", false},
};

std::string upload(const Client& client) {
  const Answer made = client.send("POST", "v1/call/1/attachment",
                                  "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.html\"\r\n"
                                  "Content-Type: text/html\r\n\r\n<script>\r\n--b--\r\n",
                                  {"Content-Type: multipart/form-data; boundary=b"});
  INFO(made.body);
  REQUIRE(made.status < 300);
  const json::Node body = *json::parse(made.body);
  const json::Node* rows = body.find("_embedded");
  const json::Node& file = rows ? rows->members().front().value.items().front() : body;
  return text_of(file, "Ref");
}

void check_headers(const Kind& kind, const Answer& answer) {
  INFO(kind.name << ": " << answer.status << " " << answer.body.substr(0, 300));
  CHECK(answer.status == kind.status);
  const auto header = [&answer](const std::string& name) {
    const auto found = answer.headers.find(name);
    return found == answer.headers.end() ? std::string("(none)") : found->second;
  };
  CHECK(header("x-content-type-options") == "nosniff");
  CHECK(header("referrer-policy") == "no-referrer");
  CHECK(header("strict-transport-security") == "max-age=31536000");
  CHECK_THAT(header("content-security-policy"),
             Catch::StartsWith("default-src 'none'") && Contains("frame-ancestors 'none'") && !Contains("unsafe"));
  const bool is_kept = std::string(kind.target ? kind.target : "").find("/content") != std::string::npos;
  CHECK_THAT(header("cache-control"), Contains(is_kept ? "no-" : "no-store"));
  CHECK(header("server") == "(none)");
  CHECK(header("access-control-allow-origin") == "(none)");
  CHECK(header("x-powered-by") == "(none)");
  if (is_kept) {
    CHECK_THAT(header("content-disposition"), Catch::StartsWith("attachment; filename=\"a.html\""));
    CHECK_THAT(header("content-security-policy"), Contains("sandbox"));
  }
}

}  // namespace

TEST_CASE("every kind of answer has the headers that protect a browser", "[api][tls]") {
  const SecureServer desk;
  const ServerProcess& server = desk.server();
  REQUIRE(server.base_url().starts_with("https://127.0.0.1:"));
  const Client admin(server, server.token("admin"));
  const std::string token = server.token("admin"), file = upload(admin);
  std::string etag;
  for (const Kind& kind : kinds) {
    std::string target = kind.target ? kind.target : "/" + std::string(40'000, 'x');
    if (const std::size_t at = target.find("FILE"); at != target.npos) target.replace(at, 4, file);
    ServerProcess::Headers headers;
    if (kind.signed_in) headers.push_back("Authorization: Bearer " + token);
    if (*kind.type) headers.push_back(std::string("Content-Type: ") + kind.type);
    if (kind.status == 206) headers.push_back("Range: bytes=1-3");
    if (kind.status == 304) headers.push_back("If-None-Match: " + etag);
    const Answer answer = server.send(kind.method, target, headers, kind.body);
    check_headers(kind, answer);
    if (kind.status == 200 && answer.headers.contains("etag")) etag = answer.headers.at("etag");
  }
}

TEST_CASE("links and cookies follow TLS", "[api][tls]") {
  const SecureServer desk;
  const ServerProcess& server = desk.server();
  const Answer described = server.send("GET", "/.well-known/oauth-authorization-server");
  const auto body = json::parse(described.body);
  REQUIRE(body);
  CHECK(text_of(*body, "issuer") == server.base_url());
  CHECK(text_of(*body, "token_endpoint").starts_with(server.base_url() + "/"));
  const Answer page =
      server.send("GET",
                  "/service.web/oauth/authorize?response_type=code&client_id=sample-app&redirect_uri="
                  "http%3A%2F%2F127.0.0.1%3A8765%2Fcallback&scope=session-type%3AAnalyst&code_challenge="
                  "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256");
  INFO(page.body);
  REQUIRE(page.status == 200);
  REQUIRE(page.headers.contains("set-cookie"));
  CHECK_THAT(page.headers.at("set-cookie"), Catch::StartsWith("__Host-callisto-sign-in=") && Contains("; Secure"));
}

TEST_CASE("libcurl shakes hands by TLS 1.2 and 1.3, verifies the certificate, and is refused below", "[api][tls]") {
  const SecureServer desk;
  const std::string url = desk.server().base_url() + "/healthz";
  struct Row {
    long least, most;
    int status;
  };
  for (const Row& row : {Row{CURL_SSLVERSION_TLSv1_2, CURL_SSLVERSION_MAX_TLSv1_2, 200},
                         {CURL_SSLVERSION_TLSv1_3, CURL_SSLVERSION_MAX_TLSv1_3, 200},
                         {CURL_SSLVERSION_TLSv1_0, CURL_SSLVERSION_MAX_TLSv1_0, 0},
                         {CURL_SSLVERSION_TLSv1_1, CURL_SSLVERSION_MAX_TLSv1_1, 0}}) {
    INFO(row.least);
    CHECK(status_of(url, row.least | row.most, desk.certificate()) == row.status);
  }
}

TEST_CASE("callisto reload brings a new certificate, and refuses a bad one", "[api][tls]") {
  const SecureServer desk;
  const std::string url = desk.server().base_url() + "/healthz";
  const std::string second = test::make_certificate("second");
  const TemporaryFolder folder;
  write(folder / "first.crt", test::without_key(second));  // who trusts the second alone
  const auto serves_second = [&] { return status_of(url, CURL_SSLVERSION_TLSv1_2, folder / "first.crt") == 200; };
  CHECK_FALSE(serves_second());
  write(desk.certificate(), test::without_key(second));  // with the first's key: a renewal that is half done
  const Finished refused = desk.reload();
  INFO(refused.output);
  CHECK(refused.exit_status == 1);
  CHECK_THAT(refused.output, Contains("tls.key: ") && Contains("does not belong") && Contains(desk.key()));
  CHECK_FALSE(serves_second());
  CHECK(desk.server().send("GET", "/healthz").status == 200);
  desk.replace(second);
  const Finished done = desk.reload();
  INFO(done.output);
  CHECK(done.exit_status == 0);
  CHECK(serves_second());
}

TEST_CASE("SIGHUP brings a new certificate", "[api][tls]") {
  const SecureServer desk;
  const std::string url = desk.server().base_url() + "/healthz";
  CHECK(desk.server().send("GET", "/healthz").status == 200);
  desk.replace(test::make_certificate("second"));
  kill(desk.server().process(), SIGHUP);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  bool serves_second = false;
  while (!serves_second && std::chrono::steady_clock::now() < until)
    serves_second = status_of(url, CURL_SSLVERSION_TLSv1_2, desk.certificate()) == 200;
  CHECK(serves_second);
  CHECK(desk.server().send("GET", "/healthz").status == 200);
}

TEST_CASE("a server with a certificate that cannot serve does not start", "[api][tls]") {
  const TemporaryFolder folder;
  const std::string pem = test::make_certificate();
  write(folder / "desk.crt", test::without_key(pem));
  write(folder / "other.key", test::key_of(test::make_certificate()));
  struct Row {
    std::vector<std::string> settings;
    const char* problem;
  };
  for (const Row& row :
       {Row{{"tls.certificate=" + (folder / "none.crt")}, "none.crt cannot be read"},
        {{"tls.certificate=" + (folder / "desk.crt")}, "there is no private key"},
        {{"tls.certificate=" + (folder / "desk.crt"), "tls.key=" + (folder / "other.key")}, "does not belong"},
        {{"tls.key=" + (folder / "other.key")}, "tls.certificate is not"}}) {
    std::vector<std::string> arguments{"serve", "--listen", "127.0.0.1:0", "--data", folder / "data"};
    for (const std::string& setting : row.settings) arguments.insert(arguments.end(), {"--set", setting});
    const Finished finished = run_program(arguments);
    INFO(finished.output);
    CHECK(finished.exit_status == 1);
    CHECK_THAT(finished.output, Contains(row.problem));
    CHECK_FALSE(std::ifstream(folder / "data/desk.db").is_open());
  }
}
