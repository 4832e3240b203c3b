#include "engine/script/program.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace callisto::script {
namespace {

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_quote(char c) { return c == '"' || c == '\''; }

bool is_option_at(std::string_view line, std::size_t begin, std::size_t end) {
  if (begin > 0 && is_word(line[begin - 1])) return false;
  while (end < line.size() && (line[end] == ' ' || line[end] == '\t')) ++end;
  return end < line.size() && line[end] == '=' && (end + 1 == line.size() || line[end + 1] != '=');
}

bool has_word(std::string_view line, std::string_view word, bool as_option) {
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    std::size_t end = at + word.size();
    bool is_text = at > 0 && is_quote(line[at - 1]) && end < line.size() && is_quote(line[end]);
    if (as_option ? is_option_at(line, at, end) : is_text) return true;
  }
  return false;
}

}  // namespace

std::vector<const Source*> Program::all_sources() const {
  std::vector<const Source*> all;
  for (const auto* list : {&sources, &modules})
    for (const Source& each : *list) all.push_back(&each);
  return all;
}

int Program::add(Source source, const std::vector<std::string>& options) {
  int first = static_cast<int>(functions.size());
  for (const std::string& option : options) functions.push_back({sources.size(), option});
  sources.push_back(std::move(source));
  return first;
}

int find_line(std::string_view source, std::string_view word, int from, bool as_option) {
  std::size_t at = 0;
  for (int line = 1; at <= source.size(); ++line) {
    std::size_t end = std::min(source.find('\n', at), source.size());
    if (line >= from && has_word(source.substr(at, end - at), word, as_option)) return line;
    at = end + 1;
  }
  return from;
}

}  // namespace callisto::script
