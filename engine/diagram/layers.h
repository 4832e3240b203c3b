// Inside of layout.h: the graph as layers of items. Each edge is a chain of links that lead down by one layer; where it
// passes a layer it has an item, one of which holds its label.
#pragma once

#include "engine/diagram/layout.h"

#include <cstddef>
#include <vector>

namespace callisto::diagram {

struct Item {
  int left = 0, right = 0;  // how far it reaches from its axis, where lines meet it
  int height = 0;
  std::size_t layer = 0;
  bool is_node = false;
  std::vector<std::size_t> above, below;  // items that it is linked to
  double x = 0;                           // of the axis
};

struct Layers {
  std::vector<Item> items;                       // the nodes come first, in their order
  std::vector<std::vector<std::size_t>> layers;  // items from left to right
  std::vector<std::vector<std::size_t>> chains;  // of each edge, items from the top; empty for loops
  std::vector<bool> turned;                      // an edge that leads up
  std::vector<std::size_t> labels;               // the item with an edge's label; none for loops
};

inline constexpr int loop_gap = 26;  // between a node and the labels of its loops

// Every edge leads down, or is turned; layers of nodes have even numbers.
Layers layered(const Graph& graph);
// Changes the order in the layers so that few lines cross.
void order(Layers& layers);
// Gives each item its x: beside its neighbours, and near the items that it is linked to.
void place(Layers& layers);

}  // namespace callisto::diagram
