#include "engine/script/load/written_calls.h"

#include "engine/script/load/scanner.h"

#include <algorithm>

namespace callisto::script {
namespace {

struct Word {
  std::string_view text;
  int line = 0;
};

std::vector<Word> words_of(std::string_view source) {
  std::vector<Word> words;
  Scanner scanner(source, Scanner::Texts::Told);
  while (scanner.next()) words.push_back({scanner.token, scanner.line});
  return words;
}

std::string_view at(const std::vector<Word>& words, std::size_t place) {
  return place < words.size() ? words[place].text : std::string_view();
}

// A word of its own, not the member of something.
bool is_global(const std::vector<Word>& words, std::size_t place, std::string_view name) {
  return words[place].text == name && (place == 0 || (words[place - 1].text != "." && words[place - 1].text != ":"));
}

bool asks_by_filter(std::string_view function) {
  return function == "search" || function == "first" || function == "count";
}

}  // namespace

std::vector<WrittenRequire> find_required(std::string_view source) {
  std::vector<WrittenRequire> found;
  const auto words = words_of(source);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_global(words, i, "require") || at(words, i + 1) == "=") continue;
    const bool in_parentheses = at(words, i + 1) == "(";
    const std::string_view name = at(words, i + (in_parentheses ? 2 : 1));
    const bool is_whole = !in_parentheses || at(words, i + 3) == ")";
    found.push_back({is_text(name) && is_whole ? content_of(name) : std::string(), words[i].line});
  }
  return found;
}

// desk . search ( "entity" , "filter" and then , or )
std::vector<WrittenSearch> find_searches(std::string_view source) {
  std::vector<WrittenSearch> found;
  const auto words = words_of(source);
  for (std::size_t i = 0; i + 7 < words.size(); ++i) {
    if (!is_global(words, i, "desk") || words[i + 1].text != "." || !asks_by_filter(words[i + 2].text)) continue;
    const bool is_written = words[i + 3].text == "(" && is_text(words[i + 4].text) && words[i + 5].text == "," &&
                            is_text(words[i + 6].text) && (words[i + 7].text == "," || words[i + 7].text == ")");
    if (is_written) found.push_back({content_of(words[i + 4].text), content_of(words[i + 6].text), words[i + 6].line});
  }
  return found;
}

std::vector<ColonCall> find_colon_calls(std::string_view source) {
  std::vector<ColonCall> found;
  const auto words = words_of(source);
  for (std::size_t i = 0; i + 2 < words.size(); ++i)
    if (is_global(words, i, "desk") && words[i + 1].text == ":")
      found.push_back({std::string(words[i + 2].text), words[i].line});
  return found;
}

}  // namespace callisto::script
