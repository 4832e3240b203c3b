#include "webhooks/curl_transport.h"

#include "engine/base/text.h"
#include "fake_dns.h"
#include "tests/support/misbehaving_receiver.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_certificate.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

using namespace callisto;
using namespace callisto::webhooks;
using namespace std::chrono_literals;
using test::http_answer;
using test::Manner;
using test::MisbehavingReceiver;
using Then = test::Manner::Then;
using Steady = std::chrono::steady_clock;

namespace {

const SystemClock wall_clock;
constexpr AddressPolicy loopback{Networks::Internet, true};
constexpr auto enough = 30s;  // where something must happen; nothing takes so long

std::unique_ptr<Transport> make(TransportOptions options = {loopback}) {
  auto made = make_curl_transport(std::move(options), wall_clock);
  REQUIRE(made);
  return *std::move(made);
}

Request request_to(const std::string& url, std::int64_t delivery = 1, std::chrono::milliseconds timeout = 5s) {
  Request request;
  request.delivery = delivery;
  request.url = url;
  request.headers = {{"Content-Type", "application/json"}, {"webhook-id", "msg_1"}};
  request.body = std::make_shared<const std::string>(R"({"Action":"Forwarded"})");
  request.timeout = timeout;
  return request;
}

std::vector<Response> all_of(Transport& transport) {
  std::vector<Response> ended;
  const auto until = Steady::now() + enough;
  while (transport.in_flight() > 0 && Steady::now() < until)
    for (Response& one : transport.wait(1s)) ended.push_back(std::move(one));
  REQUIRE(transport.in_flight() == 0);
  return ended;
}

Response send(Transport& transport, Request request) {
  transport.start(std::move(request));
  auto ended = all_of(transport);
  if (ended.empty()) ended = transport.wait(0ms);
  REQUIRE(ended.size() == 1);
  return ended[0];
}

std::string header(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers)
    if (text::equals_ignoring_ascii_case(key, name)) return value;
  return "(none)";
}

std::size_t resident_kib() {
  std::ifstream in("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

struct Row {
  std::string what;
  Manner manner;
  Outcome outcome;
  int status;
};

// Each has 300 ms.
const std::vector<Row> table_rows{
    {"good", {http_answer("200 OK")}, Outcome::Http, 200},
    {"no content", {"HTTP/1.1 204 No Content\r\n\r\n"}, Outcome::Http, 204},
    {"until it closes", {"HTTP/1.1 200 OK\r\n\r\nyes", Then::Close}, Outcome::Http, 200},
    {"chunks", {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"}, Outcome::Http, 200},
    {"interim answers",
     {repeated("HTTP/1.1 103 Hints\r\nA: b\r\n\r\n", 3) + http_answer("202 Accepted")},
     Outcome::Http,
     202},
    {"an error", {http_answer("500 Oops", {}, "sorry")}, Outcome::Http, 500},
    {"not modified", {"HTTP/1.1 304 Not Modified\r\n\r\n"}, Outcome::Redirect, 304},
    {"silence", {"", Then::Hang}, Outcome::TimeoutTotal, 0},
    {"half a status line", {"HTTP/1.1 20", Then::Hang}, Outcome::TimeoutTotal, 0},
    {"headers without end", {"HTTP/1.1 200 OK\r\nA: b\r\n", Then::Hang}, Outcome::TimeoutTotal, 200},
    {"a body without end",
     {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", Then::Hang},
     Outcome::TimeoutTotal,
     200},
    {"dripping headers", {"HTTP/1.1 200 OK\r\nA: ", Then::Drip}, Outcome::TimeoutTotal, 200},
    {"dripping body", {"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", Then::Drip}, Outcome::TimeoutTotal, 200},
    {"closed without a word", {"", Then::Close}, Outcome::Reset, 0},
    {"reset without a word", {"", Then::Reset}, Outcome::Reset, 0},
    {"closed in the headers", {"HTTP/1.1 200 OK\r\nA: b", Then::Close}, Outcome::Reset, 200},
    {"closed in the body", {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", Then::Close}, Outcome::Reset, 200},
    {"closed in a chunk",
     {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok", Then::Close},
     Outcome::Reset,
     200},
    {"a broken chunk",
     {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", Then::Hang},
     Outcome::Reset,
     200},
    {"garbage", {"SSH-2.0-OpenSSH_9.2\r\n", Then::Hang}, Outcome::Reset, 0},
    {"old HTTP", {"<html>hello</html>", Then::Close}, Outcome::Reset, 0},
    {"zeros", {std::string(100, '\0'), Then::Close}, Outcome::Reset, 0},
    {"many headers", {"HTTP/1.1 200 OK\r\n" + repeated("Some: header\r\n", 6000) + "\r\n"}, Outcome::TooLarge, 200},
    {"a long header", {"HTTP/1.1 200 OK\r\nA: " + std::string(70'000, 'x') + "\r\n\r\n"}, Outcome::TooLarge, 200},
    {"a header without end", {"HTTP/1.1 200 OK\r\nA: ", Then::Flood}, Outcome::TooLarge, 200},
    {"interim answers without end", {repeated("HTTP/1.1 103 Hints\r\nA: b\r\n\r\n", 4000)}, Outcome::TooLarge, 103},
    {"a large body", {http_answer("200 OK", {}, std::string(1'000'000, 'x'))}, Outcome::Http, 200},
    {"a large error", {http_answer("500 Oops", {}, std::string(1'000'000, 'x'))}, Outcome::Http, 500},
};

}  // namespace

TEST_CASE("what becomes of a delivery to receivers good and bad") {
  MisbehavingReceiver receiver;
  const auto transport = make();
  for (const Row& row : table_rows) {
    CAPTURE(row.what);
    receiver.on("/it", row.manner);
    const Response response = send(*transport, request_to(receiver.url("/it"), 7, 300ms));
    CAPTURE(response.error);
    CHECK(static_cast<int>(response.outcome) == static_cast<int>(row.outcome));
    CHECK(response.status == row.status);
    CHECK(response.delivery == 7);
    CHECK(response.address == "127.0.0.1:" + std::to_string(receiver.port()));
    CHECK(response.error.empty() == (row.outcome == Outcome::Http));
    CHECK(response.error.find("/it") == std::string::npos);
    if (row.outcome == Outcome::TimeoutTotal) CHECK(response.duration >= 290ms);
    // Whoever came before, a healthy one is served.
    CHECK(send(*transport, request_to(receiver.url("/"))).outcome == Outcome::Http);
  }
}

TEST_CASE("an answer is kept, in bounds, as text") {
  MisbehavingReceiver receiver;
  const auto transport = make();
  SECTION("its headers") {
    receiver.on("/busy", {http_answer("429 Slow", "Retry-After: 17\r\nX-Bad: \xFF\r\n", "later")});
    const Response response = send(*transport, request_to(receiver.url("/busy")));
    CHECK(response.status == 429);
    CHECK(header(response, "retry-after") == "17");
    CHECK(header(response, "x-bad") == "\xEF\xBF\xBD");
    CHECK(response.body == "later");
  }
  SECTION("of interim answers nothing") {
    receiver.on("/gone", {"HTTP/1.1 103 Hints\r\nRetry-After: 1\r\n\r\n" + http_answer("410 Gone")});
    const Response response = send(*transport, request_to(receiver.url("/gone")));
    CHECK(response.status == 410);
    CHECK(header(response, "Retry-After") == "(none)");
  }
  SECTION("8 KiB of headers") {
    receiver.on("/it",
                {"HTTP/1.1 200 OK\r\n" + repeated("Header: 0123456789\r\n", 2000) + "Content-Length: 0\r\n\r\n"});
    const Response response = send(*transport, request_to(receiver.url("/it")));
    CHECK(response.headers.size() == 8192 / 16);
  }
  SECTION("16 KiB of body, UTF-8 without NUL") {
    receiver.on("/it", {http_answer("200 OK", {}, std::string("a\xFF\0b", 4) + std::string(20'000, '\xC3'))});
    const Response response = send(*transport, request_to(receiver.url("/it")));
    CHECK(
        response.body.starts_with("a\xEF\xBF\xBD\xEF\xBF\xBD"
                                  "b\xEF\xBF\xBD"));
    CHECK(response.body.size() <= 16 * 1024);
    CHECK(response.body.size() > 16 * 1024 - 4);
    CHECK(text::is_utf8(response.body));
  }
}

TEST_CASE("a gibibyte costs some kibibytes") {
  MisbehavingReceiver receiver;
  const auto transport = make();
  receiver.on("/flood", {"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n", Then::Flood});
  send(*transport, request_to(receiver.url("/")));
  const std::size_t before = resident_kib();
  const Response response = send(*transport, request_to(receiver.url("/flood")));
  CHECK(response.outcome == Outcome::Http);
  CHECK(response.body == std::string(16 * 1024, 'x'));
  CHECK(resident_kib() < before + 2048);
  CHECK(receiver.flooded() < 64 * 1024 * 1024);  // what the sockets' buffers hold
}

TEST_CASE("a request arrives as it was given") {
  MisbehavingReceiver receiver;
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  const auto transport = make();
  Request request = request_to(receiver.url("/?token=x"));
  receiver.on("/?token=x", {http_answer("200 OK")});
  const std::string body = std::string("\0\xFF", 2) + std::string(3'000'000, 'b');
  request.body = std::make_shared<const std::string>(body);
  request.headers.emplace_back("Empty", "");
  CHECK(send(*transport, std::move(request)).outcome == Outcome::Http);
  unsetenv("http_proxy");
  REQUIRE(receiver.requests().size() == 1);
  const std::string seen = receiver.requests()[0];
  const std::string head = seen.substr(0, seen.find("\r\n\r\n"));
  CHECK(head == "POST /?token=x HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(receiver.port()) +
                    "\r\nAccept: */*\r\nContent-Type: application/json\r\nwebhook-id: msg_1\r\nEmpty:\r\n"
                    "Content-Length: 3000002");
  CHECK((seen.substr(head.size() + 4) == body));
}

TEST_CASE("no redirect is followed") {
  MisbehavingReceiver receiver;
  const auto transport = make();
  for (const std::string& target : {receiver.url("/"), std::string("http://169.254.169.254/latest/meta-data/"),
                                    std::string("file:///etc/passwd"), std::string("/")}) {
    for (const std::string status : {"301 Moved", "302 Found", "303 Other", "307 Temporary", "308 Permanent"}) {
      receiver.on("/old", {http_answer(status, "Location: " + target + "\r\n")});
      const Response response = send(*transport, request_to(receiver.url("/old")));
      CHECK(response.outcome == Outcome::Redirect);
      CHECK(header(response, "location") == target);
      CHECK_THAT(response.error, Catch::Contains("PayloadUrl"));
    }
  }
  for (const std::string& request : receiver.requests()) CHECK(request.starts_with("POST /old "));
}

TEST_CASE("an address that is not allowed is never connected to, whatever its spelling") {
  MisbehavingReceiver receiver;
  const auto transport = make({AddressPolicy{Networks::Intranet, false}});
  test::set_addresses("inside.test", {"127.0.0.1", "::1", "169.254.169.254"});
  for (const std::string host : {"127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "localhost", "a.localhost",
                                 "[::1]", "[::ffff:127.0.0.1]", "0", "inside.test"}) {
    CAPTURE(host);
    const Response response = send(*transport, request_to(receiver.url("/", host)));
    CAPTURE(response.error);
    CHECK(response.outcome == Outcome::BlockedAddress);
    CHECK_THAT(response.error, Catch::Contains("loopback") || Catch::Contains("nothing may be sent"));
    CHECK(response.address.empty());
  }
  CHECK(receiver.connections() == 0);
}

TEST_CASE("of several addresses the allowed one is used") {
  MisbehavingReceiver receiver;
  const auto transport = make();
  test::set_addresses("mixed.test", {"10.255.255.1", "169.254.169.254", "127.0.0.1"});
  const Response response = send(*transport, request_to(receiver.url("/", "mixed.test")));
  CHECK(response.outcome == Outcome::Http);
  CHECK(response.address == "127.0.0.1:" + std::to_string(receiver.port()));
}

TEST_CASE("a name that comes to mean another address is judged anew") {
  MisbehavingReceiver receiver;
  receiver.on("/", {http_answer("200 OK", "Connection: close\r\n"), Then::Close});
  test::set_addresses("flip.test", {"127.0.0.1"});
  CHECK(send(*make(), request_to(receiver.url("/", "flip.test"))).outcome == Outcome::Http);
  test::set_addresses("flip.test", {"10.255.255.1"});
  CHECK(send(*make(), request_to(receiver.url("/", "flip.test"))).outcome == Outcome::BlockedAddress);
}

TEST_CASE("what cannot be connected to") {
  const auto transport = make();
  std::string closed;
  {
    MisbehavingReceiver gone;
    closed = gone.url("/");
  }
  const Response refused = send(*transport, request_to(closed));
  CHECK(refused.outcome == Outcome::ConnectRefused);
  CHECK_THAT(refused.error, Catch::Contains("127.0.0.1:") && Catch::Contains("refused"));
  test::set_addresses("nobody.test", {});
  CHECK(send(*transport, request_to("http://nobody.test/")).outcome == Outcome::Dns);
  for (const std::string url : {"", "nonsense", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://a b/"}) {
    CAPTURE(url);
    const Response response = send(*transport, request_to(url));
    CHECK(response.outcome == Outcome::Internal);
    CHECK_FALSE(response.error.empty());
  }
}

TEST_CASE("a header cannot smuggle another one") {
  MisbehavingReceiver receiver;
  const auto transport = make();
  Request request = request_to(receiver.url("/"));
  request.headers.emplace_back("Callisto-Event", "a\r\nX: y");
  CHECK(send(*transport, std::move(request)).outcome == Outcome::Internal);
  CHECK(receiver.requests().empty());
}

TEST_CASE("TLS") {
  const std::string certificate = test::make_certificate();
  MisbehavingReceiver receiver(certificate);
  const test::TemporaryFolder folder;
  std::ofstream(folder / "ca.pem") << test::without_key(certificate);
  SECTION("an unknown certificate is refused") {
    const Response response = send(*make(), request_to(receiver.url("/")));
    CHECK(response.outcome == Outcome::Tls);
    CHECK_THAT(response.error, Catch::Contains("certificate") && Catch::Contains("webhooks.ca_file"));
    CHECK(receiver.requests().empty());
  }
  SECTION("one of ca_file is believed, for its names alone") {
    const auto transport = make({loopback, folder / "ca.pem"});
    CHECK(send(*transport, request_to(receiver.url("/"))).outcome == Outcome::Http);
    test::set_addresses("other.test", {"127.0.0.1"});
    CHECK(send(*transport, request_to(receiver.url("/", "other.test"))).outcome == Outcome::Tls);
  }
  SECTION("ca_file must hold certificates") {
    for (const std::string content :
         {"", "nonsense", "-----BEGIN CERTIFICATE-----\nxyz\n-----END CERTIFICATE-----\n"}) {
      std::ofstream(folder / "ca.pem") << content;
      CHECK_FALSE(make_curl_transport({loopback, folder / "ca.pem"}, wall_clock));
    }
    CHECK_FALSE(make_curl_transport({loopback, folder / "absent"}, wall_clock));
  }
}

TEST_CASE("a TLS handshake that hangs, and one that meets no TLS") {
  MisbehavingReceiver receiver;
  const std::string url = "https" + receiver.url("/").substr(4);
  TransportOptions options{loopback};
  options.connect_timeout = 200ms;
  CHECK(send(*make(options), request_to(url)).outcome == Outcome::TimeoutConnect);
}

TEST_CASE("a connection that nobody accepts ends after the time for connecting") {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  REQUIRE(bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0);
  REQUIRE(listen(listener, 0) == 0);
  REQUIRE(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  std::vector<int> fillers;
  for (int i = 0; i < 4; ++i) {  // fill its queue
    fillers.push_back(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    static_cast<void>(connect(fillers.back(), reinterpret_cast<sockaddr*>(&address), size));
  }
  TransportOptions options{loopback};
  options.connect_timeout = 200ms;
  const std::string port = std::to_string(ntohs(address.sin_port));
  const Response response = send(*make(options), request_to("http://127.0.0.1:" + port + "/"));
  CHECK(response.outcome == Outcome::TimeoutConnect);
  CHECK(response.duration >= 190ms);
  CHECK(response.duration < 3s);
  for (const int filler : fillers) close(filler);
  close(listener);
}

TEST_CASE("a healthy receiver is served at once beside dead ones") {
  MisbehavingReceiver dead, healthy;
  dead.on("/hang", {"", Then::Hang});
  dead.on("/drip", {"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", Then::Drip});
  const test::HangingDns dns;
  const auto transport = make();
  for (int i = 0; i < 50; ++i) transport->start(request_to(dead.url(i % 2 ? "/hang" : "/drip"), i, 60s));
  for (int i = 0; i < 4; ++i) transport->start(request_to("http://hang.test/", i, 60s));
  CHECK(transport->wait(0ms).empty());
  dns.wait_for_lookup();
  for (int i = 0; i < 20; ++i) {
    transport->start(request_to(healthy.url("/"), 1000 + i));
    std::vector<Response> ended;
    while (ended.empty()) ended = transport->wait(enough);
    REQUIRE(ended.size() == 1);
    CHECK(ended[0].delivery == 1000 + i);
    CHECK(ended[0].outcome == Outcome::Http);
    CHECK(ended[0].duration < 1s);
  }
  CHECK(transport->in_flight() == 54);
}

TEST_CASE("a name server that hangs holds up neither an answer nor the end") {
  const test::HangingDns dns;
  TransportOptions options{loopback};
  options.connect_timeout = 200ms;
  const Response response = send(*make(options), request_to("http://hang.test/"));
  CHECK(response.outcome == Outcome::Dns);
  CHECK(response.duration < 3s);
  auto transport = make();
  transport->start(request_to("http://hang.test/", 2, 60s));
  transport->wait(50ms);
  const auto start = Steady::now();
  transport.reset();
  CHECK(Steady::now() - start < 3s);
}

TEST_CASE("the end cancels what is under way") {
  MisbehavingReceiver receiver;
  receiver.on("/hang", {"", Then::Hang});
  auto transport = make();
  for (int i = 0; i < 16; ++i) transport->start(request_to(receiver.url("/hang"), i, 60s));
  transport->wait(50ms);
  const auto start = Steady::now();
  transport.reset();
  CHECK(Steady::now() - start < 3s);
}

TEST_CASE("a connection serves many deliveries, and a receiver that closes one loses none") {
  MisbehavingReceiver receiver;
  const auto transport = make();
  for (int i = 0; i < 50; ++i) CHECK(send(*transport, request_to(receiver.url("/"))).status == 200);
  CHECK(receiver.connections() == 1);
  receiver.on("/last", {http_answer("200 OK"), Then::CloseOnNext});
  for (int i = 0; i < 20; ++i) CHECK(send(*transport, request_to(receiver.url("/last"))).outcome == Outcome::Http);
  CHECK(receiver.requests().size() == 70);
  CHECK(receiver.connections() == 20);  // its first still had the old one
}

TEST_CASE("requests leave through a proxy, but for the hosts that are excepted") {
  MisbehavingReceiver proxy, direct;
  for (const char* path : {"http://receiver.example/hook", "http://intranet.example/"})
    proxy.on(path, {http_answer("204 No Content")});
  proxy.on("receiver.example:443", {http_answer("403 Forbidden"), Then::Close});
  direct.on("/", {http_answer("200 OK")});
  TransportOptions options{loopback};
  options.proxy = proxy.url("");
  options.no_proxy = {"127.0.0.1", ".direct.example"};
  const auto transport = make(options);
  for (int i = 0; i < 3; ++i) CHECK(send(*transport, request_to("http://receiver.example/hook")).status == 204);
  CHECK(proxy.connections() == 1);
  CHECK(proxy.requests().at(0).starts_with("POST http://receiver.example/hook HTTP/1.1"));
  CHECK(send(*transport, request_to("http://intranet.example/")).status == 204);
  CHECK(send(*transport, request_to(direct.url("/"))).status == 200);
  CHECK(direct.requests().at(0).starts_with("POST / HTTP/1.1"));
  const Response refused = send(*transport, request_to("https://receiver.example/hook"));
  CHECK(refused.outcome == Outcome::ConnectRefused);
  CHECK_THAT(refused.error, Catch::Contains("webhooks.proxy") && Catch::Contains("403"));
  const auto asked = proxy.requests().size();
  for (const char* blocked : {"http://169.254.169.254/latest", "http://10.0.0.1/", "http://0x7f.1.1.1:99999/"})
    CHECK(send(*transport, request_to(blocked)).outcome != Outcome::Http);
  CHECK(send(*transport, request_to("http://169.254.169.254/")).outcome == Outcome::BlockedAddress);
  CHECK(proxy.requests().size() == asked);
  CHECK(send(*transport, request_to("http://www.direct.example/", 1, 2s)).outcome == Outcome::Dns);
  CHECK(proxy.requests().size() == asked);
}

TEST_CASE("a proxy that is not there is named") {
  TransportOptions options{loopback};
  options.proxy = "http://127.0.0.1:1";
  const Response response = send(*make(options), request_to("http://receiver.example/"));
  CHECK(response.outcome == Outcome::ConnectRefused);
  CHECK_THAT(response.error, Catch::Contains("webhooks.proxy"));
  for (const char* none : {"proxy:3128", "https://proxy:3128", "socks5://proxy:1080", "http://"}) {
    options.proxy = none;
    CHECK_FALSE(check(options));
  }
}

TEST_CASE("waiting ends when it is woken, when its time is over, or when something ended") {
  const auto transport = make();
  transport->wake();
  auto start = Steady::now();
  CHECK(transport->wait(enough).empty());  // a wake before is not lost
  CHECK(Steady::now() - start < 10s);
  CHECK(transport->wait(0ms).empty());
  start = Steady::now();
  CHECK(transport->wait(50ms).empty());
  CHECK(Steady::now() - start >= 50ms);
  std::thread waker([&] { transport->wake(); });
  start = Steady::now();
  CHECK(transport->wait(enough).empty());
  CHECK(Steady::now() - start < 10s);
  waker.join();
}
