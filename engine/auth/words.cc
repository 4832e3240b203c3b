#include "engine/auth/words.h"

namespace callisto::auth {

std::vector<std::string> split_words(std::string_view text) {
  constexpr std::string_view separators = " ,\t\r\n";
  std::vector<std::string> words;
  std::size_t begin = 0;
  while ((begin = text.find_first_not_of(separators, begin)) != std::string_view::npos) {
    const std::size_t end = text.find_first_of(separators, begin);
    words.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) break;
    begin = end;
  }
  return words;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

}  // namespace callisto::auth
