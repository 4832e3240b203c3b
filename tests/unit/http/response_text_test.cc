#include "engine/http/framing/response_text.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace callisto::http;

namespace {

std::string head_of(const Response& response, Delivery delivery = {}) {
  std::string out;
  append_head(out, response, delivery);
  return out;
}

}  // namespace

TEST_CASE("an answer carries the standing headers and no more", "[http][response]") {
  Response response;
  response.body = "{}";
  const std::string standing =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 2\r\n"
      "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\nReferrer-Policy: no-referrer\r\n";
  CHECK(head_of(response) == standing + "\r\n");
  CHECK(head_of(response, {.secure = true}) == standing + "Strict-Transport-Security: max-age=31536000\r\n\r\n");
}

TEST_CASE("a handler's header replaces the standing one", "[http][response]") {
  for (const char* name : {"x-content-type-options", "cache-control", "CONTENT-SECURITY-POLICY", "Referrer-policy",
                           "Strict-Transport-security"}) {
    INFO(name);
    Response response;
    response.headers = {{name, "of its own"}};
    const std::string head = head_of(response, {.secure = true});
    CHECK(head.find("\r\n" + std::string(name) + ": of its own\r\n") != std::string::npos);
    CHECK(std::count(head.begin(), head.end(), '\n') == 9);  // as many lines as without it
  }
}

TEST_CASE("the end of a connection is announced", "[http][response]") {
  CHECK(head_of({}, {.close = true}).ends_with("\r\nConnection: close\r\n\r\n"));
}

TEST_CASE("204 and 304 describe no body", "[http][response]") {
  Response response;
  for (int status : {204, 304}) {
    response.status = status;
    for (const char* name : {"\r\nContent-Type:", "\r\nContent-Length:"})
      CHECK(head_of(response).find(name) == std::string::npos);
    CHECK_FALSE(allows_body(status));
  }
}

TEST_CASE("an unusual status needs no reason", "[http][response]") {
  Response response;
  response.status = 299;
  CHECK(head_of(response).starts_with("HTTP/1.1 299 \r\n"));
}

TEST_CASE("a status that is none is noticed", "[http][response]") {
  Response response;
  for (int status : {-1, 0, 100, 600}) {
    response.status = status;
    CHECK_FALSE(is_sendable(response));
  }
}

TEST_CASE("a header that breaks its line is noticed", "[http][response]") {
  Response response;
  CHECK(is_sendable(response));
  response.headers = {{"X-A", "b\r\nSet-Cookie: c"}};
  CHECK_FALSE(is_sendable(response));
  response.headers = {{"X-A: b\r\nX-B", "c"}};
  CHECK_FALSE(is_sendable(response));
}
