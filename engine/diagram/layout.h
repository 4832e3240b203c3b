// Where the boxes, labels and lines of a directed graph go, in layers from top to bottom (Sugiyama, Tagawa and Toda
// 1981). Labels are boxes of layers of their own, so that no label lies over a label or a node, and lines keep clear of
// both: within a layer they are vertical, at a place that is kept for them. Units are pixels. Deterministic and pure;
// any thread.
#pragma once

#include <cstddef>
#include <vector>

namespace callisto::diagram {

struct Size {
  int width = 0, height = 0;
};
struct Box {
  int x = 0, y = 0, width = 0, height = 0;  // of its upper left corner
};
struct Point {
  int x = 0, y = 0;
};

struct Graph {
  struct Edge {
    std::size_t from = 0, to = 0;  // of nodes; the same for a loop
    Size label;
  };
  std::vector<Size> nodes;  // at least; a box grows with the lines that end at it
  std::vector<Edge> edges;
};

// Two neighbouring points that share x or y are joined by a straight line, others by a curve that is vertical at both
// ends. The line runs below its label.
struct Line {
  std::vector<Point> points;  // the last is where the arrow's tip is
  Box label;
};

struct Picture {
  Size size;
  std::vector<Box> nodes;
  std::vector<Line> lines;  // of the edges, in their order
};

Picture lay_out(const Graph& graph);

}  // namespace callisto::diagram
