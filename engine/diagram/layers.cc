#include "engine/diagram/layers.h"

#include <algorithm>

namespace callisto::diagram {

namespace {

constexpr int port_gap = 18;  // between lines that end at one side of a node

struct Arrow {
  std::size_t from, to;
};

// Turns the edges that close a circle, found by walking from each node in turn: from the first ones, whose order
// speaks.
class Turner {
 public:
  explicit Turner(const Graph& graph) : graph_(graph), out_(graph.nodes.size()), visited_(graph.nodes.size(), New) {
    for (std::size_t i = 0; i < graph.edges.size(); ++i)
      if (graph.edges[i].from != graph.edges[i].to) out_[graph.edges[i].from].push_back(i);
    turned_.resize(graph.edges.size());
  }

  std::vector<bool> run() {
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node)
      if (visited_[node] == New) walk(node);
    return turned_;
  }

 private:
  enum Visit : char { New, Open, Done };
  struct Step {
    std::size_t node, next;
  };

  void walk(std::size_t start) {
    std::vector<Step> path{{start, 0}};
    visited_[start] = Open;
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == out_[node].size()) {
        visited_[node] = Done;
        path.pop_back();
        continue;
      }
      const std::size_t edge = out_[node][next++];
      const std::size_t to = graph_.edges[edge].to;
      if (visited_[to] == Open) turned_[edge] = true;
      if (visited_[to] != New) continue;
      visited_[to] = Open;
      path.push_back({to, 0});
    }
  }

  const Graph& graph_;
  std::vector<std::vector<std::size_t>> out_;
  std::vector<Visit> visited_;
  std::vector<bool> turned_;
};

// As high as the arrows allow; then each node goes to that end of its room where most of its arrows get shorter.
std::vector<std::size_t> ranks_of(std::size_t nodes, const std::vector<Arrow>& arrows) {
  std::vector<std::size_t> ranks(nodes, 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& [from, to] : arrows)
      if (ranks[to] <= ranks[from]) {
        ranks[to] = ranks[from] + 1;
        moved = true;
      }
  }
  for (int round = 0; round < 4; ++round)
    for (std::size_t node = 0; node < nodes; ++node) {
      std::size_t in = 0, out = 0, least = 0, most = nodes;
      for (const auto& [from, to] : arrows) {
        if (to == node) ++in, least = std::max(least, ranks[from] + 1);
        if (from == node) ++out, most = std::min(most, ranks[to] - 1);
      }
      if (out > in) ranks[node] = most;
      else if (in > out) ranks[node] = least;
    }
  return ranks;
}

int width_for(std::size_t ports) { return static_cast<int>(ports) * port_gap + port_gap / 2; }

// A box grows with the lines at its sides and with the labels of loops beside it.
void add_nodes(const Graph& graph, Layers& layers) {
  std::vector<std::size_t> above(graph.nodes.size()), below(graph.nodes.size());
  std::vector<Size> loops(graph.nodes.size());
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto& [from, to, label] = graph.edges[i];
    if (from == to) {
      loops[from].width = std::max(loops[from].width, label.width + loop_gap);
      loops[from].height += std::max(label.height, port_gap) + 8;
      continue;
    }
    ++below[layers.turned[i] ? to : from];
    ++above[layers.turned[i] ? from : to];
  }
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    const Size& size = graph.nodes[node];
    const int width = std::max(size.width, width_for(std::max(above[node], below[node])));
    const int half = (width + 1) / 2;
    layers.items.push_back(
        {half, half + loops[node].width, std::max(size.height, loops[node].height), 0, true, {}, {}, 0});
  }
}

std::size_t add_item(Layers& layers, std::size_t layer, Size size) {
  const int half = (size.width + 1) / 2;
  layers.items.push_back({half, half, size.height, layer, false, {}, {}, 0});
  layers.layers[layer].push_back(layers.items.size() - 1);
  return layers.items.size() - 1;
}

void add_chain(const Graph::Edge& edge, Layers& layers, std::size_t number) {
  const bool turned = layers.turned[number];
  const std::size_t top = turned ? edge.to : edge.from, bottom = turned ? edge.from : edge.to;
  const std::size_t first = layers.items[top].layer, last = layers.items[bottom].layer;
  const std::size_t middle = (first + last) / 2;
  const std::size_t holds_label = middle % 2 == 1 ? middle : middle - 1;
  std::vector<std::size_t>& chain = layers.chains[number];
  chain.push_back(top);
  for (std::size_t layer = first + 1; layer < last; ++layer) {
    chain.push_back(add_item(layers, layer, layer == holds_label ? edge.label : Size{}));
    if (layer == holds_label) layers.labels[number] = chain.back();
  }
  chain.push_back(bottom);
  for (std::size_t i = 1; i < chain.size(); ++i) {
    layers.items[chain[i - 1]].below.push_back(chain[i]);
    layers.items[chain[i]].above.push_back(chain[i - 1]);
  }
}

}  // namespace

Layers layered(const Graph& graph) {
  Layers layers;
  layers.turned = Turner(graph).run();
  layers.chains.resize(graph.edges.size());
  layers.labels.resize(graph.edges.size());
  add_nodes(graph, layers);
  std::vector<Arrow> arrows;
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto& [from, to, label] = graph.edges[i];
    if (from != to) arrows.push_back(layers.turned[i] ? Arrow{to, from} : Arrow{from, to});
  }
  const std::vector<std::size_t> ranks = ranks_of(graph.nodes.size(), arrows);
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    const std::size_t layer = 2 * ranks[node];
    layers.items[node].layer = layer;
    if (layers.layers.size() <= layer) layers.layers.resize(layer + 1);
    layers.layers[layer].push_back(node);
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i)
    if (graph.edges[i].from != graph.edges[i].to) add_chain(graph.edges[i], layers, i);
  return layers;
}

}  // namespace callisto::diagram
