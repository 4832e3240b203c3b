#include "engine/base/normal_form.h"

#include "engine/base/text.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

namespace callisto::text {

namespace {

bool is_blank(UChar32 c) {
  return c >= 0 && (u_isUWhiteSpace(c) || c == 0x200B || c == 0x200E || c == 0x200F || c == 0x2060 || c == 0xFEFF);
}

}  // namespace

std::string nfc(std::string_view text) {
  const bool is_ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (is_ascii || !is_utf8(text)) return std::string(text);
  UErrorCode problem = U_ZERO_ERROR;
  const icu::Normalizer2* form = icu::Normalizer2::getNFCInstance(problem);
  if (U_FAILURE(problem)) return std::string(text);
  const icu::UnicodeString normal =
      form->normalize(icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())}), problem);
  std::string result;
  return U_FAILURE(problem) ? std::string(text) : normal.toUTF8String(result);
}

std::string_view trim_blanks(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::int32_t begin = 0, end = static_cast<std::int32_t>(text.size());
  for (std::int32_t next = begin; next < end; begin = next) {
    UChar32 c = 0;
    U8_NEXT(bytes, next, end, c);
    if (!is_blank(c)) break;
  }
  for (std::int32_t before = end; begin < before; end = before) {
    UChar32 c = 0;
    U8_PREV(bytes, begin, before, c);
    if (!is_blank(c)) break;
  }
  return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

}  // namespace callisto::text
