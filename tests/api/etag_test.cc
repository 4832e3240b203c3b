// A 304 that need not make the answer again is given where the whole answer would have that ETag, and nowhere else.
#include "desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto::tests;

std::string etag(const Desk& desk, std::string_view login, std::string_view path) {
  const Reply reply = desk.send(login, "GET", path);
  REQUIRE(reply.status == 200);
  return reply.headers.at("etag");
}

// A cacheable answer is asked for twice: the second finds what the first left.
int status(const Desk& desk, std::string_view login, std::string_view path, const std::string& tag) {
  const auto ask = [&] { return desk.send(login, "GET", path, {}, {"If-None-Match: " + tag}).status; };
  const int first = ask();
  CHECK(ask() == first);
  return first;
}

}  // namespace

TEST_CASE("a record's ETag holds until anything that the answer shows changes") {
  const Desk desk;
  const std::string path = "call/" + desk.done("analyst", "POST", "call", R"({"ShortDescription": "One"})")["Ref"];
  const std::string tag = etag(desk, "analyst", path);
  CHECK(status(desk, "analyst", path, tag) == 304);
  CHECK(status(desk, "analyst", path, "\"x\", " + tag) == 304);
  CHECK(status(desk, "analyst", path, "*") == 304);
  CHECK(status(desk, "analyst", path, "\"x\"") == 200);
  CHECK(desk.send("analyst", "GET", path, {}, {"If-None-Match: " + tag}).headers.at("etag") == tag);
  desk.done("analyst", "PUT", path, R"({"ShortDescription": "Another"})");
  CHECK(status(desk, "analyst", path, tag) == 200);
  CHECK(status(desk, "analyst", path, etag(desk, "analyst", path)) == 304);
}

TEST_CASE("an ETag is one session's, at one url") {
  const Desk desk;
  const std::string all = etag(desk, "admin", "call/2");
  const std::string some = etag(desk, "admin", "call/2?$select=Ref");
  CHECK(all != some);
  CHECK(status(desk, "admin", "call/2?$select=Ref", all) == 200);
  CHECK(status(desk, "admin", "call/2", some) == 200);
  CHECK(status(desk, "admin", "call/3", all) == 200);
  const std::string theirs = etag(desk, "analyst", "call/2");
  CHECK(status(desk, "analyst", "call/2", all) == (theirs == all ? 304 : 200));
}

TEST_CASE("a record that is gone is 404 to whoever has its ETag") {
  const Desk desk;
  const std::string ref = desk.done("admin", "POST", "location", R"({"Name": "A shed"})")["Ref"];
  const std::string path = "location/" + ref, tag = etag(desk, "admin", path);
  CHECK(status(desk, "admin", path, tag) == 304);
  desk.done("admin", "DELETE", path);
  CHECK(status(desk, "admin", path, tag) == 404);
}
