#include "engine/json/read_wanted.h"

#include <catch2/catch.hpp>

namespace callisto::json {

namespace {

// "name=text;" for each member, "name=[]" and "name={}" for what holds others.
std::string shown(const std::string& text) {
  const auto node = parse_wanted(text, [](std::string_view name) { return name == "a" || name == "b"; });
  if (!node) return node.error().message;
  std::string all;
  for (const Member& member : node->members()) {
    const Node& value = member.value;
    const bool is_array = value.kind() == Node::Kind::Array, is_object = value.kind() == Node::Kind::Object;
    all += member.name + "=" + (is_array ? "[]" : is_object ? "{}" : value.text()) + ";";
  }
  return all;
}

bool is_refused(const std::string& text) { return shown(text).find("is wrong at line 1") != std::string::npos; }

}  // namespace

TEST_CASE("Members that nobody wants are kept as far as they are plain, and hold nothing up") {
  const std::string deep = std::string(500, '[') + std::string(500, ']');
  std::string wide = "[0";
  for (int i = 0; i < 5000; ++i) wide += ",{\"a\":1,\"a\":2}";
  for (const std::string& value : {deep, wide + "]", std::string(R"({"a":{"b":[{}]}})"), std::string(R"("\udc00")"),
                                   std::string(R"([{"x":1,"x":2},"\udfff"])")}) {
    CHECK(shown("{\"x\":" + value + ",\"a\":1}") == "a=1;");
    CHECK(shown("{\"a\":1,\"x\":" + value + "}") == "a=1;");
    CHECK(shown("{\"x\":" + value + ",\"x\":" + value + ",\"a\":1,\"b\":2}") == "a=1;b=2;");
  }
  CHECK(shown(R"({"x":1,"x":2,"y":"z","\udc00":1,"a":null})") == "x=1;y=z;a=;");
  CHECK(shown(R"({"x":{"a":9},"a":{"x":{"x":1}},"b":[[]]})") == "a={};b=[];");
}

TEST_CASE("Members that are wanted are read as strictly as ever, and the text has to be JSON") {
  const std::string deep = std::string(500, '[') + std::string(500, ']');
  for (const std::string& text :
       {std::string(R"({"a":1,"a":2})"), "{\"a\":" + deep + "}", std::string(R"({"b":"\udc00"})"),
        std::string(R"({"a":{"x":1,"x":2}})"), std::string(R"({"x":[1,})"), std::string(R"({"x":1)"),
        std::string(R"({"x":[}})"), std::string(R"({"x":1} y)"), std::string("{\"x\":\"\xFF\"}")}) {
    INFO(text.substr(0, 40));
    CHECK(is_refused(text));
  }
}

}  // namespace callisto::json
