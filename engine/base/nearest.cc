#include "engine/base/text.h"

#include <algorithm>

namespace callisto::text {

namespace {

// Costs in half edits, so that a difference in case alone costs half of one.
constexpr std::size_t edit_cost = 2;
constexpr std::size_t case_cost = 1;

std::size_t replacement_cost(char a, char b) {
  if (a == b) return 0;
  return equals_ignoring_ascii_case({&a, 1}, {&b, 1}) ? case_cost : edit_cost;
}

// Damerau-Levenshtein distance over bytes, where two neighbours may change places but once.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j * edit_cost;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i * edit_cost;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({above[j] + edit_cost, row[j - 1] + edit_cost, above[j - 1] + replacement_cost(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + edit_cost);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3) * edit_cost;
  std::string_view best;
  std::size_t best_cost = limit + 1;
  for (std::string_view candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if ((longer - shorter) * edit_cost >= best_cost) continue;  // also keeps a very long word from costing anything
    std::size_t cost = distance(word, candidate);
    // A name in the wrong case throughout is never too far away: STATUS is Status.
    if (equals_ignoring_ascii_case(word, candidate)) cost = std::min(cost, limit);
    if (cost < best_cost) {
      best = candidate;
      best_cost = cost;
    }
  }
  return std::string(best);
}

}  // namespace callisto::text
