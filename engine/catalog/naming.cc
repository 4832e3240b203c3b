#include "engine/catalog/naming.h"

#include <algorithm>

namespace callisto::catalog {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A word begins at a capital after a small letter or digit, at a digit after a letter, and at the last capital of a run
// that goes on in small letters (the B of SLABreached).
bool begins_word(std::string_view name, std::size_t i) {
  char before = name[i - 1];
  if (is_digit(name[i])) return !is_digit(before);
  if (!is_upper(name[i])) return false;
  return !is_upper(before) || (i + 1 < name.size() && is_lower(name[i + 1]));
}

}  // namespace

bool is_pascal_name(std::string_view name) {
  return !name.empty() && is_upper(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_upper(c) || is_lower(c) || is_digit(c); });
}

bool is_kebab_name(std::string_view name) {
  if (name.empty() || !is_lower(name[0]) || name.back() == '-' || name.find("--") != name.npos) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

std::string title_of(std::string_view pascal) {
  std::string title;
  for (std::size_t i = 0; i < pascal.size(); ++i) {
    if (i > 0 && begins_word(pascal, i)) title += ' ';
    title += pascal[i];
  }
  return title;
}

std::string sentence_of(std::string_view kebab) {
  std::string sentence(kebab);
  std::replace(sentence.begin(), sentence.end(), '-', ' ');
  if (!sentence.empty() && is_lower(sentence[0])) sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  return sentence;
}

std::string table_name(std::string_view kebab) {
  std::string name(kebab);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace callisto::catalog
