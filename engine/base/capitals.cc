#include "engine/base/capitals.h"

#include "engine/base/text.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>

namespace callisto::text {

namespace {

// The whole text at once: what Σ becomes depends on its neighbours.
icu::UnicodeString whole_lower(std::string_view text) {
  return icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())})
      .toLower(icu::Locale::getRoot());
}

}  // namespace

bool has_own_capitals(std::string_view text) {
  const bool is_ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return is_ascii || whole_lower(upper(text)) == whole_lower(text);
}

}  // namespace callisto::text
