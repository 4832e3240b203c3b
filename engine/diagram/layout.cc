#include "engine/diagram/layout.h"

#include "engine/diagram/layers.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace callisto::diagram {

namespace {

constexpr int margin = 16;      // around all
constexpr int layer_gap = 28;   // between layers, where lines go to the side
constexpr int stub = 12;        // of a line above and below a node, which is straight there and has room for an arrow
constexpr int loop_spread = 6;  // of a loop's two strokes from the middle of its label

struct Band {
  int top = 0, bottom = 0;
};

std::vector<Band> bands_of(const Layers& layers) {
  std::vector<Band> bands;
  int y = margin;
  for (const auto& layer : layers.layers) {
    int height = 0;
    for (const std::size_t item : layer)
      height = std::max(height, layers.items[item].height + (layers.items[item].is_node ? 2 * stub : 0));
    bands.push_back({y, y + height});
    y += height + layer_gap;
  }
  return bands;
}

// All of them to the right of the margin, on whole pixels: the distances are larger than what rounding takes.
int shift_and_round(Layers& layers) {
  double left = 0, right = 0;
  bool is_first = true;
  for (const Item& item : layers.items) {
    left = is_first ? item.x - item.left : std::min(left, item.x - item.left);
    is_first = false;
  }
  for (Item& item : layers.items) {
    item.x = std::round(item.x - left + margin);
    right = std::max(right, item.x + item.right);
  }
  return static_cast<int>(right) + margin;
}

class Drawing {
 public:
  Drawing(const Graph& graph, const Layers& layers)
      : graph_(graph), layers_(layers), bands_(bands_of(layers)), loops_(graph.nodes.size()) {}

  Picture made(int width) {
    Picture picture;
    picture.size = {width, (bands_.empty() ? 0 : bands_.back().bottom) + margin};
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) picture.nodes.push_back(box_of(layers_.items[node]));
    set_ports();
    for (std::size_t i = 0; i < graph_.edges.size(); ++i)
      picture.lines.push_back(graph_.edges[i].from == graph_.edges[i].to ? loop(i) : line(i));
    return picture;
  }

 private:
  // Without the room for loops beside a node.
  Box box_of(const Item& item) const {
    const Band& band = bands_[item.layer];
    const int x = static_cast<int>(item.x);
    return {x - item.left, band.top + (band.bottom - band.top - item.height) / 2, 2 * item.left, item.height};
  }

  // Where the lines of each node meet its upper and its lower side: in the order of what they lead to.
  void set_ports() {
    std::map<std::size_t, std::vector<std::size_t>> tops, bottoms;  // edges by node
    for (std::size_t i = 0; i < layers_.chains.size(); ++i) {
      if (layers_.chains[i].empty()) continue;
      bottoms[layers_.chains[i].front()].push_back(i);
      tops[layers_.chains[i].back()].push_back(i);
    }
    const auto second = [](const auto& chain) { return chain[1]; };
    const auto last_but_one = [](const auto& chain) { return chain[chain.size() - 2]; };
    starts_.resize(layers_.chains.size());
    ends_.resize(layers_.chains.size());
    for (auto& [node, edges] : bottoms) spread(node, edges, second, starts_);
    for (auto& [node, edges] : tops) spread(node, edges, last_but_one, ends_);
  }

  template <typename Neighbour>
  void spread(std::size_t node, std::vector<std::size_t>& edges, Neighbour neighbour, std::vector<int>& xs) const {
    std::stable_sort(edges.begin(), edges.end(), [&](std::size_t a, std::size_t b) {
      return layers_.items[neighbour(layers_.chains[a])].x < layers_.items[neighbour(layers_.chains[b])].x;
    });
    const Box box = box_of(layers_.items[node]);
    const auto parts = static_cast<int>(edges.size()) + 1;
    for (int i = 1; i < parts; ++i) xs[edges[static_cast<std::size_t>(i - 1)]] = box.x + box.width * i / parts;
  }

  Line line(std::size_t edge) const {
    const auto& chain = layers_.chains[edge];
    Line line;
    const Item &top = layers_.items[chain.front()], &bottom = layers_.items[chain.back()];
    const Box first = box_of(top), last = box_of(bottom);
    line.points = {{starts_[edge], first.y + first.height}, {starts_[edge], bands_[top.layer].bottom}};
    for (std::size_t i = 1; i + 1 < chain.size(); ++i) {
      const Item& item = layers_.items[chain[i]];
      line.points.push_back({static_cast<int>(item.x), bands_[item.layer].top});
      line.points.push_back({static_cast<int>(item.x), bands_[item.layer].bottom});
    }
    line.points.push_back({ends_[edge], bands_[bottom.layer].top});
    line.points.push_back({ends_[edge], last.y});
    if (layers_.turned[edge]) std::reverse(line.points.begin(), line.points.end());
    line.label = box_of(layers_.items[layers_.labels[edge]]);
    return line;
  }

  // To a label on the right and back. Those of one node stand below each other.
  Line loop(std::size_t edge) {
    const auto& [node, same, label] = graph_.edges[edge];
    const Box box = box_of(layers_.items[node]);
    const int height = std::max(label.height, 2 * loop_spread + 6);
    const int right = box.x + box.width, top = box.y + 4 + loops_[node];
    loops_[node] += height + 8;
    Line line;
    line.label = {right + loop_gap, top + (height - label.height) / 2, label.width, label.height};
    const int middle = top + height / 2, far = right + loop_gap + label.width / 2;
    line.points = {{right, middle - loop_spread},
                   {far, middle - loop_spread},
                   {far, middle + loop_spread},
                   {right, middle + loop_spread}};
    return line;
  }

  const Graph& graph_;
  const Layers& layers_;
  const std::vector<Band> bands_;
  std::vector<int> loops_;  // how far down the labels beside a node reach
  std::vector<int> starts_, ends_;
};

}  // namespace

Picture lay_out(const Graph& graph) {
  Layers layers = layered(graph);
  order(layers);
  place(layers);
  const int width = shift_and_round(layers);
  return Drawing(graph, layers).made(width);
}

}  // namespace callisto::diagram
