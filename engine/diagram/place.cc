// Places in layers: again and again each layer gets those that make its links shortest, the others standing still. With
// the order and the distances given, that is a weighted isotonic regression, which merging neighbours solves exactly.
// At first squares of lengths are summed, which spreads all evenly; then the lengths themselves (squares that are
// divided by what they were), so that most links are straight and few are not.
#include "engine/diagram/layers.h"

#include <algorithm>
#include <cmath>

namespace callisto::diagram {

namespace {

constexpr int even_rounds = 40, straight_rounds = 80;
constexpr int gap = 16;       // between the items of a layer
constexpr int node_gap = 32;  // where one of them is a node

double distance(const Item& left, const Item& right) {
  return left.right + right.left + (left.is_node || right.is_node ? node_gap : gap);
}

// Long lines are kept straight, as far as that costs the others little.
double pull(const Item& a, const Item& b) { return a.is_node && b.is_node ? 1 : a.is_node || b.is_node ? 2 : 8; }

struct Wish {
  double weight = 0, x = 0;
};

Wish wish_of(const Layers& layers, const Item& item, bool straight) {
  Wish wish;
  double sum = 0;
  for (const auto* linked : {&item.above, &item.below})
    for (const std::size_t other : *linked) {
      const double length = std::max(2.0, std::abs(item.x - layers.items[other].x));
      const double weight = pull(item, layers.items[other]) / (straight ? length : 1);
      wish.weight += weight;
      sum += weight * layers.items[other].x;
    }
  if (wish.weight == 0) return {0.01, item.x};
  wish.x = sum / wish.weight;
  return wish;
}

struct Block {
  double weight, x;  // of its items, less their distance to the first item of the layer
  std::size_t count;
};

void place_layer(Layers& layers, const std::vector<std::size_t>& layer, bool straight) {
  std::vector<double> offsets(layer.size());
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < layer.size(); ++i) {
    const Item& item = layers.items[layer[i]];
    if (i > 0) offsets[i] = offsets[i - 1] + distance(layers.items[layer[i - 1]], item);
    const Wish wish = wish_of(layers, item, straight);
    blocks.push_back({wish.weight, wish.x - offsets[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].x >= blocks.back().x) {
      const Block last = blocks.back();
      blocks.pop_back();
      Block& merged = blocks.back();
      merged.x = (merged.x * merged.weight + last.x * last.weight) / (merged.weight + last.weight);
      merged.weight += last.weight;
      merged.count += last.count;
    }
  }
  std::size_t i = 0;
  for (const Block& block : blocks)
    for (std::size_t k = 0; k < block.count; ++k, ++i) layers.items[layer[i]].x = block.x + offsets[i];
}

}  // namespace

void place(Layers& layers) {
  for (const auto& layer : layers.layers)
    for (std::size_t i = 1; i < layer.size(); ++i)
      layers.items[layer[i]].x =
          layers.items[layer[i - 1]].x + distance(layers.items[layer[i - 1]], layers.items[layer[i]]);
  for (int round = 0; round < even_rounds + straight_rounds; ++round)
    for (std::size_t i = 0; i < layers.layers.size(); ++i)
      place_layer(layers, layers.layers[round % 2 == 0 ? i : layers.layers.size() - 1 - i], round >= even_rounds);
}

}  // namespace callisto::diagram
