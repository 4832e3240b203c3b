// The comparisons that make no copies, against the plain meaning of folding both texts first.
#include "engine/base/text.h"

#include <catch2/catch.hpp>

#include <random>

namespace callisto::text {

namespace {

// ASCII that differs in the case bit alone, characters that fold to ASCII or to fewer bytes, and ill-formed bytes.
const std::vector<std::string> pieces = {"a", "A", "b", "k", "K", "s",    " ",   "@", "`", "[", "{", "\xE2\x84\xAA",
                                         "ſ", "é", "É", "Σ", "ς", "\xFF", "\xC3"};

std::string text_of(std::mt19937& random, unsigned most) {
  std::string out;
  for (auto left = random() % most; left > 0; --left) out += pieces[random() % pieces.size()];
  return out;
}

int sign(int number) { return (number > 0) - (number < 0); }

}  // namespace

TEST_CASE("Comparing without copies means the same as comparing folded copies") {
  std::mt19937 random(1);
  int contained = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string long_text = text_of(random, 30);
    const std::string short_text = text_of(random, 4);
    const std::string folded = fold(long_text);
    const std::string part = fold(short_text);
    INFO("'" << long_text << "' and '" << short_text << "'");
    const bool within = folded.find(part) != std::string::npos;
    contained += within;
    const bool ends = folded.size() >= part.size() && folded.substr(folded.size() - part.size()) == part;
    REQUIRE(contains_folded(long_text, part) == within);
    REQUIRE(starts_with_folded(long_text, short_text) == (folded.rfind(part, 0) == 0));
    REQUIRE(ends_with_folded(long_text, short_text) == ends);
    REQUIRE(sign(compare_folded(long_text, short_text)) == sign(folded.compare(part)));
  }
  CHECK(contained > 1000);  // both answers were tried
  CHECK(contained < 19000);
}

}  // namespace callisto::text
