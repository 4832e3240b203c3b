#include "engine/diagram/path.h"

namespace callisto::diagram {

namespace {

constexpr int tip_length = 9, tip_side = 5;

std::string pair(int x, int y) { return std::to_string(x) + " " + std::to_string(y); }

}  // namespace

std::string path_of(const Line& line) {
  std::string path = "M" + pair(line.points.front().x, line.points.front().y);
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    const Point &a = line.points[i - 1], &b = line.points[i];
    const int middle = (a.y + b.y) / 2;
    const bool is_straight = a.x == b.x || a.y == b.y;
    path += is_straight ? "L" : "C" + pair(a.x, middle) + " " + pair(b.x, middle) + " ";
    path += pair(b.x, b.y);
  }
  return path;
}

// Lines end straight.
std::string tip_of(const Line& line) {
  const Point &from = line.points[line.points.size() - 2], &to = line.points.back();
  const int x = to.x > from.x ? -tip_length : to.x < from.x ? tip_length : 0;
  const int y = to.y > from.y ? -tip_length : to.y < from.y ? tip_length : 0;
  const int across = x == 0 ? tip_side : 0, along = x == 0 ? 0 : tip_side;
  return "M" + pair(to.x, to.y) + "L" + pair(to.x + x - across, to.y + y - along) + "L" +
         pair(to.x + x + across, to.y + y + along) + "Z";
}

}  // namespace callisto::diagram
