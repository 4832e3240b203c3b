#include "engine/json/write.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace callisto::json {

namespace {

template <typename Function, typename Argument>
std::string written(Function append, const Argument& argument) {
  std::string out;
  append(out, argument);
  return out;
}

}  // namespace

TEST_CASE("Strings carry the escapes of RFC 8259 and nothing else changes") {
  CHECK(written(append_string, "") == R"("")");
  CHECK(written(append_string, "say \"hi\" \\ /") == R"("say \"hi\" \\ /")");
  CHECK(written(append_string, "\b\f\n\r\t") == R"("\b\f\n\r\t")");
  CHECK(written(append_string, std::string_view("\0\x1F\x7F", 3)) == "\"\\u0000\\u001f\x7F\"");
  CHECK(written(append_string, "Zürich 日本 \xF0\x9F\x98\x80") == "\"Zürich 日本 \xF0\x9F\x98\x80\"");
}

TEST_CASE("An escape is found at every offset of a long string") {
  for (std::size_t offset = 0; offset < 40; ++offset) {
    INFO(offset);
    const std::string before(offset, 'x');
    CHECK(written(append_string, before + "\"é\n!") == "\"" + before + "\\\"é\\n!\"");
    CHECK(written(append_string, before + "\x1F") == "\"" + before + "\\u001f\"");
    CHECK(written(append_string, before + "\\ ") == "\"" + before + "\\\\ \"");
  }
}

TEST_CASE("Integers keep every digit") {
  CHECK(written(append_integer, std::int64_t{0}) == "0");
  CHECK(written(append_integer, std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(written(append_integer, std::int64_t{9007199254740993}) == "9007199254740993");
}

TEST_CASE("Doubles are the shortest text that reads back the same") {
  CHECK(written(append_double, 3.0) == "3");
  CHECK(written(append_double, 0.1) == "0.1");
  CHECK(written(append_double, -1.5) == "-1.5");
  CHECK(written(append_double, 1e300) == "1e+300");
  CHECK(written(append_double, std::nan("")) == "null");
  CHECK(written(append_double, -std::numeric_limits<double>::infinity()) == "null");
  for (double number : {1.0 / 3, 2.2250738585072014e-308, 5e-324, 1.7976931348623157e308, 123456789.125})
    CHECK(std::strtod(written(append_double, number).c_str(), nullptr) == number);
}

TEST_CASE("Decimals have exactly the digits of their scale") {
  CHECK(written(append_decimal, Decimal{12345, 2}) == "123.45");
  CHECK(written(append_decimal, Decimal{-5, 2}) == "-0.05");
  CHECK(written(append_decimal, Decimal{0, 2}) == "0.00");
  CHECK(written(append_decimal, Decimal{100, 2}) == "1.00");
  CHECK(written(append_decimal, Decimal{42, 0}) == "42");
  CHECK(written(append_decimal, Decimal{1, 18}) == "0.000000000000000001");
  CHECK(written(append_decimal, Decimal{std::numeric_limits<std::int64_t>::min(), 4}) == "-922337203685477.5808");
}

TEST_CASE("Base64 follows the test vectors of RFC 4648") {
  CHECK(written(append_base64, "") == R"("")");
  CHECK(written(append_base64, "f") == R"("Zg==")");
  CHECK(written(append_base64, "fo") == R"("Zm8=")");
  CHECK(written(append_base64, "foo") == R"("Zm9v")");
  CHECK(written(append_base64, "foob") == R"("Zm9vYg==")");
  CHECK(written(append_base64, "fooba") == R"("Zm9vYmE=")");
  CHECK(written(append_base64, "foobar") == R"("Zm9vYmFy")");
  CHECK(written(append_base64, std::string_view("\xFB\xFF\x00", 3)) == R"("+/8A")");
}

TEST_CASE("The writer sets commas where they belong") {
  std::string out = "before";
  Writer writer(out);
  writer.begin_object().key("a").integer(1).key("b").begin_array();
  writer.string("[").string("{,").real(0.5).boolean(true).boolean(false).null();
  writer.begin_object().end_object().begin_array().end_array().end_array();
  writer.key("c").begin_object().key("d:").string(":").end_object().end_object();
  CHECK(out == R"(before{"a":1,"b":["[","{,",0.5,true,false,null,{},[]],"c":{"d:":":"}})");
}

TEST_CASE("Values appended by other means take their place in the document") {
  std::string out;
  Writer writer(out);
  writer.begin_object().key("a");
  append_decimal(writer.raw(), {150, 1});
  writer.key("b").begin_array();
  for (const char* text : {"x", "y"}) {
    writer.element();
    append_base64(writer.raw(), text);
  }
  writer.end_array().end_object();
  CHECK(out == R"({"a":15.0,"b":["eA==","eQ=="]})");
}

}  // namespace callisto::json
