// What those who run a server see of it: the access log, /healthz, /readyz and /metrics.
#include "desk.h"
#include "tests/support/metrics_text.h"
#include "tests/unit/http/raw_client.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <signal.h>
#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;
using Catch::Matchers::Matches;
using test::MetricsReader;
using test::ReadMetrics;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_with(const std::string& text, const std::string& word) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(word) != line.npos) found.push_back(line);
  return found;
}

ReadMetrics metrics_of(const ServerProcess& server) {
  const Answer answer = server.send("GET", "/metrics");
  REQUIRE(answer.status == 200);
  CHECK(answer.headers.at("content-type") == "text/plain; version=0.0.4; charset=utf-8");
  ReadMetrics read = MetricsReader::read(answer.body);
  INFO(answer.body);
  CHECK(read.problem.empty());
  return read;
}

// Until `done` or the time is up.
template <typename Done>
bool comes_true(const Done& done) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
       std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(std::chrono::milliseconds(20)))
    if (done()) return true;
  return false;
}

// An address of this machine that is not loopback; empty where it has none.
std::string own_address() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {};
  std::string address;
  for (const ifaddrs* each = list; each; each = each->ifa_next) {
    if (!each->ifa_addr || each->ifa_addr->sa_family != AF_INET) continue;
    char text[INET_ADDRSTRLEN] = "";
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(each->ifa_addr)->sin_addr, text, sizeof text);
    if (!std::string(text).starts_with("127.")) address = text;
  }
  freeifaddrs(list);
  return address;
}

}  // namespace

TEST_CASE("each request has a line of the log and an id, and no value of its query stands there") {
  const TemporaryFolder folder;
  const std::string log = folder.path() + "/log";
  std::string token;
  {
    ServerProcess server(folder.path() + "/desk", {"--samples"}, log);
    token = server.token("admin");
    const std::string api = "/service.api/api/v1/";
    const std::string bearer = "Authorization: Bearer " + token;
    CHECK(server.send("GET", api + "call/1", {bearer, "X-Request-Id: mine-1.a_B"}).headers.at("x-request-id") ==
          "mine-1.a_B");
    const Answer made = server.send("GET", api + "call?$filter=ShortDescription%20%3D%3D%20%22private%22&%24top=3",
                                    {bearer, "X-Request-Id: two words"});
    CHECK(made.status == 200);
    CHECK_THAT(made.headers.at("x-request-id"), Matches("[0-9a-f]+-[0-9a-f]+"));
    CHECK(server.send("GET", api + "nothing?access_token=" + token + "&" + token, {bearer}).status == 404);
    CHECK(server.send("GET", api + "call/1").status == 401);
    CHECK(server.send("GET", api + "call", {bearer, "X-Request-Id: " + std::string(65, 'a')})
              .headers.at("x-request-id") != std::string(65, 'a'));
    server.send("HEAD", api + "call/1", {bearer, "X-Request-Id: head"});
    server.stop();
  }
  const std::string text = contents(log);
  CHECK(text.find(token) == text.npos);
  CHECK(text.find("private") == text.npos);
  CHECK(text.find("two words") == text.npos);
  const auto line = lines_with(text, "request=mine-1.a_B");
  REQUIRE(line.size() == 1);
  CHECK_THAT(line[0], Matches(R"(\S+Z info GET /service\.api/api/v1/call/1 200 [0-9]+\.[0-9]{3}ms [0-9]{3,}B )"
                              R"(person=[0-9]+ client=sample-app address=127\.0\.0\.1 request=mine-1\.a_B)"));
  CHECK(lines_with(text, "/v1/call?$filter,$top 200 ").size() == 1);
  CHECK(lines_with(text, "/v1/nothing?(other),(other) 404 ").size() == 1);
  CHECK(lines_with(text, "GET /service.api/api/v1/call/1 401 ").size() == 1);
  CHECK_THAT(lines_with(text, "request=head").at(0), Contains("HEAD") && Contains(" 0B "));
}

TEST_CASE("a request that is part of a trace has the trace's id, unless it brings one of its own") {
  const auto id_of = [](const std::vector<std::string>& headers) {
    return sample_server().send("GET", "/healthz", headers).headers.at("x-request-id");
  };
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736", span = "-00f067aa0ba902b7-01";
  CHECK(id_of({"traceparent: 00-" + trace + span}) == trace);
  CHECK(id_of({"traceparent: cc-" + trace + span + "-what-is-to-come"}) == trace);
  CHECK(id_of({"traceparent: 00-" + trace + span, "X-Request-Id: mine"}) == "mine");
  for (const std::string& none : {"ff-" + trace + span, "00-" + std::string(32, '0') + span, "00-" + trace + "-00f0",
                                  "00_" + trace + span, "00-" + trace.substr(1) + "G" + span, std::string(55, '-')}) {
    INFO(none);
    CHECK(id_of({"traceparent: " + none}).find(trace.substr(0, 8)) == std::string::npos);
  }
}

TEST_CASE("the access log is JSON where the log is, and can be switched off") {
  const TemporaryFolder folder;
  const std::string log = folder.path() + "/log";
  {
    ServerProcess server(folder.path() + "/desk", {"--samples", "--set", "log.format=json"}, log);
    server.send("GET", "/service.api/api/v1/a%22b?$top=1", {"X-Request-Id: quoted"});
    server.stop();
  }
  const auto lines = lines_with(contents(log), "\"request\":\"quoted\"");
  REQUIRE(lines.size() == 1);
  const auto line = json::parse(lines[0]);
  REQUIRE(line);
  CHECK(text_of(*line, "level") == "info");
  CHECK(text_of(*line, "method") == "GET");
  CHECK(text_of(*line, "path") == "/service.api/api/v1/a%22b");
  CHECK(text_of(*line, "options") == "$top");
  CHECK(text_of(*line, "status") == "401");
  CHECK(line->find("duration_ms")->kind() == json::Node::Kind::Number);
  CHECK(line->find("bytes")->kind() == json::Node::Kind::Number);
  {
    ServerProcess server(folder.path() + "/desk", {"--set", "log.access=false"}, log);
    CHECK_FALSE(server.send("GET", "/service.api/api/v1/call").headers.at("x-request-id").empty());
    server.stop();
  }
  CHECK(lines_with(contents(log), "/service.api/api/v1/call").empty());
}

TEST_CASE("metrics count requests by route and status, never by key, and tell of slots, writer, sessions and scripts") {
  const Desk desk;
  auto& server = const_cast<Desk&>(desk).server();
  for (int key = 1; key <= 5; ++key) CHECK(desk.get("admin", "call/" + std::to_string(key)).status == 200);
  CHECK(desk.get("admin", "call/1/history").status == 200);
  CHECK(desk.get("admin", "call", {{"$select", "Ref,@AssignmentState"}, {"$top", "2"}}).status == 200);
  CHECK(desk.get("admin", "no-such").status == 404);
  server.send("POST", "/anywhere/at/all");
  const ReadMetrics read = metrics_of(server);
  const std::string total = "callisto_http_requests_total";
  CHECK(read.value(total, {{"method", "GET"}, {"route", "call/{id}"}, {"status", "200"}}) == 5);
  CHECK(read.value(total, {{"route", "call/{id}/history"}, {"status", "200"}}) == 1);
  CHECK(read.value(total, {{"route", "api"}, {"status", "404"}}) == 1);
  CHECK(read.value(total, {{"route", "oauth/login"}, {"status", "200"}}) == 1);
  CHECK(read.value(total, {{"method", "POST"}, {"route", "other"}, {"status", "404"}}) == 1);
  CHECK(read.value("callisto_http_request_duration_seconds_count", {{"route", "call/{id}"}}) == 5);
  CHECK(read.value("callisto_http_request_duration_seconds_sum", {{"route", "call/{id}"}}) > 0);
  CHECK(read.value("callisto_slots") >= 4);
  CHECK(read.value("callisto_slots_in_use") == 0);
  CHECK(read.value("callisto_writer_queue") == 0);
  CHECK(read.value("callisto_writer_commits_total") > 0);
  CHECK(read.value("callisto_sessions") == 1);
  CHECK(read.value("callisto_webhook_queue") == 0);
  CHECK(read.value("callisto_webhook_dispatcher_up") == 1);
  CHECK(read.value("callisto_reload_failed") == 0);
  CHECK(read.value("callisto_script_duration_seconds_count",
                   {{"script", "scripts/call/augmenters/AssignmentState.lua"}, {"function", "values"}}) == 1);
  for (const test::MetricsSample& sample : read.samples)
    CHECK((sample.name.starts_with("callisto_") || sample.name.starts_with("process_")));
}

TEST_CASE("metrics tell of the process, of sizes, of sign-ins by result and of what runs") {
  const Desk desk;
  auto& server = const_cast<Desk&>(desk).server();
  CHECK(desk.get("admin", "call/1").status == 200);
  for (int i = 0; i < 2; ++i)
    server.login("client_id=sample-app&grant_type=password&username=analyst&password=wrong&scope=session-type:Analyst");
  const ReadMetrics read = metrics_of(server);
  CHECK(read.value("callisto_sign_ins_total", {{"result", "succeeded"}}) == 1);
  CHECK(read.value("callisto_sign_ins_total", {{"result", "refused"}}) == 2);
  CHECK(read.value("callisto_sign_ins_total", {{"result", "blocked"}}) == 0);
  // A young desk on SQLite is in its write-ahead log.
  CHECK(read.value("callisto_database_size_bytes") + read.value("callisto_database_log_size_bytes") > 100'000);
  CHECK((read.value("callisto_database_log_size_bytes") >= 0) == !is_on_postgres());
  CHECK(read.value("callisto_audit_log_size_bytes") > 100);
  CHECK(read.value("callisto_data_free_bytes") > 0);
  CHECK(read.value("callisto_audit_events_lost_total") == 0);
  const double now = static_cast<double>(time(nullptr));
  CHECK(read.value("process_start_time_seconds") > now - 3600);
  CHECK(read.value("process_start_time_seconds") < now + 60);
  CHECK(read.value("process_cpu_seconds_total") > 0);
  CHECK(read.value("process_resident_memory_bytes") > 1e6);
  CHECK(read.value("process_virtual_memory_bytes") > read.value("process_resident_memory_bytes"));
  CHECK(read.value("process_open_fds") > 5);
  CHECK(read.value("process_max_fds") > read.value("process_open_fds"));
  CHECK(read.value("process_threads") > 5);
  for (const test::MetricsSample& sample : read.samples) {
    if (sample.name == "callisto_build_info") CHECK_THAT(sample.labels.at("commit"), Matches("[0-9a-f]{12}|unknown"));
    if (sample.name == "callisto_generation_info") CHECK_THAT(sample.labels.at("generation"), Matches("[0-9a-f]{12}"));
  }
}

TEST_CASE("metrics are OpenMetrics for who asks for that, and Prometheus' text for others") {
  const std::string open = "application/openmetrics-text; version=1.0.0; charset=utf-8",
                    plain = "text/plain; version=0.0.4; charset=utf-8";
  const std::pair<std::string, std::string> cases[] = {
      {"application/openmetrics-text", open},
      {"application/openmetrics-text;version=1.0.0", open},
      {"Application/OpenMetrics-Text; version=1.0.0; charset=utf-8", open},
      {"application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
       "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
       open},
      {"application/openmetrics-text;version=0.0.1", plain},
      {"application/openmetrics-text;version=2.0.0,text/plain", plain},
      {"application/openmetrics-text;q=0.3,text/plain;q=0.5", plain},
      {"application/openmetrics-text;q=0", plain},
      {"application/openmetrics-textual", plain},
      {"text/plain", plain},
      {"*/*", plain},
      {"", plain}};
  CHECK(sample_server().send("GET", "/healthz").status == 200);  // so that there is a histogram
  for (const auto& [accept, type] : cases) {
    INFO(accept);
    const Answer answer = sample_server().send("GET", "/metrics", {"Accept: " + accept});
    CHECK(answer.status == 200);
    CHECK(answer.headers.at("content-type") == type);
    CHECK(answer.body.ends_with("\n# EOF\n") == (type == open));
    CHECK((answer.body.find("# TYPE callisto_writer_commits counter\n") != std::string::npos) == (type == open));
    CHECK_THAT(answer.body, Contains("\ncallisto_writer_commits_total "));
    CHECK((answer.body.find("le=\"1.0\"") != std::string::npos) == (type == open));
  }
}

TEST_CASE(
    "the log begins with what runs, leaves out probes that go well, and tells at debug why requests were refused") {
  const TemporaryFolder folder;
  const std::string log = folder / "log";
  std::string base;
  {
    ServerProcess server(folder / "desk", {"--set", "log.level=debug"}, log);
    base = server.base_url();
    for (const char* probe : {"/healthz", "/readyz", "/metrics"}) {
      CHECK(server.send("GET", probe, {"X-Request-Id: well"}).status == 200);
      CHECK(server.send("PUT", probe, {"X-Request-Id: wrong"}).status == 405);
    }
    server.send("GET", "/service.api/api/v1/call?$top=x", {"X-Request-Id: nobody"});
    server.login("client_id=nobody&grant_type=password&username=a&password=hunter2");
    server.send("BREW", "/");
    server.stop();
  }
  const std::string text = contents(log);
  const auto started = lines_with(text, " started: ");
  REQUIRE(started.size() == 1);
  CHECK_THAT(started[0], Matches(".*Z info started: version=\\d+\\.\\d+\\.\\d+ commit=([0-9a-f]{12}|unknown) "
                                 "database=(sqlite|postgresql):.* data=/.*/desk listen=http://127.*:\\d+ "
                                 "generation=[0-9a-f]{12}"));
  CHECK_THAT(started[0], Contains(" listen=" + base + " "));
  CHECK(lines_with(text, "request=well").empty());
  CHECK(lines_with(text, "405 ").size() == 3);
  CHECK_THAT(lines_with(text, "debug refused with 401: ").at(0), Contains("request=nobody"));
  CHECK_THAT(lines_with(text, "debug refused with 400: ").at(0), Contains("error"));
  CHECK(lines_with(text, "debug refused with 501: ").empty());
  CHECK(lines_with(text, "debug refused with 405: ").size() == 3);
  CHECK(text.find("hunter2") == text.npos);
  std::filesystem::remove(log);
  {
    ServerProcess server(folder / "desk", {"--set", "log.probes=true"}, log);
    CHECK(server.send("GET", "/healthz", {"X-Request-Id: well"}).status == 200);
    server.send("GET", "/service.api/api/v1/call", {"X-Request-Id: nobody"});
    server.stop();
  }
  CHECK(lines_with(contents(log), "request=well").size() == 1);
  CHECK(lines_with(contents(log), "refused with").empty());
}

TEST_CASE("a trace stands in a request's line where its id is another") {
  const TemporaryFolder folder;
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736",
                    parent = "traceparent: 00-" + trace + "-00f067aa0ba902b7-01";
  const auto lines_of = [&](const std::string& format) {
    const std::string log = folder / format;
    ServerProcess server(folder / "desk", {"--set", "log.format=" + format}, log);
    server.send("GET", "/first", {parent, "X-Request-Id: mine"});
    server.send("GET", "/second", {parent});
    server.send("GET", "/third", {parent + "x", "X-Request-Id: mine"});
    server.stop();
    return contents(log);
  };
  const std::string text = lines_of("text");
  CHECK_THAT(lines_with(text, "/first").at(0), Contains("request=mine trace=" + trace));
  CHECK_THAT(lines_with(text, "/second").at(0), Contains("request=" + trace) && !Contains("trace="));
  CHECK_THAT(lines_with(text, "/third").at(0), !Contains("trace="));
  CHECK_THAT(lines_with(lines_of("json"), "/first").at(0),
             Contains("\"request\":\"mine\",\"trace\":\"" + trace + "\""));
}

TEST_CASE("a request that is none is counted and logged too") {
  const TemporaryFolder folder;
  ServerProcess server(folder.path() + "/desk", {}, folder.path() + "/log");
  const Answer answer = server.send("BREW", "/healthz");
  CHECK(answer.status == 501);
  CHECK_FALSE(answer.headers.at("x-request-id").empty());
  CHECK(metrics_of(server).value("callisto_http_requests_total", {{"route", "malformed"}, {"status", "501"}}) == 1);
  server.stop();
  CHECK(lines_with(contents(folder.path() + "/log"), "(malformed) 501").size() == 1);
}

TEST_CASE("only this machine and who is allowed reads /metrics; health is for everybody") {
  const std::string address = own_address();
  if (address.empty()) {
    WARN("this machine has no address but loopback");
    return;
  }
  for (const bool allowed : {false, true}) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments{"--listen", address + ":0"};
    if (allowed) arguments.insert(arguments.end(), {"--set", "metrics.allow=192.0.2.1, " + address});
    const ServerProcess server(folder.path(), arguments);
    CHECK(server.send("GET", "/metrics").status == (allowed ? 200 : 403));
    CHECK(server.send("GET", "/healthz").status == 200);
    CHECK(server.send("GET", "/readyz").status == 200);
  }
}

TEST_CASE("a wrong metrics.allow stops the start and is named") {
  const TemporaryFolder folder;
  const Finished finished =
      run_program({"serve", "--listen", "127.0.0.1:0", "--data", folder.path(), "--set", "metrics.allow=everybody"});
  CHECK(finished.exit_status == 1);
  CHECK_THAT(finished.output, Contains("metrics.allow") && Contains("everybody"));
}

TEST_CASE("a reload that failed leaves the server ready, and it says so until one succeeds") {
  const TemporaryFolder folder;
  const std::string mine = folder.path() + "/scripts/call/augmenters";
  std::filesystem::create_directories(mine);
  const auto write = [&](const std::string& text) { std::ofstream(mine + "/Mine.lua") << text; };
  write("return condition \"Mine\" { filter = \"State == 1\" }");
  const ServerProcess server(folder.path() + "/desk", {"--set", "scripts=scripts," + folder.path() + "/scripts"},
                             folder.path() + "/log");
  const auto ready = [&] {
    const Answer answer = server.send("GET", "/readyz");
    CHECK(answer.status == 200);
    return *json::parse(answer.body);
  };
  CHECK(text_of(ready(), "ready") == "true");
  CHECK(text_of(ready(), "reload_failed") == "false");
  write("return condition \"Mine\" { filtre = \"State == 1\" }");
  kill(server.process(), SIGHUP);
  CHECK(comes_true([&] { return text_of(ready(), "reload_failed") == "true"; }));
  CHECK(text_of(ready(), "ready") == "true");
  CHECK(metrics_of(server).value("callisto_reload_failed") == 1);
  write("return condition \"Mine\" { filter = \"State == 2\" }");
  kill(server.process(), SIGHUP);
  CHECK(comes_true([&] { return text_of(ready(), "reload_failed") == "false"; }));
  CHECK(metrics_of(server).value("callisto_reload_failed") == 0);
}

TEST_CASE("the urls of operations know GET and HEAD alone") {
  for (const char* path : {"/healthz", "/readyz", "/metrics"}) {
    INFO(path);
    CHECK(sample_server().send("POST", path).status == 405);
    CHECK(sample_server().send("HEAD", path).status == 200);
  }
}

TEST_CASE("the probes of balancers succeed: HTTP/1.0 without a host, OPTIONS, HEAD") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {});
  const std::string& url = server.base_url();
  const int port = std::stoi(url.substr(url.rfind(':') + 1));
  for (const char* request :
       {"OPTIONS / HTTP/1.0\r\n\r\n", "GET /healthz HTTP/1.0\r\n\r\n", "GET /readyz HTTP/1.0\r\n\r\n",
        "HEAD /readyz HTTP/1.0\r\n\r\n", "OPTIONS /healthz HTTP/1.0\r\n\r\n", "OPTIONS /readyz HTTP/1.0\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://desk:9/healthz HTTP/1.1\r\nHost: a\r\n\r\n"}) {
    INFO(request);
    test::RawClient client(port);
    client.send(request);
    const test::Reply reply = client.read_reply(true);
    CHECK((reply.status == 200 || reply.status == 204));
    if (std::string_view(request).starts_with("OPTIONS"))
      CHECK(reply.head.find("\r\nAllow: GET, HEAD, OPTIONS") != reply.head.npos);
  }
  const std::string metadata = "GET /.well-known/oauth-authorization-server HTTP/1.0\r\n\r\n";
  test::RawClient client(port);
  client.send(metadata);
  CHECK(client.read_reply().body.find("\"issuer\":\"" + url + "\"") != std::string::npos);
}

TEST_CASE("callisto health tells whether the server of the settings can serve") {
  const TemporaryFolder folder;
  ServerProcess server(folder / "desk", {});
  const std::string listen = "listen=" + server.base_url().substr(std::string("http://").size());
  const auto health = [&](std::vector<std::string> more) {
    more.insert(more.begin(), "health");
    return run_program(more);
  };
  const Finished well = health({"--set", listen});
  CHECK(well.exit_status == 0);
  CHECK_THAT(well.output, Contains(R"("ready":true)"));
  CHECK_THAT(health({"--set", listen, "--alive"}).output, Contains(R"({"alive":true})"));
  CHECK(health({"--set", "listen=127.0.0.1:0"}).exit_status == 2);
  CHECK(health({"--set", "listen=nothing"}).exit_status == 2);
  CHECK(health({"--set", listen, "--timeout", "0"}).exit_status == 2);
  server.stop();
  const Finished gone = health({"--set", listen});
  CHECK(gone.exit_status == 1);
  CHECK_THAT(gone.output, Contains("/readyz: "));
}
