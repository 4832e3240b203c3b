// The layout of diagrams: what holds of every graph, tried with many.
#include "engine/diagram/layout.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

using namespace callisto::diagram;

namespace {

std::string told(const Box& box) {
  return std::to_string(box.x) + "," + std::to_string(box.y) + " " + std::to_string(box.width) + "x" +
         std::to_string(box.height);
}

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

bool inside(const Point& point, const Box& box) {
  return point.x > box.x && point.x < box.x + box.width && point.y > box.y && point.y < box.y + box.height;
}

// Every pixel along the line, of curves about.
std::vector<Point> walked(const Line& line) {
  std::vector<Point> all;
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    const Point &a = line.points[i - 1], &b = line.points[i];
    const int steps = std::max({1, std::abs(b.x - a.x), std::abs(b.y - a.y)});
    for (int step = 0; step <= steps; ++step) {
      const double t = static_cast<double>(step) / steps, side = a.x == b.x || a.y == b.y ? t : t * t * (3 - 2 * t);
      all.push_back({a.x + static_cast<int>(std::lround((b.x - a.x) * side)),
                     a.y + static_cast<int>(std::lround((b.y - a.y) * t))});
    }
  }
  return all;
}

bool touches(const Point& point, const Box& box) {
  return point.x >= box.x && point.x <= box.x + box.width && point.y >= box.y && point.y <= box.y + box.height;
}

void check_boxes(const Graph& graph, const Picture& picture) {
  std::vector<Box> boxes = picture.nodes;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    CHECK(boxes[i].width >= graph.nodes[i].width);
    CHECK(boxes[i].height >= graph.nodes[i].height);
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    CHECK(picture.lines[i].label.width >= graph.edges[i].label.width);
    CHECK(picture.lines[i].label.height >= graph.edges[i].label.height);
    boxes.push_back(picture.lines[i].label);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i];
    INFO(told(box));
    CHECK((box.x >= 0 && box.y >= 0 && box.x + box.width <= picture.size.width &&
           box.y + box.height <= picture.size.height));
    for (std::size_t k = 0; k < i; ++k)
      if (overlap(box, boxes[k])) FAIL_CHECK(told(box) << " lies over " << told(boxes[k]));
  }
}

void check_lines(const Graph& graph, const Picture& picture) {
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const Line& line = picture.lines[i];
    REQUIRE(line.points.size() >= 2);
    const Point &last = line.points.back(), &before = line.points[line.points.size() - 2];
    CHECK(((last.x == before.x) != (last.y == before.y)));  // straight, so that an arrow knows where it points
    CHECK(std::abs(last.x - before.x) + std::abs(last.y - before.y) >= 10);
    CHECK(touches(line.points.front(), picture.nodes[graph.edges[i].from]));
    CHECK(touches(line.points.back(), picture.nodes[graph.edges[i].to]));
    const auto path = walked(line);
    CHECK(std::any_of(path.begin(), path.end(), [&](const Point& point) { return touches(point, line.label); }));
    for (const Point& point : path) {
      for (const Box& box : picture.nodes)
        if (inside(point, box)) FAIL_CHECK("a line runs through the node at " << told(box));
      for (std::size_t k = 0; k < graph.edges.size(); ++k)
        if (k != i && inside(point, picture.lines[k].label))
          FAIL_CHECK("a line runs through another's label at " << told(picture.lines[k].label));
    }
  }
}

bool same(const Picture& a, const Picture& b) {
  const auto text = [](const Picture& picture) {
    std::string all = std::to_string(picture.size.width) + "x" + std::to_string(picture.size.height);
    for (const Box& box : picture.nodes) all += " " + told(box);
    for (const Line& line : picture.lines) {
      all += "\n" + told(line.label);
      for (const Point& point : line.points) all += " " + std::to_string(point.x) + "," + std::to_string(point.y);
    }
    return all;
  };
  return text(a) == text(b);
}

void check(const Graph& graph) {
  const Picture picture = lay_out(graph);
  REQUIRE(picture.nodes.size() == graph.nodes.size());
  REQUIRE(picture.lines.size() == graph.edges.size());
  check_boxes(graph, picture);
  check_lines(graph, picture);
  CHECK(same(picture, lay_out(graph)));
}

Graph random_graph(std::mt19937& random, std::size_t nodes, std::size_t edges) {
  const auto upto = [&random](std::size_t most) { return static_cast<int>(random() % (most + 1)); };
  Graph graph;
  for (std::size_t i = 0; i < nodes; ++i) graph.nodes.push_back({20 + upto(160), 20 + upto(40)});
  for (std::size_t i = 0; nodes > 0 && i < edges; ++i)
    graph.edges.push_back({random() % nodes, random() % nodes, {upto(120), upto(60)}});
  return graph;
}

constexpr Size node{80, 40}, label{50, 20};

}  // namespace

TEST_CASE("nothing overlaps in graphs of every shape") {
  const std::pair<const char*, Graph> rows[] = {
      {"nothing", {}},
      {"one node", {{node}, {}}},
      {"a loop", {{node}, {{0, 0, label}}}},
      {"three loops of one node", {{node}, {{0, 0, label}, {0, 0, {90, 60}}, {0, 0, {0, 0}}}}},
      {"there and back", {{node, node}, {{0, 1, label}, {1, 0, label}}}},
      {"the same way three times", {{node, node}, {{0, 1, label}, {0, 1, label}, {0, 1, {200, 70}}}}},
      {"parts without a line between them", {{node, node, node, node}, {{0, 1, label}, {2, 3, label}}}},
      {"nodes without lines", {{node, node, node}, {}}},
      {"a circle", {{node, node, node}, {{0, 1, label}, {1, 2, label}, {2, 0, label}}}},
      {"a long way round", {{node, node, node, node}, {{0, 1, label}, {1, 2, label}, {2, 3, label}, {0, 3, label}}}},
      {"all leads to the first", {{node, node, node}, {{1, 0, label}, {2, 0, label}}}},
  };
  for (const auto& [what, graph] : rows) {
    INFO(what);
    check(graph);
  }
}

TEST_CASE("nothing overlaps in random graphs, with loops, circles and parts of their own") {
  std::mt19937 random(20261126);
  for (int i = 0; i < 300; ++i) {
    const std::size_t nodes = random() % 14;
    const std::size_t edges = random() % 24;
    INFO("graph " << i << " of " << nodes << " nodes and " << edges << " lines");
    check(random_graph(random, nodes, edges));
  }
}

TEST_CASE("40 nodes with many lines among them are laid out") {
  std::mt19937 random(40);
  for (const std::size_t edges : {20, 60, 160}) check(random_graph(random, 40, edges));
  Graph chain;
  for (std::size_t i = 0; i < 40; ++i) chain.nodes.push_back(node);
  for (std::size_t i = 0; i < 39; ++i) chain.edges.push_back({i, i + 1, label});
  check(chain);
}

TEST_CASE("what follows stands below, and lines without a bend are straight") {
  const Picture picture = lay_out({{node, node, node}, {{0, 1, label}, {1, 2, label}}});
  CHECK(picture.nodes[0].y < picture.nodes[1].y);
  CHECK(picture.nodes[1].y < picture.nodes[2].y);
  for (const Line& line : picture.lines)
    for (const Point& point : line.points) CHECK(point.x == line.points.front().x);
}
