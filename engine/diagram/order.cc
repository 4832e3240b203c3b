// Few crossings: each item goes to the mean place of those it is linked to, layer by layer, down and up; the best
// order that was met is kept.
#include "engine/diagram/layers.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace callisto::diagram {

namespace {

constexpr int rounds = 24;

using Positions = std::vector<std::size_t>;  // of items, in their layers

void number(const std::vector<std::size_t>& layer, Positions& positions) {
  for (std::size_t i = 0; i < layer.size(); ++i) positions[layer[i]] = i;
}

// Pairs of links between two layers that cross: those in the wrong order, counted by a tree of sums (Fenwick).
std::uint64_t crossings(const Layers& layers, const Positions& positions) {
  std::uint64_t all = 0;
  for (std::size_t layer = 1; layer < layers.layers.size(); ++layer) {
    std::vector<std::uint64_t> sums(layers.layers[layer].size() + 1);
    std::uint64_t seen = 0;
    for (const std::size_t item : layers.layers[layer - 1]) {
      const auto& below = layers.items[item].below;
      for (const std::size_t other : below) {
        std::uint64_t not_right = 0;
        for (std::size_t i = positions[other] + 1; i > 0; i -= i & (~i + 1)) not_right += sums[i];
        all += seen - not_right;
      }
      for (const std::size_t other : below)
        for (std::size_t i = positions[other] + 1; i < sums.size(); i += i & (~i + 1)) ++sums[i];
      seen += below.size();
    }
  }
  return all;
}

void sort_by_mean(Layers& layers, std::size_t layer, bool downwards, Positions& positions) {
  std::vector<std::pair<double, std::size_t>> means;
  for (const std::size_t item : layers.layers[layer]) {
    const auto& linked = downwards ? layers.items[item].above : layers.items[item].below;
    double sum = 0;
    for (const std::size_t other : linked) sum += static_cast<double>(positions[other]);
    // What is linked to nothing stays where it is.
    const double mean =
        linked.empty() ? static_cast<double>(positions[item]) : sum / static_cast<double>(linked.size());
    means.emplace_back(mean, item);
  }
  std::stable_sort(means.begin(), means.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < means.size(); ++i) layers.layers[layer][i] = means[i].second;
  number(layers.layers[layer], positions);
}

}  // namespace

void order(Layers& layers) {
  Positions positions(layers.items.size());
  for (const auto& layer : layers.layers) number(layer, positions);
  auto best = layers.layers;
  std::uint64_t fewest = crossings(layers, positions);
  for (int round = 0; round < rounds && fewest > 0; ++round) {
    const bool downwards = round % 2 == 0;
    for (std::size_t i = 1; i < layers.layers.size(); ++i)
      sort_by_mean(layers, downwards ? i : layers.layers.size() - 1 - i, downwards, positions);
    const std::uint64_t now = crossings(layers, positions);
    if (now >= fewest) continue;
    fewest = now;
    best = layers.layers;
  }
  layers.layers = std::move(best);
}

}  // namespace callisto::diagram
