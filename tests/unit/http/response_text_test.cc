#include "engine/http/response_text.h"

#include <catch2/catch.hpp>

using namespace callisto::http;

namespace {

std::string head_of(const Response& response, bool close = false) {
  std::string out;
  append_head(out, response, close);
  return out;
}

}  // namespace

TEST_CASE("an answer carries the standing headers and no more", "[http][response]") {
  Response response;
  response.body = "{}";
  CHECK(head_of(response) ==
        "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 2\r\n"
        "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\r\n");
}

TEST_CASE("a handler's Cache-Control replaces the standing one", "[http][response]") {
  Response response;
  response.headers = {{"cache-control", "max-age=60"}, {"ETag", "\"1\""}};
  const std::string head = head_of(response, true);
  CHECK(head.find("no-store") == std::string::npos);
  CHECK(head.find("cache-control: max-age=60\r\nETag: \"1\"\r\nConnection: close\r\n\r\n") != std::string::npos);
}

TEST_CASE("204 and 304 describe no body", "[http][response]") {
  Response response;
  for (int status : {204, 304}) {
    response.status = status;
    CHECK(head_of(response).find("\r\nContent-") == std::string::npos);
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
