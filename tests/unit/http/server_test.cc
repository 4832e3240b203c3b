#include "engine/http/connections/worker_stack.h"
#include "tests/unit/http/fixture.h"

#include <algorithm>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace callisto;
using namespace callisto::test;

TEST_CASE("a request reaches the handler as it was sent", "[http][server]") {
  ServerFixture desk;
  const Reply reply = desk.ask("GET /v1/call%2F7/../x?a=%41&b HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(reply.status == 200);
  CHECK(reply.body == "GET /v1/call%2F7/../x [a=%41&b]");
  CHECK(reply.has("X-Content-Type-Options: nosniff"));
  CHECK(reply.has("Cache-Control: no-store"));
  CHECK_FALSE(reply.has("Connection: close"));
  CHECK(reply.head.find("Server:") == std::string::npos);
}

TEST_CASE("headers are found whatever their case, and absent ones are empty", "[http][server]") {
  ServerFixture desk([](http::Request& request, http::Response& response) {
    response.body = std::string(request.header("ACCEPT")) + "|" + std::string(request.header("X-None")) + "|" +
                    std::string(request.remote_address);
  });
  CHECK(desk.ask("GET / HTTP/1.1\r\nHost: a\r\naccept:  text/x  \r\n\r\n").body == "text/x||127.0.0.1");
}

TEST_CASE("a header that stands there twice is counted, whatever its case", "[http][server]") {
  ServerFixture desk([](http::Request& request, http::Response& response) {
    for (const char* name : {"X-A", "x-b", "X-C"}) response.body += std::to_string(request.header_count(name)) + " ";
  });
  CHECK(desk.ask("GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nX-B: 2\r\nx-a:\r\n\r\n").body == "2 1 0 ");
}

TEST_CASE("requests sent at once are answered in order on one connection", "[http][server]") {
  ServerFixture desk;
  RawClient client = desk.client();
  std::string requests;
  for (char name = 'a'; name <= 'e'; ++name) requests += std::string("GET /") + name + " HTTP/1.1\r\nHost: a\r\n\r\n";
  client.send(requests);
  for (char name = 'a'; name <= 'e'; ++name) CHECK(client.read_reply().body == std::string("GET /") + name + " []");
}

TEST_CASE("the body of a GET is not taken for the next request", "[http][server]") {
  ServerFixture desk;
  RawClient client = desk.client();
  const std::string body = "DELETE /evil HTTP/1.1\r\nHost: a\r\n\r\n";
  client.send("GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body +
              "GET /b HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(client.read_reply().body == "GET /a []");
  CHECK(client.read_reply().body == "GET /b []");
  CHECK(desk.calls() == 2);
}

TEST_CASE("HEAD has the headers of GET and no body", "[http][server]") {
  ServerFixture desk;
  RawClient client = desk.client();
  client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(client.read_reply(true).has("Content-Length: 10"));
  CHECK(client.read_reply().body == "GET /b []");
}

TEST_CASE("a 304 has no body and keeps the connection in step", "[http][server]") {
  ServerFixture desk([](http::Request&, http::Response& response) {
    response.status = 304;
    response.body = "ignored";
  });
  RawClient client = desk.client();
  for (int i = 0; i < 2; ++i) {
    client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK(client.read_reply().status == 304);
  }
}

TEST_CASE("a large answer arrives whole", "[http][server]") {
  const std::string large(3'000'000, 'x');
  ServerFixture desk([&large](http::Request&, http::Response& response) { response.body = large; });
  CHECK(desk.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").body == large);
}

TEST_CASE("what many answers share is sent instead of a body of their own", "[http][server]") {
  const auto kept = std::make_shared<const std::string>(GENERATE(30, 3'000'000), 'x');
  ServerFixture desk([&kept](http::Request&, http::Response& response) {
    response.body = "of its own";
    response.kept = kept;
  });
  CHECK(desk.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").body == *kept);
}

TEST_CASE("nothing a handler throws passes the fence", "[http][server]") {
  ServerFixture desk([](http::Request& request, http::Response& response) {
    response.body = "half an answer";
    if (request.raw_path == "/a") throw std::runtime_error("secret");
    throw 7;
  });
  for (const char* path : {"/a", "/b"}) {
    const Reply reply = desk.ask("GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK(reply.status == 500);
    CHECK(reply.body.find("secret") == std::string::npos);
    CHECK(reply.body.find("half") == std::string::npos);
  }
}

TEST_CASE("a handler cannot split an answer", "[http][server]") {
  ServerFixture desk([](http::Request&, http::Response& response) {
    response.headers = {{"Location", "/a\r\nSet-Cookie: evil"}};
  });
  const Reply reply = desk.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(reply.status == 500);
  CHECK(reply.head.find("evil") == std::string::npos);
}

TEST_CASE("an answer without a status is never left to CivetWeb", "[http][server]") {
  ServerFixture desk([](http::Request&, http::Response& response) { response.status = 0; });
  CHECK(desk.ask("GET /etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n").status == 500);
}

TEST_CASE("a connection ends when either side wants it to", "[http][server]") {
  ServerFixture desk(
      [](http::Request& request, http::Response& response) { response.close = request.raw_path == "/z"; });
  for (const char* request : {"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                              "GET / HTTP/1.0\r\nHost: a\r\n\r\n", "GET /z HTTP/1.1\r\nHost: a\r\n\r\n"}) {
    RawClient client = desk.client();
    client.send(request);
    const Reply reply = client.read_reply();
    CHECK(reply.has("Connection: close"));
    CHECK(client.read_to_end().empty());
    CHECK_FALSE(client.timed_out());
  }
}

TEST_CASE("a crowded server lets connections go after their answer", "[http][server]") {
  auto options = ServerFixture::small_options();
  options.threads = 4;
  ServerFixture desk({}, options);
  const std::string request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  std::vector<RawClient> kept;
  for (int i = 0; i < 3; ++i) {
    kept.push_back(desk.client());
    kept.back().send(request);
    CHECK_FALSE(kept.back().read_reply().has("Connection: close"));
  }
  CHECK(desk.ask(request).has("Connection: close"));
}

TEST_CASE("connections that stay silent take no thread from those that speak", "[http][server]") {
  auto options = ServerFixture::small_options();
  options.threads = 2;
  options.request_timeout_ms = 60'000;  // longer than a client of these tests waits
  ServerFixture desk({}, options);
  std::vector<RawClient> silent;
  for (int i = 0; i < 10; ++i) silent.push_back(desk.client());
  CHECK(desk.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status == 200);
}

TEST_CASE("heads that never end and idle connections leave a place to those that ask", "[http][server]") {
  auto options = ServerFixture::small_options();
  options.threads = 4;
  options.request_timeout_ms = options.keep_alive_ms = 60'000;  // longer than a client of these tests waits
  std::latch inside(1), go_on(1);
  ServerFixture desk(
      [&](http::Request& request, http::Response& response) {
        if (request.raw_path != "/slow") return;
        inside.count_down();
        go_on.wait();
        response.body = "done";
      },
      options);
  const std::string request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  RawClient slow = desk.client();
  slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  inside.wait();
  RawClient idle = desk.client();
  idle.send(request);
  CHECK(idle.read_reply().status == 200);
  std::vector<RawClient> half;
  for (int i = 0; i < 20; ++i) {
    half.push_back(desk.client());
    half.back().send("GET / HTTP/1.1\r\nX-Slow: ");
  }
  CHECK(desk.ask(request).status == 200);
  CHECK(idle.read_to_end().empty());
  CHECK_FALSE(idle.timed_out());
  go_on.count_down();
  CHECK(slow.read_reply().body == "done");  // nobody waited for this client
}

TEST_CASE("bodies that drip leave a place to those that ask", "[http][server]") {
  auto options = ServerFixture::small_options();
  options.threads = 4;
  options.request_timeout_ms = options.body_grace_ms = 60'000;  // longer than a client of these tests waits
  options.full_body_grace_ms = 100;
  ServerFixture desk({}, options);
  std::vector<RawClient> slow;
  for (int i = 0; i < 8; ++i) {
    slow.push_back(desk.client());
    slow.back().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n");
  }
  RawClient client = desk.client();
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  while (!client.can_read(10))
    for (RawClient& each : slow) each.send("a");
  CHECK(client.read_reply().status == 200);
  CHECK(slow.front().read_reply().status == 408);
}

TEST_CASE("a crowded server ends idle connections sooner than others do", "[http][server]") {
  auto options = ServerFixture::small_options();
  options.threads = 8;
  options.request_timeout_ms = options.keep_alive_ms = 60'000;
  ServerFixture desk({}, options);
  std::vector<RawClient> idle;
  for (int i = 0; i < 6; ++i) {
    idle.push_back(desk.client());
    idle.back().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    CHECK_FALSE(idle.back().read_reply().has("Connection: close"));
  }
  RawClient half = desk.client();
  half.send("GET / HTTP/1.1\r\nX-Slow: ");
  // The one that waits longest; with it gone the others may stay.
  CHECK(idle.front().read_to_end().empty());
  CHECK_FALSE(idle.front().timed_out());
}

TEST_CASE("threads that serve give way to the others of the process", "[http][server]") {
  const auto rank = [] { return std::to_string(getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()))); };
  ServerFixture desk([&](http::Request&, http::Response& response) { response.body = rank(); });
  const std::string mine = rank();
  CHECK(std::stoi(desk.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").body) == std::min(19, std::stoi(mine) + 4));
  CHECK(rank() == mine);
}

TEST_CASE("a hundred connections are served at once", "[http][server]") {
  std::latch all_inside(100);
  ServerFixture desk([&all_inside](http::Request& request, http::Response& response) {
    all_inside.arrive_and_wait();
    response.body = request.raw_path;
  });
  std::vector<RawClient> clients;
  for (int i = 0; i < 100; ++i) {
    clients.push_back(desk.client());
    clients.back().send("GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  for (std::size_t i = 0; i < clients.size(); ++i) CHECK(clients[i].read_reply().body == "/" + std::to_string(i));
}

TEST_CASE("every IPv4 address or a name can be listened on", "[http][server]") {
  for (const char* host : {"0.0.0.0", "localhost"}) {
    INFO(host);
    http::ServerOptions options = ServerFixture::small_options();
    options.listen.front().host = host;
    ServerFixture desk({}, options);
    CHECK(desk.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status == 200);
  }
}

TEST_CASE("an address in use is an error that says what to do", "[http][server]") {
  ServerFixture first;
  http::ServerOptions options = ServerFixture::small_options();
  options.listen.front().port = first.server().port();
  const auto second = http::Server::start(options, [](http::Request&, http::Response&) {});
  REQUIRE_FALSE(second);
  CHECK(second.error().message.find("127.0.0.1:" + std::to_string(options.listen.front().port)) != std::string::npos);
  CHECK(second.error().message.find("listen") != std::string::npos);
  CHECK(first.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status == 200);
}

TEST_CASE("stopping lets a running request finish, refuses new ones and may be repeated", "[http][server]") {
  std::latch inside(1);
  std::latch go_on(1);
  ServerFixture desk([&](http::Request& request, http::Response& response) {
    if (request.raw_path != "/slow") return;
    inside.count_down();
    go_on.wait();
    response.body = "done";
  });
  const int port = desk.server().port();
  RawClient idle = desk.client();
  idle.send("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n");
  CHECK(idle.read_reply().status == 200);
  RawClient slow = desk.client();
  slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  inside.wait();
  std::thread stopper([&desk] { desk.server().stop(); });
  // Until stop() has begun, answers are 200; from then on 503. The loop ends because it does begin.
  Reply late;
  do { late = desk.ask("GET /fast HTTP/1.1\r\nHost: a\r\n\r\n"); } while (late.status == 200);
  CHECK(late.status == 503);
  CHECK(late.has("Retry-After: 1"));
  go_on.count_down();
  CHECK(slow.read_reply().body == "done");
  stopper.join();
  desk.server().stop();
  CHECK(idle.read_to_end().empty());
  CHECK_FALSE(RawClient(port).connected());
}

TEST_CASE("a handler has the stack that a deep query needs", "[http][server]") {
  ServerFixture desk([](http::Request&, http::Response& response) {
    pthread_attr_t attributes;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
    response.body = std::to_string(bytes);
  });
  CHECK(std::stoull(desk.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").body) >= http::least_stack_bytes);
}
