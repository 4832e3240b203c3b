#include "engine/base/text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace callisto::text {

namespace {

// The fold of an ASCII byte; 0x80 and above fold to themselves and are decoded where they matter.
constexpr std::array<unsigned char, 256> folded_ascii = [] {
  std::array<unsigned char, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<unsigned char>(i >= 'A' && i <= 'Z' ? i + ('a' - 'A') : i);
  return table;
}();

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
unsigned char fold_byte(char c) { return folded_ascii[static_cast<unsigned char>(c)]; }
char to_lower(char c) { return is_ascii(c) ? static_cast<char>(fold_byte(c)) : c; }
char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// U_FOLD_CASE_DEFAULT of u_foldCase is simple folding: one character to one (API rule 2.5).
UChar32 fold_char(UChar32 c) {
  return c < 0x80 ? static_cast<UChar32>(folded_ascii[static_cast<unsigned char>(c)])
                  : u_foldCase(c, U_FOLD_CASE_DEFAULT);
}

constexpr UChar32 ill_formed = -1;
constexpr UChar32 replacement = 0xFFFD;

// The character at `at`, which moves past it; past one byte where the bytes are ill-formed (RFC 3629: overlong forms,
// surrogates and what lies above U+10FFFF are no characters).
UChar32 decode(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  const std::size_t more = lead < 0xC2 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : 0;
  if (more == 0 || text.size() - at < more) return ill_formed;
  UChar32 c = lead & (0x3F >> more);
  for (std::size_t i = 0; i < more; ++i) {
    if (!is_continuation(text[at + i])) return ill_formed;
    c = (c << 6) | (text[at + i] & 0x3F);
  }
  constexpr std::array<UChar32, 4> lowest = {0, 0x80, 0x800, 0x10000};
  if (c < lowest[more] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return ill_formed;
  at += more;
  return c;
}

UChar32 next_char(std::string_view text, std::size_t& at) {
  const UChar32 c = decode(text, at);
  return c == ill_formed ? replacement : c;
}

UChar32 previous_char(std::string_view text, std::size_t& at) {
  const std::size_t end = at--;
  std::size_t start = at;
  while (start > 0 && end - start < 4 && is_continuation(text[start])) --start;
  std::size_t after = start;
  const UChar32 c = decode(text, after);
  if (c == ill_formed || after != end) return replacement;  // one byte, as going forward
  at = start;
  return c;
}

void append_char(std::string& out, UChar32 c) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Maps character by character; ASCII by `ascii` without decoding, the rest by `other`.
template <typename Ascii, typename Other>
std::string mapped(std::string_view text, Ascii ascii, Other other) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (is_ascii(text[at])) out += ascii(text[at++]);
    else append_char(out, other(next_char(text, at)));
  }
  return out;
}

// Whether the folded characters of `text` from `at` on begin with the folded characters of `prefix`.
bool matches_at(std::string_view text, std::size_t at, std::string_view prefix) {
  for (std::size_t i = 0; i < prefix.size();) {
    if (at == text.size()) return false;
    if (is_ascii(text[at]) && is_ascii(prefix[i])) {
      if (fold_byte(text[at++]) != fold_byte(prefix[i++])) return false;
    } else if (fold_char(next_char(text, at)) != fold_char(next_char(prefix, i))) {
      return false;
    }
  }
  return true;
}

std::uint64_t load_word(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

constexpr std::uint64_t ones = 0x0101010101010101;
constexpr std::uint64_t highs = 0x8080808080808080;

// Finds one ASCII character, whatever its case, in eight bytes at once.
class FoldedByte {
 public:
  explicit FoldedByte(char folded)
      : case_bits_(is_lower(folded) ? ones * 0x20 : 0), pattern_(ones * static_cast<unsigned char>(folded)) {}
  // The high bit of every byte that matches; a borrow may add a bit above one that matches, never lose one.
  std::uint64_t matches(std::uint64_t word) const {
    const std::uint64_t difference = (word | case_bits_) ^ pattern_;
    return (difference - ones) & ~difference & highs;
  }

 private:
  std::uint64_t case_bits_;
  std::uint64_t pattern_;
};

// Skips to where a needle that begins with ASCII may stand: where its first two bytes do (the first alone, where the
// second is none or no ASCII), or at a byte above ASCII, which folding may turn into ASCII (the Kelvin sign into k).
class Skipper {
 public:
  explicit Skipper(std::string_view needle)
      : first_byte_(static_cast<unsigned char>(needle[0])),
        gap_(needle.size() > 1 && is_ascii(needle[1]) ? 1 : 0),
        first_(needle[0]),
        second_(needle[gap_]) {}

  std::size_t next(std::string_view text, std::size_t at) const {
    for (; at + gap_ + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
      const std::uint64_t here = load_word(text.data() + at);
      const std::uint64_t beside = load_word(text.data() + at + gap_);
      if (((first_.matches(here) & second_.matches(beside)) | here | beside) & highs) break;
    }
    while (at < text.size() && is_ascii(text[at]) && fold_byte(text[at]) != first_byte_) ++at;
    return at;
  }

 private:
  unsigned char first_byte_;
  std::size_t gap_;
  FoldedByte first_;
  FoldedByte second_;
};

}  // namespace

std::size_t valid_prefix(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (at + sizeof(std::uint64_t) <= text.size() && !(load_word(text.data() + at) & highs)) {
      at += sizeof(std::uint64_t);
      continue;
    }
    const std::size_t start = at;
    if (is_ascii(text[at])) ++at;
    else if (decode(text, at) == ill_formed) return start;
  }
  return text.size();
}

bool is_utf8(std::string_view text) { return valid_prefix(text) == text.size(); }

std::string well_formed(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t valid = valid_prefix(text);
    out += text.substr(0, valid);
    if (valid == text.size()) return out;
    append_char(out, replacement);
    text.remove_prefix(valid + 1);
  }
}

std::size_t length(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

std::size_t column(std::string_view text, std::size_t byte) {
  byte = std::min(byte, text.size());
  while (byte > 0 && byte < text.size() && is_continuation(text[byte])) --byte;
  return length(text.substr(0, byte)) + 1;
}

std::string fold(std::string_view text) { return mapped(text, to_lower, fold_char); }

std::string unicode_version() {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  char text[U_MAX_VERSION_STRING_LENGTH];
  u_versionToString(version, text);
  return text;
}

FoldTable fold_table() {
  FoldTable table;
  for (UChar32 c = 0x80; c <= 0x10FFFF; ++c) {
    if (fold_char(c) == c || (c >= 0xD800 && c <= 0xDFFF)) continue;
    append_char(table.from, c);
    append_char(table.to, fold_char(c));
  }
  return table;
}

std::string lower(std::string_view text) { return mapped(text, to_lower, u_tolower); }

std::string upper(std::string_view text) { return mapped(text, to_upper, u_toupper); }

int compare_folded(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    UChar32 left;
    UChar32 right;
    if (is_ascii(a[i]) && is_ascii(b[j])) {
      left = fold_byte(a[i++]);
      right = fold_byte(b[j++]);
    } else {
      left = fold_char(next_char(a, i));
      right = fold_char(next_char(b, j));
    }
    if (left != right) return left < right ? -1 : 1;
  }
  return static_cast<int>(i < a.size()) - static_cast<int>(j < b.size());
}

bool contains_folded(std::string_view haystack, std::string_view needle) {
  if (needle.empty()) return true;
  const bool ascii_start = is_ascii(needle.front());
  const Skipper skipper(needle);
  for (std::size_t at = 0; at < haystack.size();) {
    if (ascii_start) at = skipper.next(haystack, at);
    if (at == haystack.size()) return false;
    if (matches_at(haystack, at, needle)) return true;
    next_char(haystack, at);
  }
  return false;
}

bool starts_with_folded(std::string_view text, std::string_view prefix) { return matches_at(text, 0, prefix); }

bool ends_with_folded(std::string_view text, std::string_view suffix) {
  std::size_t at = text.size();
  for (std::size_t i = suffix.size(); i > 0;) {
    if (at == 0) return false;
    if (fold_char(previous_char(text, at)) != fold_char(previous_char(suffix, i))) return false;
  }
  return true;
}

bool equals_ignoring_ascii_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return fold_byte(x) == fold_byte(y); });
}

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), to_lower);
  return out;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view trim_white(std::string_view text) {
  const auto is_white = [](UChar32 c) { return c >= 0 && u_isUWhiteSpace(c) != 0; };
  std::size_t begin = 0, end = 0;  // of what stays
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t here = at;
    const bool white = is_white(next_char(text, at));
    if (!white) end = at;
    else if (end == 0) begin = at;
    if (!white && here == 0) begin = 0;
  }
  return end == 0 ? std::string_view() : text.substr(begin, end - begin);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string pascal_case(std::string_view kebab) {
  std::string out;
  for (std::string_view word : split(kebab, '-')) {
    if (word.empty()) continue;
    out += to_upper(word.front());
    out += word.substr(1);
  }
  return out;
}

std::string kebab_case(std::string_view pascal) {
  std::string out;
  for (std::size_t i = 0; i < pascal.size(); ++i) {
    // A run of capitals is one word, and its last capital begins the next: SLATarget -> sla-target.
    const bool ends_run = i + 1 < pascal.size() && is_lower(pascal[i + 1]);
    if (i > 0 && is_upper(pascal[i]) && (!is_upper(pascal[i - 1]) || ends_run) && pascal[i - 1] != '-') out += '-';
    out += to_lower(pascal[i]);
  }
  return out;
}

std::string quoted(std::string_view text, std::size_t longest) {
  std::string out = "'";
  std::size_t at = 0;
  for (std::size_t i = 0; i < longest && at < text.size(); ++i) append_char(out, next_char(text, at));
  out += at < text.size() ? "...'" : "'";
  return out;
}

}  // namespace callisto::text
