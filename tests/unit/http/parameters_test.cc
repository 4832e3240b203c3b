#include "engine/http/framing/parameters.h"

#include "engine/base/percent.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::http;

TEST_CASE("the parameters of a header, in whatever form and order") {
  using Parameters = HeaderParameters;
  CHECK(parameters_of("form-data").empty());
  CHECK(parameters_of("form-data; Name=a ;FILENAME=\"b; \\\"c\\\" d\\e\" ; x = \"y\"") ==
        Parameters{{"name", "a"}, {"filename", "b; \"c\" d\\e"}, {"x", "y"}});
  CHECK(parameters_of("form-data; lone; name=\"n\";") == Parameters{{"lone", ""}, {"name", "n"}, {"", ""}});
  CHECK(parameters_of("form-data; name=; filename=\"open") == Parameters{{"name", ""}, {"filename", "open"}});
}

TEST_CASE("an extended value is decoded by its charset") {
  const std::pair<const char*, const char*> good[] = {{"utf-8''%C3%9Cbersicht.pdf", "\u00dcbersicht.pdf"},
                                                      {"UTF-8'de'a%20b", "a b"},
                                                      {"UTF-8''plain", "plain"},
                                                      {"iso-8859-1'en'%A3%20rates", "\u00a3 rates"},
                                                      {"ISO-8859-1''%FC", "\u00fc"},
                                                      {"utf-8''it's", "it's"},
                                                      {"utf-8''%e2%82%ac%25", "\u20ac%"},
                                                      {"utf-8''", ""}};
  for (const auto& [value, meant] : good) {
    INFO(value);
    CHECK(decode_extended(value) == std::string(meant));
  }
  for (const char* bad : {"", "plain.txt", "utf-8'plain", "''x", "utf-16''x", "windows-1252''%80", "utf-8''%",
                          "utf-8''%4", "utf-8''%zz", "utf-8''%FF", "utf-8''%C3"}) {
    INFO(bad);
    CHECK_FALSE(decode_extended(bad));
  }
}

TEST_CASE("every character that is escaped comes back") {
  for (char32_t point = 1; point < 0x3000; point += 7) {
    std::string text = "a";
    text += point < 0x80 ? std::string(1, static_cast<char>(point))
            : point < 0x800
                ? std::string{static_cast<char>(0xC0 | (point >> 6)), static_cast<char>(0x80 | (point & 63))}
                : std::string{static_cast<char>(0xE0 | (point >> 12)), static_cast<char>(0x80 | ((point >> 6) & 63)),
                              static_cast<char>(0x80 | (point & 63))};
    std::string value = "UTF-8''";
    append_encoded(value, text);
    CHECK(decode_extended(value) == text);
  }
}

TEST_CASE("encoded words are decoded where there is nothing else") {
  const std::pair<const char*, const char*> good[] = {{"=?utf-8?B?w5xiZXJzaWNodC5wZGY=?=", "\u00dcbersicht.pdf"},
                                                      {"=?UTF-8?b?w5w=?= =?utf-8?Q?_a=20b=3F?=", "\u00dc a b?"},
                                                      {"=?iso-8859-1?q?=FC?=", "\u00fc"},
                                                      {"=?utf-8*de?Q?x?=", "x"}};
  for (const auto& [text, meant] : good) {
    INFO(text);
    CHECK(decode_words(text) == std::string(meant));
  }
  for (const char* other : {"", "plain.txt", "=?",
                            "=?"
                            "?=",
                            "=?utf-8?B?w5w?=", "=?utf-8?X?a?=", "a =?utf-8?B?w5w=?=", "=?utf-8?B?/w==?=",
                            "=?koi8-r?Q?a?=", "=?utf-8?Q?=F?=", "=?utf-8?B?w5w=?=.pdf"}) {
    INFO(other);
    CHECK_FALSE(decode_words(other));
  }
}
