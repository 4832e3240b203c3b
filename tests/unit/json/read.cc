#include "engine/json/read.h"

#include <catch2/catch.hpp>

namespace callisto::json {

namespace {

std::string refusal(const std::string& text, const Limits& limits = {}) {
  const auto document = parse(text, limits);
  if (document) return "accepted";
  CHECK(document.error().status == 400);
  CHECK(document.error().type == "FormatException");
  return document.error().message;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string repeated(const std::string& text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("Every kind of value is read") {
  const auto document =
      parse(R"({"n": null, "t": true, "f": false, "i": -0.10e+05, "s": "a\u00e9\n\ud83d\ude00", "a": [1, [], {}]})");
  REQUIRE(document);
  REQUIRE(document->kind() == Node::Kind::Object);
  CHECK(document->find("n")->is_null());
  CHECK(document->find("t")->boolean());
  CHECK(document->find("f")->kind() == Node::Kind::Boolean);
  CHECK_FALSE(document->find("f")->boolean());
  CHECK(document->find("s")->text() == "aé\n\xF0\x9F\x98\x80");
  const Node& array = *document->find("a");
  REQUIRE(array.items().size() == 3);
  CHECK(array.items()[0].text() == "1");
  CHECK(array.items()[1].kind() == Node::Kind::Array);
  CHECK(array.items()[2].kind() == Node::Kind::Object);
  CHECK(document->find("missing") == nullptr);
  CHECK(std::string(name(array.kind())) == "an array");
}

TEST_CASE("A control character in a string is told as what it is") {
  for (const char* text : {"{\"a\": \"x\ny\"}", "[\"\t\"]", "{\"\x01\": 1}", "[\"\r\n\"]"})
    CHECK(contains(refusal(text),
                   "a line break, tab or other control character stands unescaped in a string; write "
                   "\\n, \\t or \\u00XX"));
  CHECK(contains(refusal("[\"ab\n\"]"), "line 1, column 5"));
  CHECK(contains(refusal(R"(["\x"])"), "Invalid escape character in string"));
}

TEST_CASE("Numbers keep their exact text") {
  for (const char* text :
       {"0", "-0", "12345678901234567890.123456789012345678", "1E5", "-0.10e+05", "9007199254740993"}) {
    const auto document = parse(text);
    REQUIRE(document);
    CHECK(document->kind() == Node::Kind::Number);
    CHECK(document->text() == text);
  }
}

TEST_CASE("Members keep their order") {
  const auto document = parse(R"({"z": 1, "a": 2, "": 3})");
  REQUIRE(document);
  const auto& members = document->members();
  REQUIRE(members.size() == 3);
  CHECK(members[0].name == "z");
  CHECK(members[1].name == "a");
  CHECK(members[2].name.empty());
  CHECK(members[2].value.text() == "3");
}

TEST_CASE("A member that is no string has no content") {
  const auto node = parse(R"({"a": "x", "b": 1, "c": null, "d": ["x"], "e": {"a": "x"}})");
  REQUIRE(node);
  CHECK(string_of(*node, "a") == "x");
  for (const char* name : {"b", "c", "d", "e", "f", "A"}) CHECK(string_of(*node, name).empty());
  CHECK(string_of(Node(), "a").empty());
}

TEST_CASE("An escaped NUL is kept for the caller to judge, a bare one is refused") {
  const auto document = parse(R"(["a\u0000b"])");
  REQUIRE(document);
  CHECK(document->items()[0].text() == std::string("a\0b", 3));
  CHECK(contains(refusal(std::string("{}\0{", 4)), "column 3"));
  CHECK(contains(refusal(std::string("\"\0\"", 3)), "NUL"));
}

TEST_CASE("A fault is told with line and column in characters") {
  CHECK(contains(refusal("{\n  \"äö\": x\n}"), "line 2, column 9:"));
  CHECK(contains(refusal(""), "line 1, column 1:"));
  CHECK(contains(refusal("[1,]"), "line 1, column 4:"));
  CHECK(contains(refusal("{} x"), "line 1, column 4:"));
  CHECK(contains(refusal("\r\n\r\n[1"), "line 3, column 3:"));
}

TEST_CASE("A message never repeats much of the text") {
  const std::string secret(500, 's');
  CHECK(refusal("{\"a\": " + secret).size() < 150);
  CHECK(refusal("{\"" + secret + "\": 1, \"" + secret + "\": 2}").size() < 200);
}

TEST_CASE("A name may stand once in an object") {
  CHECK(contains(refusal(R"({"a": 1, "b": 2, "a": 3})"), "'a' occurs twice"));
  CHECK(contains(refusal(R"({"a": 1, "\u0061": 2})"), "'a' occurs twice"));
  CHECK(parse(R"({"a": {"a": [{"a": 1}, {"a": 2}]}, "A": 1})"));
}

TEST_CASE("Text that is no Unicode is refused in values and names") {
  for (const char* bad :
       {R"(["\ud800"])", R"(["\udc00"])", R"(["\ud800\u0041"])", R"({"\udfaa": 0})", "[\"\xFF\"]", "{\"\xE1", "\"\xF0",
        "[\"\xC0\xAF\"]", "[\"\xED\xA0\x80\"]", "{\"\xE2\x82\": 1}", "\xEF\xBB\xBF{}"}) {
    INFO(bad);
    CHECK(refusal(bad) != "accepted");
  }
}

TEST_CASE("The place of bytes that are no UTF-8 is told") {
  CHECK(contains(refusal("[\"ä\xFF\"]"), "column 4: The text is not UTF-8."));
}

TEST_CASE("Extensions of other parsers are refused") {
  for (const char* bad : {"// x\n1", "/* x */ 1", "[1,]", "{\"a\":1,}", "NaN", "[Infinity]", "['a']", "{a: 1}", "01",
                          "+1", ".5", "1.", "0x1", "\"a\tb\"", "tru", "1 2", "[1}", "1e999"}) {
    INFO(bad);
    CHECK(refusal(bad) != "accepted");
  }
}

TEST_CASE("Depth is limited and never costs the stack") {
  CHECK(parse(repeated("[", 32) + repeated("]", 32)));
  CHECK(contains(refusal(repeated("[", 33) + repeated("]", 33)), "32 levels"));
  CHECK(contains(refusal(repeated("[", 200000)), "column 33"));
  CHECK(contains(refusal(repeated("{\"a\":", 200000)), "32 levels"));
  CHECK(contains(refusal("[[1]]", {.depth = 1, .values = 10}), "1 levels"));
}

TEST_CASE("The number of members and elements is limited") {
  CHECK(parse("[[1,2],{\"a\":3}]", {.depth = 2, .values = 5}));
  CHECK(contains(refusal("[[1,2],{\"a\":3}]", {.depth = 2, .values = 4}), "more than 4"));
  CHECK(contains(refusal("[0" + repeated(",0", 2000) + "]"), "more than 2000"));
}

}  // namespace callisto::json
