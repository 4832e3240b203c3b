#include "tests/unit/http/fixture.h"

using namespace callisto;
using namespace callisto::test;

namespace {

std::string post(std::string_view headers, std::string_view body) {
  return "POST /a HTTP/1.1\r\nHost: a\r\n" + std::string(headers) + "\r\n" + std::string(body);
}

constexpr std::string_view next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";

}  // namespace

TEST_CASE("a body of a stated length is read exactly", "[http][body]") {
  ServerFixture desk;
  RawClient client = desk.client();
  client.send(post("Content-Length: 5\r\n", "hello") + std::string(next));
  CHECK(client.read_reply().body == "POST /a [] hello");
  CHECK(client.read_reply().body == "GET /next []");
}

TEST_CASE("a body may arrive slowly, in pieces", "[http][body]") {
  ServerFixture desk;
  RawClient client = desk.client();
  client.send(post("Content-Length: 6\r\n", ""));
  for (const char* piece : {"a", "bc", "def"}) client.send(piece);
  CHECK(client.read_reply().body == "POST /a [] abcdef");
}

TEST_CASE("bytes of any value are kept", "[http][body]") {
  ServerFixture desk;
  const std::string bytes("a\0\xff\r\n", 5);
  CHECK(desk.ask(post("Content-Length: 5\r\n", bytes)).body == "POST /a [] " + bytes);
}

TEST_CASE("a body over the limit is 413, unread, and ends the connection", "[http][body]") {
  ServerFixture desk;
  RawClient client = desk.client();
  client.send(post("Content-Length: 40000000\r\n", "x"));
  const Reply reply = client.read_reply();
  CHECK(reply.status == 413);
  CHECK(reply.has("Connection: close"));
}

TEST_CASE("a sender of a large refused body still hears 413", "[http][body]") {
  ServerFixture desk;
  RawClient client = desk.client();
  CHECK(client.send(post("Content-Length: 8000000\r\n", std::string(8'000'000, 'x'))));
  CHECK(client.read_reply().status == 413);
  CHECK_FALSE(client.read_to_end().size());

  RawClient chunks = desk.client();
  std::string body;
  for (int i = 0; i < 80; ++i) body += "186a0\r\n" + std::string(100'000, 'x') + "\r\n";
  CHECK(chunks.send(post("Transfer-Encoding: chunked\r\n", body + "0\r\n\r\n")));
  CHECK(chunks.read_reply().status == 413);
}

TEST_CASE("who sends a refused body without end is not listened to for ever", "[http][body]") {
  ServerFixture desk;
  RawClient client = desk.client();
  client.send(post("Content-Length: 9000000000\r\n", ""));
  CHECK(client.read_reply().status == 413);
  const std::string piece(1'000'000, 'x');
  int sent = 0;
  while (sent < 1000 && client.send(piece)) ++sent;
  CHECK(sent < 1000);
}

TEST_CASE("a body cut short is 400", "[http][body]") {
  ServerFixture desk;
  RawClient client = desk.client();
  client.send(post("Content-Length: 10\r\n", "short"));
  client.finish_sending();
  const Reply reply = client.read_reply();
  CHECK(reply.status == 400);
  CHECK(reply.has("Connection: close"));
}

TEST_CASE("a body that drips past its time is 408 and ends the connection", "[http][body]") {
  auto options = ServerFixture::small_options();
  options.request_timeout_ms = 60'000;  // longer than a client of these tests waits, and no byte is so late
  options.body_grace_ms = 100;
  ServerFixture desk({}, options);
  for (const char* start : {"Content-Length: 900\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n384\r\n"}) {
    INFO(start);
    RawClient client = desk.client();
    client.send("POST /a HTTP/1.1\r\nHost: a\r\n" + std::string(start));
    while (!client.can_read(10)) client.send("a");
    const Reply reply = client.read_reply();
    CHECK(reply.status == 408);
    // RFC 9110 15.5.9: "the server SHOULD [...] send the "close" connection option in the response".
    CHECK(reply.has("Connection: close"));
    client.read_to_end();
    CHECK_FALSE(client.timed_out());
  }
}

TEST_CASE("a body of which no more comes is 408, and one that ends early 400", "[http][body]") {
  auto options = ServerFixture::small_options();
  options.request_timeout_ms = 100;
  ServerFixture desk({}, options);
  CHECK(desk.ask(post("Content-Length: 10\r\n", "short")).status == 408);
  CHECK(desk.ask(post("Transfer-Encoding: chunked\r\n", "a\r\nshort")).status == 408);
}

TEST_CASE("a chunked body is put together and ends the connection", "[http][body]") {
  ServerFixture desk;
  RawClient client = desk.client();
  client.send(post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n") + std::string(next));
  const Reply reply = client.read_reply();
  CHECK(reply.body == "POST /a [] abc0123456789");
  CHECK(reply.has("Connection: close"));
  CHECK(client.read_to_end().empty());
  CHECK(desk.calls() == 1);
}

TEST_CASE("broken chunks are 400 even where the handler wants no body", "[http][body]") {
  ServerFixture desk;
  for (const char* chunks : {"z\r\n", "-0x0\r\n\r\n", "+1\r\na\r\n0\r\n\r\n", "0x1\r\na\r\n0\r\n\r\n", "\r\n\r\n",
                             "3\r\nabcd\r\n0\r\n\r\n", "a\r\n0123456789\n0\r\n\r\n", "5;a=b\r\nhello\r\n0\r\n\r\n",
                             "fffffffffffffffff\r\na\r\n", "7fffffffffffffff\r\na"}) {
    for (const char* method : {"GET", "POST"}) {
      INFO(method << " " << chunks);
      RawClient client = desk.client();
      client.send(std::string(method) + " /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks);
      client.finish_sending();
      CHECK(client.read_reply().status == 400);
      CHECK(client.read_to_end().empty());
    }
  }
}

TEST_CASE("a chunked body over the limit is 413", "[http][body]") {
  ServerFixture desk;
  CHECK(desk.ask(post("Transfer-Encoding: chunked\r\n", "7d0\r\n" + std::string(2000, 'x') + "\r\n0\r\n\r\n")).status ==
        413);
  const std::string large = "80000\r\n" + std::string(0x80000, 'x') + "\r\n0\r\n\r\n";
  CHECK(desk.ask(post("Transfer-Encoding: chunked\r\n", large)).status == 413);
}

TEST_CASE("an expectation is answered before the body is read", "[http][body]") {
  ServerFixture desk;
  RawClient client = desk.client();
  client.send(post("Content-Length: 5\r\nExpect: 100-continue\r\n", ""));
  CHECK(client.read_reply(true).status == 100);
  client.send("hello" + std::string(next));
  CHECK(client.read_reply().body == "POST /a [] hello");
  CHECK(client.read_reply().body == "GET /next []");
}

TEST_CASE("a refused expectation gets the answer alone and ends the connection", "[http][body]") {
  ServerFixture desk;
  RawClient client = desk.client();
  client.send(post("Content-Length: 5000\r\nExpect: 100-continue\r\n", ""));
  CHECK(client.read_reply().status == 413);
  CHECK(client.read_to_end().empty());

  RawClient other = desk.client();
  other.send("GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  CHECK(other.read_reply().has("Connection: close"));
}

TEST_CASE("a large body that nobody reads ends the connection, a small one does not", "[http][body]") {
  ServerFixture desk;
  RawClient client = desk.client();
  client.send("GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + std::string(60'000, 'x') +
              std::string(next));
  CHECK(client.read_reply().body == "GET /a []");
  CHECK(client.read_reply().body == "GET /next []");
  CHECK(desk.ask("GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n\r\n").has("Connection: close"));
}

TEST_CASE("large bodies that would take too much memory together are 503; small ones are not counted", "[http][body]") {
  auto options = ServerFixture::small_options();
  options.all_bodies_bytes = 200'000;
  ServerFixture desk(
      [](http::Request& request, http::Response& response) {
        const auto body = request.body(1'000'000);
        response.status = body ? 200 : body.error().status;
        if (!body) response.headers = body.error().headers;
      },
      options);
  const std::string large(120'000, 'x'), chunks = "1d4c0\r\n" + large + "\r\n0\r\n\r\n";
  const auto stated = [](std::size_t size) { return "Content-Length: " + std::to_string(size) + "\r\n"; };
  RawClient first = desk.client();
  first.send(post(stated(large.size()) + "Expect: 100-continue\r\n", ""));
  REQUIRE(first.read_reply(true).status == 100);
  for (const std::string& other : {post(stated(large.size()), large), post("Transfer-Encoding: chunked\r\n", chunks),
                                   post(stated(large.size()) + "Expect: 100-continue\r\n", "")}) {
    const Reply reply = desk.ask(other);
    CHECK(reply.status == 503);
    CHECK(reply.has("Retry-After: 5"));
    CHECK(reply.has("Connection: close"));
  }
  CHECK(desk.ask(post(stated(65536), large.substr(0, 65536))).status == 200);
  CHECK(desk.ask(post(stated(80'000), large.substr(0, 80'000))).status == 200);
  first.send(large);
  CHECK(first.read_reply().status == 200);
  CHECK(desk.ask(post(stated(large.size()), large)).status == 200);
  CHECK(desk.ask(post("Transfer-Encoding: chunked\r\n", chunks)).status == 200);
  CHECK(desk.ask(post(stated(200'001), "")).status == 503);
}
