// Bodies of others' collections: odd texts go in and come back unchanged, broken JSON is refused, and neither harms a
// record.
#include "bad_input.h"

#include "engine/base/base64.h"
#include "engine/base/text.h"
#include "engine/json/write.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const std::string articles = "/service.api/api/v1/knowledge";

// A desk of its own with one article that the tests write to.
class Article {
 public:
  Article() : server_(folder_.path(), {"--samples"}), token_(server_.token("admin")) {
    const Answer made = send("POST", articles, R"({"Title":"odd texts"})");
    REQUIRE(made.status == 200);
    path_ = articles + "/" + parsed(made).find("Ref")->text();
  }

  Answer put(std::string_view body) const { return send("PUT", path_, body); }
  Answer get() const { return send("GET", path_, {}); }

  static json::Node parsed(const Answer& answer) {
    auto body = json::parse(answer.body, json::Limits{32, 1'000'000});
    REQUIRE(body);
    return *std::move(body);
  }

 private:
  Answer send(std::string_view method, std::string_view target, std::string_view body) const {
    return server_.send(method, target, {"Authorization: Bearer " + token_, "Content-Type: application/json"}, body);
  }

  TemporaryFolder folder_;
  ServerProcess server_;
  std::string token_;
  std::string path_;
};

std::string body_with(const std::string& text) {
  std::string body = "{\"Solution\":";
  json::append_string(body, text);
  return body + "}";
}

// A case holds its text as base64, or as a text that stands there so many times.
std::string text_of(const json::Node& test) {
  if (const json::Node* encoded = test.find("base64")) return decode_base64(encoded->text(), Base64::Padded).value();
  std::string text;
  for (int i = std::stoi(test.find("times")->text()); i > 0; --i) text += test.find("repeat")->text();
  return text;
}

}  // namespace

TEST_CASE("odd texts go into a record and come back unchanged") {
  const Article article;
  for (const auto& texts : {naughty_strings(), injection_strings()})
    for (const std::string& text : texts) {
      const Answer answer = article.put(body_with(text));
      INFO(text << " -> " << answer.body.substr(0, 300));
      if (is_unspeakable(text)) {
        CHECK(answer.status == 400);
        continue;
      }
      REQUIRE(answer.status == 200);
      CHECK(Article::parsed(answer).find("Solution")->text() == text);
    }
}

TEST_CASE("JSON that is none is refused and changes nothing") {
  const auto cases = shared_data("badinput/json_parsing_dev.json");
  if (!cases) return;
  const Article article;
  const std::string before = article.get().body;
  int refused = 0;
  for (const json::Node& each : cases->find("cases")->items()) {
    const std::string bytes = text_of(each);
    const Answer answer = article.put(bytes);
    INFO(each.find("name")->text() << " -> " << answer.status << " " << answer.body.substr(0, 200));
    // What parses is an array or an object of unknown members: refused as well, for other reasons.
    if (!bytes.empty() && bytes != "{}" && bytes != "\xEF\xBB\xBF{}") CHECK(answer.status == 400);
    if (each.find("expect")->text() == "reject" && answer.status == 400) ++refused;
    CHECK(answer.status < 500);
  }
  CHECK(refused > 100);
  CHECK(article.get().body == before);
}

TEST_CASE("a body that nests too deep or repeats a name is refused") {
  const Article article;
  CHECK(article.put(R"({"Title":"a","Title":"b"})").status == 400);
  CHECK(article.put("{\"Solution\":" + std::string(40, '[') + std::string(40, ']') + "}").status == 400);
  CHECK(article.put("{\"Solution\":" + std::string(100'000, '[')).status == 400);
  CHECK(article.put("[]").status == 400);
  CHECK(article.put("\"Title\"").status == 400);
  CHECK(article.put(std::string(5 * 1024 * 1024, ' ')).status == 413);
}
