#include "engine/base/text_prefix.h"

#include "engine/base/text.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace callisto;

TEST_CASE("every text with a beginning lies between it and its end, whatever the case") {
  const std::string last = "\xF4\x8F\xBF\xBF";  // U+10FFFF
  for (const std::string& prefix :
       std::vector<std::string>{"a", "ab", "A@", "Z", "z", "straß", "\xED\x9F\xBF", "\xE1\xBA\x9D", "é", "k", "", " "})
    for (const std::string& rest : std::vector<std::string>{"", "a", "\x01", "Ω", last + last}) {
      INFO(prefix << " + " << rest);
      const std::string end = text::end_of_prefix(prefix);
      CHECK(text::fold(end) == end);
      CHECK(text::compare_folded(prefix, prefix + rest) <= 0);
      CHECK(text::compare_folded(prefix + rest, end) < 0);
    }
  CHECK(text::end_of_prefix("ab") == "ac");
  CHECK(text::end_of_prefix("A@") == "a[");  // the capitals between are none when folded
  CHECK(text::end_of_prefix("a" + last) == "b");
}
