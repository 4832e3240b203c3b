#include "engine/base/text_prefix.h"

#include "engine/base/text.h"

#include <unicode/utf8.h>

namespace callisto::text {
namespace {

constexpr UChar32 last = 0x10FFFF, surrogates = 0xD800, behind_surrogates = 0xE000;
constexpr std::size_t longest = 4096;  // characters of a text that anybody looks for by its beginning

std::string utf8(UChar32 code) {
  char bytes[U8_MAX_LENGTH];
  int32_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, code);
  return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace

// A later last character, which folding leaves as it is; where there is none, one of the character before it.
std::string end_of_prefix(std::string_view prefix) {
  std::string folded = fold(prefix);
  while (!folded.empty()) {
    auto begin = static_cast<int32_t>(folded.size());
    UChar32 code = 0;
    U8_PREV(folded.data(), 0, begin, code);
    folded.resize(static_cast<std::size_t>(begin));
    if (code < 0) continue;
    while (code < last) {
      if (++code == surrogates) code = behind_surrogates;
      const std::string next = utf8(code);
      if (fold(next) == next) return folded + next;
    }
  }
  for (std::size_t i = 0; i < longest; ++i) folded += utf8(last);
  return folded;
}

}  // namespace callisto::text
