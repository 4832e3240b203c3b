#include "engine/http/url.h"
#include "engine/http/media_type.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::http;
using Segments = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("a path is split first and decoded once", "[http][url]") {
  CHECK(*decode_path("/v1/call/7") == Segments{"v1", "call", "7"});
  CHECK(*decode_path("/v1//call/") == Segments{"v1", "call"});
  CHECK(decode_path("/")->empty());
  CHECK(decode_path("")->empty());
  CHECK(*decode_path("/a%2Fb/%2524") == Segments{"a/b", "%24"});
  CHECK(*decode_path("/%24metadata") == Segments{"$metadata"});
  CHECK(*decode_path("/a+b") == Segments{"a+b"});
  CHECK(*decode_path("/M%C3%BCller") == Segments{"M\xc3\xbcller"});
  CHECK(*decode_path("/../x") == Segments{"..", "x"});
}

TEST_CASE("a path that could mean two things is refused", "[http][url]") {
  for (const char* raw : {"/%", "/a%2", "/a%zz", "/a%00b", "/a%0ab", "/a%7f", "/a\\b", "/a%5Cb", "/%ff", "/%c0%af",
                          "/%ed%a0%80", "/%u0041"}) {
    INFO(raw);
    const auto decoded = decode_path(raw);
    REQUIRE_FALSE(decoded);
    CHECK(decoded.error().status == 400);
  }
}

TEST_CASE("a query becomes pairs in their order", "[http][url]") {
  CHECK(*decode_query("") == Pairs{});
  CHECK(*decode_query("a=1&b=2&a=3") == Pairs{{"a", "1"}, {"b", "2"}, {"a", "3"}});
  CHECK(*decode_query("$metadata&$options") == Pairs{{"$metadata", ""}, {"$options", ""}});
  CHECK(*decode_query("%24filter=a+%3D%3d+'x%2By'") == Pairs{{"$filter", "a == 'x+y'"}});
  CHECK(*decode_query("a=b=c&&") == Pairs{{"a", "b=c"}});
  CHECK(*decode_query("&&a=b&") == Pairs{{"a", "b"}});
  CHECK(*decode_query("a=b&&c&&&d") == Pairs{{"a", "b"}, {"", ""}, {"c", ""}, {"", ""}, {"d", ""}});
  CHECK(*decode_query("a=%0A%5C\\") == Pairs{{"a", "\n\\\\"}});
}

TEST_CASE("a query that cannot be decoded is refused", "[http][url]") {
  for (const char* raw : {"a=%", "a=%4", "a=%g1", "%zz=1", "a=%00", "%00", "a%0a=1", "a=%ff", "a=%c3"}) {
    INFO(raw);
    REQUIRE_FALSE(decode_query(raw));
    CHECK(decode_query(raw).error().status == 400);
  }
}

TEST_CASE("a form is told by its type, whatever its case and parameters", "[http][url]") {
  for (const char* type : {"application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded",
                           " application/x-www-form-urlencoded ; charset=UTF-8"})
    CHECK(has_media_type(type, form_media_type));
  for (const char* type : {"", ";", "application/json", "application/x-www-form-urlencoded2", "multipart/form-data",
                           "text/plain; application/x-www-form-urlencoded"})
    CHECK_FALSE(has_media_type(type, form_media_type));
}
