// UTF-8 text: validity, length, simple case folding (Unicode, one character to one), and the comparisons of API rule
// 2.5. Pure functions; any thread. ICU stays inside text.cc.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::text {

bool is_utf8(std::string_view text);
std::size_t valid_prefix(std::string_view text);              // bytes before the first ill-formed one, or all
std::string well_formed(std::string_view text);               // each ill-formed byte becomes U+FFFD
std::size_t length(std::string_view text);                    // in characters; `text` must be UTF-8
std::size_t column(std::string_view text, std::size_t byte);  // 1-based column, in characters, of a byte offset

std::string fold(std::string_view text);
std::string unicode_version();  // of fold(): "15.0.0.0"
// Every character outside ASCII that fold() changes, and in the same order what it becomes, as one text each.
struct FoldTable {
  std::string from, to;
};
FoldTable fold_table();
std::string lower(std::string_view text);  // the same the other way
std::string upper(std::string_view text);  // simple case mapping, character by character

// Compare as if both were folded, by code point, without making copies. < 0, 0, > 0.
int compare_folded(std::string_view a, std::string_view b);
// `needle` must already be folded.
bool contains_folded(std::string_view haystack, std::string_view needle);
bool starts_with_folded(std::string_view text, std::string_view prefix);
bool ends_with_folded(std::string_view text, std::string_view suffix);

bool equals_ignoring_ascii_case(std::string_view a, std::string_view b);
std::string ascii_lower(std::string_view text);
std::string_view trim(std::string_view text);        // ASCII blanks
std::string_view trim_white(std::string_view text);  // white space of Unicode; `text` must be UTF-8
std::vector<std::string_view> split(std::string_view text, char separator);

// The candidate nearest to `word` within a third of its length (at least 1) in edits, else empty. Case counts half.
std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);

std::string pascal_case(std::string_view kebab);  // take-ownership -> TakeOwnership
std::string kebab_case(std::string_view pascal);  // CallHistory -> call-history
// For messages: 'x', cut at `longest` characters.
std::string quoted(std::string_view text, std::size_t longest = 60);

}  // namespace callisto::text
