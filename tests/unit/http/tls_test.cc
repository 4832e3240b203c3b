// The server over TLS: versions, many handshakes, clients that break off, a certificate that is replaced.
#include "engine/http/tls.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_certificate.h"
#include "tests/unit/http/fixture.h"
#include "tests/unit/http/tls_client.h"

#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <latch>
#include <thread>
#include <vector>

using namespace callisto;
using namespace callisto::test;

namespace {

const std::string request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

// Certificate and key in one file that may be written anew, and a server that serves them.
class SecureDesk {
 public:
  explicit SecureDesk(http::Handler handler = {}, http::ServerOptions options = ServerFixture::small_options()) {
    write(make_certificate("first"));
    auto made = http::Tls::create({path(), ""});
    REQUIRE(made);
    tls_ = options.tls = *made;
    fixture_ = std::make_unique<ServerFixture>(std::move(handler), options);
  }

  std::string path() const { return folder_ / "desk.pem"; }
  void write(const std::string& text) const {
    std::ofstream(path()) << text;
    chmod(path().c_str(), 0600);
  }
  http::Tls& tls() { return *tls_; }
  ServerFixture& server() { return *fixture_; }
  int port() { return fixture_->server().port(); }
  Reply ask(std::string_view bytes, const TlsOffer& offer = {}) {
    TlsClient client(port(), offer);
    CHECK(client.secured());
    client.send(bytes);
    return client.read_reply();
  }

 private:
  TemporaryFolder folder_;
  std::shared_ptr<http::Tls> tls_;
  std::unique_ptr<ServerFixture> fixture_;
};

}  // namespace

TEST_CASE("TLS 1.2 and 1.3 are spoken, and the handler knows", "[http][tls]") {
  SecureDesk desk([](http::Request& seen, http::Response& response) {
    response.body = (seen.secure ? "secure " : "plain ") + seen.origin();
  });
  for (const auto& [version, name] : {std::pair{TLS1_2_VERSION, "TLSv1.2"}, {TLS1_3_VERSION, "TLSv1.3"}}) {
    INFO(name);
    TlsClient client(desk.port(), {.least = version, .most = version});
    REQUIRE(client.secured());
    CHECK(client.version() == name);
    CHECK(client.peer_name() == "first");
    for (int i = 0; i < 3; ++i) {  // on one connection
      client.send(request);
      const Reply reply = client.read_reply();
      CHECK(reply.status == 200);
      CHECK(reply.body == "secure https://a");
      CHECK(reply.has("Strict-Transport-Security: max-age=31536000"));
    }
  }
}

TEST_CASE("older versions and suites without forward secrecy are refused by an alert", "[http][tls]") {
  SecureDesk desk;
  for (const int version : {TLS1_VERSION, TLS1_1_VERSION}) {
    INFO(version);
    const TlsClient client(desk.port(), {.least = version, .most = version});
    CHECK_FALSE(client.secured());
    CHECK(client.reason() == SSL_R_TLSV1_ALERT_PROTOCOL_VERSION);
  }
  for (const char* suites : {"AES128-GCM-SHA256@SECLEVEL=0", "ECDHE-ECDSA-AES128-SHA@SECLEVEL=0", "aNULL@SECLEVEL=0"}) {
    INFO(suites);
    const TlsClient client(desk.port(), {.most = TLS1_2_VERSION, .suites = suites});
    CHECK_FALSE(client.secured());
    CHECK(client.reason() == SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE);
  }
  CHECK(desk.ask(request).status == 200);
}

TEST_CASE("of the protocols that a client offers HTTP/1.1 is taken, and none other", "[http][tls]") {
  SecureDesk desk;
  const TlsClient both(desk.port(), {.protocols = "\x02h2\x08http/1.1"});
  CHECK(both.secured());
  CHECK(both.protocol() == "http/1.1");
  const TlsClient newer(desk.port(), {.protocols = "\x02h2"});
  CHECK_FALSE(newer.secured());
  CHECK(newer.reason() == SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL);
}

TEST_CASE("200 handshakes at once, and the server still answers", "[http][tls]") {
  auto options = ServerFixture::small_options();
  options.request_timeout_ms = options.crowded_patience_ms = 30'000;  // a slow machine is no failure
  SecureDesk desk({}, options);
  std::latch together(200);
  std::atomic<int> answered = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 200; ++i)
    clients.emplace_back([&] {
      together.arrive_and_wait();
      TlsClient client(desk.port());
      client.send(request);
      if (client.read_reply().status == 200) ++answered;
    });
  for (std::thread& client : clients) client.join();
  CHECK(answered == 200);
  CHECK(desk.ask(request).status == 200);
}

TEST_CASE("handshakes that never end leave a place to those that ask", "[http][tls]") {
  auto options = ServerFixture::small_options();
  options.threads = 4;
  options.request_timeout_ms = 60'000;  // longer than a client of these tests waits
  SecureDesk desk({}, options);
  std::vector<RawClient> half;
  for (int i = 0; i < 12; ++i) {
    half.push_back(RawClient(desk.port()));
    half.back().send("\x16\x03\x01");
  }
  CHECK(desk.ask(request).status == 200);
}

TEST_CASE("who speaks no TLS gets an end and no answer", "[http][tls]") {
  SecureDesk desk;
  TlsClient kept(desk.port());
  for (const std::string& bytes : {request, std::string("\x16\x03\x01\x02", 4), std::string(20'000, '\xff'),
                                   std::string("\r\n"), std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")}) {
    INFO(bytes.substr(0, 20));
    RawClient client = desk.server().client();
    client.send(bytes);
    client.finish_sending();
    CHECK(client.read_to_end().find("HTTP/") == std::string::npos);
    CHECK_FALSE(client.timed_out());
  }
  kept.send(request);
  CHECK(kept.read_reply().status == 200);
  CHECK(desk.server().calls() == 1);
}

TEST_CASE("handshakes that failed do not count as connections", "[http][tls]") {
  auto options = ServerFixture::small_options();
  options.threads = 4;
  SecureDesk desk({}, options);
  for (int i = 0; i < 20; ++i) {
    RawClient client = desk.server().client();
    client.send(request);
    CHECK(client.read_to_end().find("HTTP/") == std::string::npos);
  }
  std::vector<std::unique_ptr<TlsClient>> kept;
  for (int i = 0; i < 3; ++i) {
    kept.push_back(std::make_unique<TlsClient>(desk.port()));
    kept.back()->send(request);
    CHECK_FALSE(kept.back()->read_reply().has("Connection: close"));
  }
  CHECK(desk.ask(request).has("Connection: close"));  // three of four threads are taken
}

TEST_CASE("bodies arrive whole over TLS, however they are sent", "[http][tls]") {
  SecureDesk desk;
  TlsClient client(desk.port());
  const std::string body(900, 'b');
  client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n" + body);
  CHECK(client.read_reply().body == "POST /a [] " + body);
  client.send("POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 9; ++i) client.send("64\r\n" + body.substr(0, 100) + "\r\n");
  client.send("0\r\n\r\n");
  CHECK(client.read_reply().body == "POST /b [] " + body);
}

TEST_CASE("a large answer may take longer than the time limit of one write", "[http][tls]") {
  const std::string large(6'000'000, 'x');
  auto options = ServerFixture::small_options();
  options.request_timeout_ms = 400;
  SecureDesk desk([&large](http::Request&, http::Response& response) { response.body = large; }, options);
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsClient client(desk.port(), {.least = version, .most = version, .pause_ms = 3});
    const auto begun = std::chrono::steady_clock::now();
    client.send(request);
    CHECK(client.read_reply().body == large);
    CHECK(std::chrono::steady_clock::now() - begun > std::chrono::milliseconds(400));
  }
}

TEST_CASE("a new certificate is for new connections, and a bad one for none", "[http][tls]") {
  SecureDesk desk;
  TlsClient before(desk.port());
  desk.write(make_certificate("second"));
  CHECK(TlsClient(desk.port()).peer_name() == "first");  // until it is told
  REQUIRE(desk.tls().reload());
  CHECK(TlsClient(desk.port()).peer_name() == "second");
  const std::string mismatched = without_key(make_certificate()) + key_of(make_certificate());
  for (const std::string& bad : {std::string(), std::string("no certificate"), mismatched}) {
    desk.write(bad);
    const auto done = desk.tls().reload();
    REQUIRE_FALSE(done);
    CHECK(done.error().message.find(desk.path()) != std::string::npos);
    CHECK(TlsClient(desk.port()).peer_name() == "second");
  }
  before.send(request);
  CHECK(before.read_reply().status == 200);
}

TEST_CASE("a certificate may be replaced while handshakes run", "[http][tls]") {
  SecureDesk desk;
  std::atomic<bool> finished = false;
  std::atomic<int> reloads = 0;
  std::thread replacing([&] {
    while (!finished) reloads += desk.tls().reload() ? 1 : 0;
  });
  std::vector<std::thread> clients;
  std::atomic<int> answered = 0;
  for (int i = 0; i < 8; ++i)
    clients.emplace_back([&] {
      for (int j = 0; j < 10; ++j) {
        TlsClient client(desk.port());
        client.send(request);
        if (client.read_reply().status == 200) ++answered;
      }
    });
  for (std::thread& client : clients) client.join();
  finished = true;
  replacing.join();
  CHECK(answered == 80);
  CHECK(reloads > 0);
}

TEST_CASE("stopping ends waiting connections of TLS at once", "[http][tls]") {
  SecureDesk desk;
  TlsClient idle(desk.port());
  idle.send(request);
  CHECK(idle.read_reply().status == 200);
  RawClient half = desk.server().client();
  half.send(std::string_view("\x16\x03\x01\x02\x00\x01", 6));  // a handshake that does not go on
  desk.server().server().stop();
  CHECK(idle.read_to_end().empty());
  CHECK(half.read_to_end().find("HTTP/") == std::string::npos);
  CHECK_FALSE(RawClient(desk.port()).connected());
}
