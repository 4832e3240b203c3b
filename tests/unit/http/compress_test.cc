#include "engine/http/compress.h"

#include "tests/support/gunzip.h"
#include "tests/unit/http/fixture.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>

namespace {

using namespace callisto;
using namespace callisto::http;
using namespace callisto::test;

class Accepting final : public Request {
 public:
  explicit Accepting(std::string accepted) : accepted_(std::move(accepted)) { method = "GET"; }
  std::string_view header(std::string_view name) const override {
    return name == "Accept-Encoding" ? std::string_view(accepted_) : std::string_view();
  }
  std::size_t header_count(std::string_view name) const override { return name == "Accept-Encoding" ? 1 : 0; }
  Result<std::string> body(std::size_t) override { return std::string(); }
  Result<void> read_body(std::size_t, const BodySink&) override { return {}; }

 private:
  std::string accepted_;
};

// Lines that repeat, as JSON does.
std::string lines(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i)
    text += "{\"Ref\":" + std::to_string(i) + ",\"Title\":\"The printer is on fire\"},";
  return text.substr(0, bytes);
}

Response answer(std::string body) {
  Response response;
  response.body = std::move(body);
  response.compressible = true;
  response.headers = {{"ETag", "\"12.abc\""}};
  return response;
}

std::string value(const Response& response, std::string_view name) {
  for (const auto& [each, text] : response.headers)
    if (each == name) return text;
  return "(none)";
}

bool is_compressed(const Response& response) { return value(response, "Content-Encoding") == "gzip"; }

}  // namespace

TEST_CASE("gzip is for whoever would rather have it than plain bytes", "[http][gzip]") {
  const std::pair<const char*, bool> rows[] = {{"", false},
                                               {"gzip", true},
                                               {"GZip", true},
                                               {"x-gzip", true},
                                               {"gzip, deflate, br, zstd", true},
                                               {"deflate, gzip;q=1.0, *;q=0.5", true},
                                               {"br", false},
                                               {"*", true},
                                               {"*;q=0", false},
                                               {"identity", false},
                                               {"gzip;q=0", false},
                                               {"gzip;q=0.0", false},
                                               {"gzip;q=0.000", false},
                                               {"gzip;q=0.001", true},
                                               {"gzip; q=0.5", true},
                                               {"gzip ; Q=0", false},
                                               {"gzip;q=0, *", false},
                                               {"gzip;q=0.5, identity", false},
                                               {"gzip, identity", true},
                                               {"gzip;q=0.5, identity;q=0.6", false},
                                               {"gzip;q=0.5, identity;q=0.5", true},
                                               {"identity;q=0", false},
                                               {"identity;q=0, gzip;q=0", false},
                                               {"identity;q=0, *", true},
                                               {"*;q=0, gzip", true},
                                               {"gzipped", false},
                                               {"gzip;q=", false},
                                               {"gzip;q=2", false},
                                               {"gzip;q=1.001", false},
                                               {"gzip;q=-1", false},
                                               {"gzip;q=0.5x", false},
                                               {"gzip;q=nan", false},
                                               {"gzip;level=9", true},
                                               {"gzip;level=9;q=0", false},
                                               {",,gzip,,", true},
                                               {";", false}};
  for (const auto& [accepted, expected] : rows) {
    INFO(accepted);
    CHECK(prefers_gzip(accepted) == expected);
  }
}

TEST_CASE("what is compressed: long texts of 200 that may be; all others stay as they are", "[http][gzip]") {
  const std::string body = lines(5000);
  const Accepting client("gzip");
  Response plain = answer(body);
  compress(client, plain);
  REQUIRE(is_compressed(plain));
  CHECK(plain.body.size() < body.size() / 3);
  CHECK(gunzip(plain.body) == body);
  CHECK(value(plain, "ETag") == "\"12.abc-gzip\"");
  CHECK(value(plain, "Vary") == "Accept-Encoding");

  for (const char* type : {"text/html", "text/plain; charset=utf-8", "Application/JSON", "image/svg+xml"}) {
    Response other = answer(body);
    other.content_type = type;
    compress(client, other);
    CHECK(is_compressed(other));
  }
  for (const char* type :
       {"image/png", "application/octet-stream", "application/zip", "text/", "", "application/jsonp"}) {
    INFO(type);
    Response other = answer(body);
    other.content_type = type;
    compress(client, other);
    CHECK(other.body == body);
    CHECK(value(other, "Vary") == "(none)");
  }
  for (const int status : {201, 206, 400, 500}) {
    Response other = answer(body);
    other.status = status;
    compress(client, other);
    CHECK(other.body == body);
    CHECK(value(other, "ETag") == "\"12.abc\"");
  }
  Response secret = answer(body);
  secret.compressible = false;
  compress(client, secret);
  CHECK(secret.body == body);
  Response brief = answer(lines(least_compressed));
  compress(client, brief);
  CHECK_FALSE(is_compressed(brief));
  Response declined = answer(body);
  compress(Accepting("br"), declined);
  CHECK(declined.body == body);
  CHECK(value(declined, "Vary") == "Accept-Encoding");
  CHECK(value(declined, "ETag") == "\"12.abc\"");
}

TEST_CASE("bytes that do not get shorter are sent as they are; weak ETags stay weak", "[http][gzip]") {
  std::string noise;
  std::uint32_t state = 1;
  for (int i = 0; i < 5000; ++i) noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  Response response = answer(noise);
  response.content_type = "text/plain";
  compress(Accepting("gzip"), response);
  CHECK(response.body == noise);
  CHECK_FALSE(is_compressed(response));
  CHECK(value(response, "ETag") == "\"12.abc\"");
  Response weak = answer(lines(2000));
  weak.headers = {{"ETag", "W/\"a\""}};
  compress(Accepting("gzip"), weak);
  CHECK(value(weak, "ETag") == "W/\"a-gzip\"");
}

TEST_CASE("the memory of all answers counts both forms while both are there, and then the one", "[http][gzip]") {
  const std::string body = lines(1'000'000);
  MemoryBudget budget(2'000'000);
  {
    Response response = answer(body);
    response.memory = MemoryBudget::Share(budget);
    REQUIRE(response.memory.grow_to(body.size()));
    compress(Accepting("gzip"), response);
    REQUIRE(is_compressed(response));
    CHECK(budget.taken() == (response.body.size() > MemoryBudget::small ? response.body.size() : 0));
  }
  CHECK(budget.taken() == 0);
  MemoryBudget tight(1'500'000);  // no room for both
  {
    Response response = answer(body);
    response.memory = MemoryBudget::Share(tight);
    REQUIRE(response.memory.grow_to(body.size()));
    compress(Accepting("gzip"), response);
    CHECK(response.body == body);
    CHECK(tight.taken() == body.size());
    CHECK(value(response, "Vary") == "Accept-Encoding");
  }
  CHECK(tight.taken() == 0);
  Response shared = answer({});
  shared.kept = std::make_shared<const std::string>(body);
  shared.memory = MemoryBudget::Share(budget);
  compress(Accepting("gzip"), shared);
  CHECK_FALSE(shared.kept);
  CHECK(gunzip(shared.body) == body);
  CHECK(budget.taken() == (shared.body.size() > MemoryBudget::small ? shared.body.size() : 0));
}

TEST_CASE("a compressed answer travels whole, HEAD tells its length, and large ones too", "[http][gzip]") {
  const std::string body = lines(8'000'000);
  ServerFixture desk([&](http::Request& request, Response& response) {
    response.body = body.substr(0, request.raw_path == "/large" ? body.size() : 4000);
    response.compressible = request.raw_path != "/secret";
  });
  const std::string accept = " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\nAccept-Encoding: gzip;q=0.8\r\n\r\n";
  const Reply small = desk.ask("GET /small" + accept);
  CHECK(small.has("Content-Encoding: gzip"));
  CHECK(gunzip(small.body) == body.substr(0, 4000));
  RawClient client = desk.client();
  client.send("HEAD /small" + accept);
  const Reply head = client.read_reply(true);
  CHECK(head.has("Content-Length: " + std::to_string(small.body.size())));
  CHECK(head.has("Content-Encoding: gzip"));
  const Reply large = desk.ask("GET /large" + accept);
  CHECK(large.has("Content-Encoding: gzip"));
  CHECK(gunzip(large.body) == body);
  CHECK(desk.ask("GET /secret" + accept).body == body.substr(0, 4000));
  CHECK(desk.ask("GET /small HTTP/1.1\r\nHost: a\r\n\r\n").body == body.substr(0, 4000));
  auto options = ServerFixture::small_options();
  options.gzip = false;
  ServerFixture off(
      [&](http::Request&, Response& response) {
        response.body = body.substr(0, 4000);
        response.compressible = true;
      },
      options);
  const Reply plain = off.ask("GET /small" + accept);
  CHECK(plain.body == body.substr(0, 4000));
  CHECK(plain.head.find("Vary") == std::string::npos);
}
