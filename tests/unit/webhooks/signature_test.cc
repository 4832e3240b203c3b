#include "webhooks/signature.h"

#include "engine/base/base64.h"
#include "engine/json/read.h"
#include "tests/support/paths.h"
#include "tests/support/seeded_random.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

using namespace callisto;
using namespace callisto::webhooks;

namespace {

std::string key_of(std::string_view secret) {
  auto key = signing_key(secret);
  REQUIRE(key);
  return *key;
}

}  // namespace

TEST_CASE("the vector of Standard Webhooks") {
  CHECK(standard_signature({key_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")}, "msg_p5jXN8AQM9LWM0D4loKWxJek",
                           1614265330, R"({"test": 2432232314})") == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST_CASE("the vector that GitHub documents for X-Hub-Signature-256") {
  CHECK(hub_signature(key_of("It's a Secret to Everybody"), "Hello, World!") ==
        "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17");
}

TEST_CASE("the shared signatures, made by two other libraries") {
  std::ifstream in(test::source_folder() + "/../shared/data/webhooks/signatures_dev.json", std::ios::binary);
  if (!in) {
    WARN("shared data is absent; the shared signatures are skipped");
    return;
  }
  const auto data = json::parse(std::string(std::istreambuf_iterator<char>(in), {}));
  REQUIRE(data);
  const json::Node* cases = data->find("cases");
  REQUIRE(cases);
  REQUIRE(cases->items().size() == 12);
  for (const json::Node& one : cases->items()) {
    const std::string key = key_of(json::string_of(one, "secret"));
    const std::string& body = json::string_of(one, "body");
    CAPTURE(body);
    CHECK(standard_signature({key}, json::string_of(one, "webhook-id"),
                             std::stoll(json::string_of(one, "webhook-timestamp")),
                             body) == json::string_of(one, "webhook-signature"));
    CHECK(hub_signature(key, body) == "sha256=" + json::string_of(one, "sha256_hex_of_body_keyed_by_raw_key"));
  }
}

TEST_CASE("two keys sign while a secret is rotated, the newest first") {
  const std::string first = standard_signature({"new"}, "msg_1", 1, "{}");
  const std::string second = standard_signature({"old"}, "msg_1", 1, "{}");
  CHECK(first != second);
  CHECK(standard_signature({"new", "old"}, "msg_1", 1, "{}") == first + " " + second);
}

TEST_CASE("the key of a secret") {
  CHECK(key_of("whsec_YWJj") == "abc");
  CHECK(key_of("YWJj") == "YWJj");
  CHECK(key_of("Whsec_YWJj") == "Whsec_YWJj");
  CHECK(key_of("schlüssel") == "schlüssel");
}

TEST_CASE("a secret that cannot sign is told, without itself") {
  for (const std::string secret : {"", "whsec_", "whsec_YWJ", "whsec_YWJj ", "whsec_ YWJj", "whsec_YW-_",
                                   "whsec_YWK=", "whsec_geheim!", "whsec_whsec_YWJj"}) {
    CAPTURE(secret);
    const auto complaint = secret_complaint(secret);
    REQUIRE(complaint);
    if (secret.size() > 6) CHECK(complaint->find(secret.substr(6)) == std::string::npos);
  }
  CHECK_FALSE(secret_complaint("whsec_YWJj"));
  CHECK_FALSE(secret_complaint("x"));
}

TEST_CASE("a secret that is made has 32 random bytes") {
  testing::SeededRandom random;
  const std::string secret = make_secret(random);
  CHECK(secret.starts_with("whsec_"));
  CHECK(key_of(secret).size() == 32);
  CHECK(make_secret(random) != secret);
}
