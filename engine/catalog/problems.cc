#include "engine/catalog/problems.h"

#include "engine/base/text.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace callisto::catalog {

std::string to_string(const Problem& problem) {
  std::string line = problem.origin.file;
  if (problem.origin.line > 0) line += ':' + std::to_string(problem.origin.line);
  line += ": " + problem.message;
  if (!problem.suggestion.empty()) line += "; " + problem.suggestion;
  return line;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string near = text::nearest(word, candidates);
  return near.empty() ? near : "did you mean '" + near + "'?";
}

Origin place(const Origin& origin, const Lines& lines, const std::string& word) {
  auto found = lines.find(word);
  return {origin.file, found == lines.end() ? origin.line : found->second};
}

Origin place(const Action& action, const std::string& option) {
  const auto parts = action.parts.find(option);
  if (parts == action.parts.end()) return place({action.file, action.line}, action.lines, option);
  return {parts->second.back().file, parts->second.back().line};
}

void Problems::add(Origin origin, std::string message, std::string suggestion) {
  found_.push_back({std::move(origin), std::move(message), std::move(suggestion)});
}

void Problems::unknown(Origin origin, std::string_view what, std::string_view word, std::string_view where,
                       const std::vector<std::string_view>& candidates) {
  std::string message = "unknown " + std::string(what) + ' ' + text::quoted(word) + " in " + std::string(where);
  add(std::move(origin), std::move(message), did_you_mean(word, candidates));
}

std::vector<Problem> Problems::take() {
  auto what = [](const Problem& each) { return std::tie(each.origin.file, each.origin.line, each.message); };
  std::stable_sort(found_.begin(), found_.end(), [&](const Problem& a, const Problem& b) { return what(a) < what(b); });
  auto last =
      std::unique(found_.begin(), found_.end(), [&](const Problem& a, const Problem& b) { return what(a) == what(b); });
  found_.erase(last, found_.end());
  return std::exchange(found_, {});
}

}  // namespace callisto::catalog
