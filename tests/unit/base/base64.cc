#include "engine/base/base64.h"

#include "tests/support/seeded_random.h"

#include <catch2/catch.hpp>

using namespace callisto;

TEST_CASE("Base64 is written as RFC 4648 has it", "[base64]") {
  struct Row {
    std::string_view bytes, padded, unpadded, url;
  };
  // RFC 4648 section 10, and the two digits in which the alphabets differ.
  for (const Row& row : {Row{"", "", "", ""}, Row{"f", "Zg==", "Zg", "Zg"}, Row{"fo", "Zm8=", "Zm8", "Zm8"},
                         Row{"foo", "Zm9v", "Zm9v", "Zm9v"}, Row{"foob", "Zm9vYg==", "Zm9vYg", "Zm9vYg"},
                         Row{"fooba", "Zm9vYmE=", "Zm9vYmE", "Zm9vYmE"},
                         Row{"foobar", "Zm9vYmFy", "Zm9vYmFy", "Zm9vYmFy"}, Row{"\xfb\xff", "+/8=", "+/8", "-_8"}}) {
    INFO(row.padded);
    CHECK(encode_base64(row.bytes, Base64::Padded) == row.padded);
    CHECK(encode_base64(row.bytes, Base64::Unpadded) == row.unpadded);
    CHECK(encode_base64(row.bytes, Base64::Url) == row.url);
    CHECK(decode_base64(row.padded, Base64::Padded) == std::string(row.bytes));
    CHECK(decode_base64(row.unpadded, Base64::Unpadded) == std::string(row.bytes));
    CHECK(decode_base64(row.url, Base64::Url) == std::string(row.bytes));
  }
  std::string text = "x";
  append_base64(text, "f", Base64::Padded);
  CHECK(text == "xZg==");
}

TEST_CASE("Base64 of any bytes is read back", "[base64]") {
  for (std::size_t size = 0; size < 70; ++size) {
    const std::string bytes = testing::SeededRandom(size).bytes(size);
    for (const Base64 form : {Base64::Padded, Base64::Unpadded, Base64::Url})
      CHECK(decode_base64(encode_base64(bytes, form), form) == bytes);
  }
}

TEST_CASE("Base64 is read in one way only", "[base64]") {
  struct Row {
    Base64 form;
    std::vector<std::string_view> texts;
  };
  using namespace std::string_view_literals;
  // Impossible lengths, left-over bits, blanks, foreign characters, another form's alphabet and padding.
  for (const Row& row :
       {Row{Base64::Padded,
            {"Z",      "Zg",    "Zm8",      "Zg=",  "Zg===", "=",    "==",   "====", "Z===",    "Zm9vZg==Zm9v",
             "Zg==\n", "Zm9v=", "Zm9v====", "Zh==", "Zm9=",  "Z g=", "Z=g=", "-_8=", "Zg=\0"sv, "\xc3\xa9=="}},
        Row{Base64::Unpadded, {"Z", "Zm9vY", "Zh", "Zm9", "Zg==", "Zm8=", "Zm 9v", "Zm9v\n", "-_8", "Zg\0"sv}},
        Row{Base64::Url, {"Z", "Zm9vY", "Zh", "-_9", "Zg==", "Zm 9v", "+/8", "Zg."}}})
    for (const std::string_view text : row.texts) {
      INFO(text);
      CHECK_FALSE(decode_base64(text, row.form));
    }
}

TEST_CASE("Base64 may come in lines where that is asked for, and nothing else foreign does", "[base64]") {
  callisto::testing::SeededRandom random;
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string bytes = random.bytes(size);
    const std::string text = encode_base64(bytes, Base64::Padded);
    for (const std::size_t width : {std::size_t{1}, std::size_t{4}, std::size_t{64}, std::size_t{76}})
      for (const char* end : {"\n", "\r\n", " ", "\t"}) {
        std::string lines;
        for (std::size_t at = 0; at < text.size(); at += width) lines += text.substr(at, width) + end;
        CHECK(decode_base64(lines, Base64::Lines) == bytes);
        if (size > 0) CHECK_FALSE(decode_base64(lines, Base64::Padded));
      }
  }
  for (const char* wrong : {"Zg", "Zg=", "Zg==\v", "Zg=\n=\n=", "Z\xC2\xA0g==", "Zg-=", "Zh=="})
    CHECK_FALSE(decode_base64(wrong, Base64::Lines));
}
