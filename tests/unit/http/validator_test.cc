#include "engine/http/framing/validator.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace callisto;
using namespace callisto::http;

namespace {

// A request that is valid but for what a test changes.
struct Draft {
  std::string method = "GET";
  std::string target = "/v1/call";
  std::string query;
  std::string version = "1.1";
  std::vector<Header> headers = {{"Host", "desk.example:8080"}};

  Draft with(std::string_view name, std::string_view value) const {
    Draft copy = *this;
    copy.headers.push_back({name, value});
    return copy;
  }
  Result<Framing> validated() const {
    return validate({method, target, query.empty() ? std::string_view() : std::string_view(query), version, headers});
  }
  int status() const {
    const auto result = validated();
    return result ? 200 : result.error().status;
  }
};

Draft with_target(std::string target) {
  Draft draft;
  draft.target = std::move(target);
  return draft;
}

}  // namespace

TEST_CASE("an ordinary request passes and keeps its connection", "[http][validator]") {
  const auto framing = Draft{}.validated();
  REQUIRE(framing);
  CHECK(framing->keep_alive);
  CHECK(framing->content_length == 0);
  CHECK_FALSE(framing->chunked);
}

TEST_CASE("exactly one Host is due; HTTP/1.0 may have none", "[http][validator]") {
  Draft draft;
  draft.headers.clear();
  CHECK(draft.status() == 400);
  draft.version = "1.0";
  REQUIRE(draft.status() == 200);
  CHECK(draft.validated()->authority.empty());
  CHECK_FALSE(draft.validated()->keep_alive);
  draft.headers = {{"Host", ""}};
  CHECK(draft.status() == 200);
  draft.headers = {{"Host", "a b"}};
  CHECK(draft.status() == 400);
  draft.headers = {{"Host", "a"}, {"Host", "a"}};
  CHECK(draft.status() == 400);
  CHECK(Draft{}.validated()->authority == "desk.example:8080");
  CHECK(Draft{}.with("host", "desk.example").status() == 400);
  for (std::string_view host : {"", " ", "a b", "a/b", "a@b", "a,b",
                                "\xff"
                                "a"}) {
    INFO(host);
    draft.headers = {{"Host", host}};
    draft.version = "1.1";
    CHECK(draft.status() == 400);
  }
  draft.headers = {{"Host", "[::1]:8080"}};
  CHECK(draft.status() == 200);
}

TEST_CASE("a Content-Length is one plain number", "[http][validator]") {
  for (std::string_view value : {"", "+5", "-5", "5abc", "0x5", "5 5", "5,5", "5, 5", "1_0", "\xd9\xa5", "5.0"}) {
    INFO(value);
    CHECK(Draft{}.with("Content-Length", value).status() == 400);
  }
  CHECK(Draft{}.with("Content-Length", "5").with("Content-Length", "5").status() == 400);
  CHECK(Draft{}.with("Content-Length", "9223372036854775808").status() == 413);
  CHECK(Draft{}.with("Content-Length", "99999999999999999999999").status() == 413);
  CHECK(Draft{}.with("content-length", " 010 ").validated()->content_length == 10);
}

TEST_CASE("the only coding is one chunked, without a length, in HTTP/1.1", "[http][validator]") {
  for (std::string_view value : {"", "identity", "gzip", "gzip, chunked", "chunked, chunked", "chunked,", "xchunked",
                                 "\xff"
                                 "chunked\xff",
                                 "chunked;q=1"}) {
    INFO(value);
    CHECK(Draft{}.with("Transfer-Encoding", value).status() == 400);
  }
  const Draft chunked = Draft{}.with("Transfer-Encoding", "Chunked");
  REQUIRE(chunked.status() == 200);
  CHECK(chunked.validated()->chunked);
  CHECK_FALSE(chunked.validated()->keep_alive);
  CHECK(chunked.with("Transfer-Encoding", "chunked").status() == 400);
  CHECK(chunked.with("Content-Length", "5").status() == 400);
  Draft old = chunked;
  old.version = "1.0";
  CHECK(old.status() == 400);
}

TEST_CASE("names of headers are tokens and values hold no control characters", "[http][validator]") {
  for (std::string_view name : {"", "A B", "A ", "A:", "A\t", "Fo@", "A\x01", "\xc3\xbc", "(a)"}) {
    INFO(name);
    CHECK(Draft{}.with(name, "x").status() == 400);
  }
  for (std::string_view value : {std::string_view("a\0b", 3), std::string_view("a\rb"), std::string_view("a\nb"),
                                 std::string_view("\x0c"), std::string_view("a\x7f")}) {
    CHECK(Draft{}.with("X-A", value).status() == 400);
  }
  CHECK(Draft{}.with("X-A", "a\tb \xe4").status() == 200);
}

TEST_CASE("Authorization stands there once at most", "[http][validator]") {
  const Draft once = Draft{}.with("Authorization", "Bearer a");
  CHECK(once.status() == 200);
  CHECK(once.with("authorization", "Bearer b").status() == 400);
}

TEST_CASE("the number and the size of headers are limited", "[http][validator]") {
  Draft draft;
  while (draft.headers.size() < max_headers) draft.headers.push_back({"X-A", "b"});
  CHECK(draft.status() == 200);
  CHECK(draft.with("X-A", "b").status() == 400);
  const std::string large(max_header_bytes, 'a');
  CHECK(Draft{}.with("X-A", large).status() == 431);
}

TEST_CASE("a target is a path, or a whole url whose path counts", "[http][validator]") {
  CHECK(with_target("/a/b").validated()->path == "/a/b");
  CHECK(with_target("http://other.example:99/a/b").validated()->path == "/a/b");
  CHECK(with_target("HTTPS://other.example/").validated()->path == "/");
  CHECK(with_target("http://host").validated()->path == "/");
  CHECK(with_target("http://other.example:99/a/b").validated()->authority == "other.example:99");
  CHECK_FALSE(with_target("http://other.example/a").validated()->keep_alive);
  Draft options = with_target("*");
  options.method = "OPTIONS";
  CHECK(options.validated()->path == "*");
  options.query = "a";
  CHECK(options.status() == 400);
  for (const char* target : {"", "*", "a", "!", "host:443", "http://", "http:///a", "http://,/a", "ftp://host/a",
                             "http://user:secret@host/a", "/a b", "/a\tb", "/a\x7f", "/\xc3\xbc", "/a#b", "/a\\b",
                             "/a%00", "http://host/%00"}) {
    INFO(target);
    CHECK(with_target(target).status() == 400);
  }
}

TEST_CASE("a query may hold a backslash but no fragment or blank", "[http][validator]") {
  Draft draft;
  draft.query = "$filter=Name+==+'A\\B'";
  CHECK(draft.status() == 200);
  draft.query = "a=b#c";
  CHECK(draft.status() == 400);
  draft.query = "a=b c";
  CHECK(draft.status() == 400);
}

TEST_CASE("an url of 32 KiB is read and a longer one is 414", "[http][validator]") {
  CHECK(with_target("/" + std::string(max_target_bytes - 1, 'a')).status() == 200);
  CHECK(with_target("/" + std::string(max_target_bytes, 'a')).status() == 414);
  Draft draft;
  draft.query = std::string(max_target_bytes, 'a');
  CHECK(draft.status() == 414);
}

TEST_CASE("a known form of version is 505 and no version 400", "[http][validator]") {
  Draft draft;
  for (const auto& [version, status] : {std::pair("1.0", 200),
                                        {"2.0", 505},
                                        {"1.2", 505},
                                        {"", 400},
                                        {"1", 400},
                                        {"1.10", 400},
                                        {"1.1 ", 400},
                                        {"4294967295.255", 400}}) {
    INFO(version);
    draft.version = version;
    CHECK(draft.status() == status);
  }
}

TEST_CASE("a method is a token", "[http][validator]") {
  Draft draft;
  for (const char* method : {"", "G T", "G\tT", "GET,", "G\x01T"}) {
    draft.method = method;
    CHECK(draft.status() == 400);
  }
}

TEST_CASE("a connection goes on only when both sides surely agree", "[http][validator]") {
  const auto keeps = [](std::string_view connection) {
    return Draft{}.with("Connection", connection).validated()->keep_alive;
  };
  CHECK(keeps("keep-alive"));
  CHECK(keeps("TE, Keep-Alive"));
  CHECK_FALSE(keeps("close"));
  CHECK_FALSE(keeps("keep-alive, close"));
  CHECK_FALSE(keeps("TE"));
  CHECK_FALSE(keeps(""));
  CHECK_FALSE(Draft{}.with("Upgrade", "websocket").validated()->keep_alive);
  CHECK_FALSE(Draft{}.with("Connection", "keep-alive").with("Connection", "keep-alive").validated()->keep_alive);
  Draft old;
  old.version = "1.0";
  CHECK_FALSE(old.validated()->keep_alive);
}

TEST_CASE("an expectation counts only before a body in HTTP/1.1", "[http][validator]") {
  const Draft draft = Draft{}.with("Expect", "100-Continue");
  CHECK_FALSE(draft.validated()->expects_continue);
  CHECK(draft.with("Content-Length", "5").validated()->expects_continue);
  Draft old = draft.with("Content-Length", "5");
  old.version = "1.0";
  CHECK_FALSE(old.validated()->expects_continue);
}
