#include "engine/app/describing/coverage.h"

#include <algorithm>
#include <cstdio>

namespace callisto::app {

namespace {

using Point = Coverage::Point;
using Kind = Coverage::Kind;

struct Sum {
  std::size_t all = 0, reached = 0;
  void add(bool is_reached) {
    ++all;
    if (is_reached) ++reached;
  }
  std::string text() const { return std::to_string(reached) + " of " + std::to_string(all); }
};

// "12-14": lines of code that follow each other, though others stand between them, as long as none of them ran.
void add_code(const std::vector<Point>& points, std::vector<std::string>& missing) {
  int first = 0, last = 0;
  const auto close = [&] {
    if (first != 0)
      missing.push_back(std::to_string(first) + (last > first ? "-" + std::to_string(last) : "") +
                        ": code that no spec runs");
    first = 0;
  };
  for (const Point& point : points) {
    if (point.kind != Kind::Line) continue;
    if (point.count > 0) close();
    else if (first == 0) first = last = point.line;
    else last = point.line;
  }
  close();
}

}  // namespace

std::vector<std::string> Coverage::missing(const std::vector<Point>& points) {
  std::vector<std::string> missing;
  for (const Point& point : points)
    if (point.kind != Kind::Line && point.count == 0)
      missing.push_back(std::to_string(point.line) + ": " + point.missing);
  add_code(points, missing);
  return missing;
}

std::string sum_of(const Coverage::Files& files) {
  Sum whole, kinds[5];
  for (const auto& [file, points] : files)
    for (const Point& point : points) {
      whole.add(point.count > 0);
      kinds[static_cast<std::size_t>(point.kind)].add(point.count > 0);
    }
  const double all = static_cast<double>(std::max<std::size_t>(1, whole.all));
  char percent[16];
  std::snprintf(percent, sizeof percent, "%.1f %%", 100.0 * static_cast<double>(whole.reached) / all);
  const auto sum = [&](Kind kind) { return kinds[static_cast<std::size_t>(kind)].text(); };
  return std::string("coverage: ") + percent + ": lines of code " + sum(Kind::Line) + ", actions " + sum(Kind::Action) +
         ", in each state of 'from' " + sum(Kind::From) + ", states " + sum(Kind::State) + ", filters either way " +
         sum(Kind::Filter);
}

std::string to_text(const Coverage::Files& files) {
  std::string text;
  for (const auto& [file, points] : files) {
    const std::vector<std::string> missing = Coverage::missing(points);
    if (!missing.empty()) text += file + "\n";
    for (const std::string& line : missing) text += "  " + line + "\n";
  }
  return text + sum_of(files) + "\n";
}

std::string to_lcov(const Coverage::Files& files) {
  std::string text;
  for (const auto& [file, points] : files) {
    std::map<int, std::uint64_t> lines;
    std::string branches;
    Sum line_sum, branch_sum;
    int branch = 0;
    for (const Point& point : points) {
      std::uint64_t& count = lines[point.line];
      count = std::max(count, point.count);
      if (point.kind == Kind::Line) continue;
      branches += "BRDA:" + std::to_string(point.line) + ",0," + std::to_string(branch++) + "," +
                  (point.count > 0 ? std::to_string(point.count) : "-") + "\n";
      branch_sum.add(point.count > 0);
    }
    text += "TN:\nSF:" + file + "\n" + branches + "BRF:" + std::to_string(branch_sum.all) +
            "\nBRH:" + std::to_string(branch_sum.reached) + "\n";
    for (const auto& [line, count] : lines) {
      text += "DA:" + std::to_string(line) + "," + std::to_string(count) + "\n";
      line_sum.add(count > 0);
    }
    text += "LF:" + std::to_string(line_sum.all) + "\nLH:" + std::to_string(line_sum.reached) + "\nend_of_record\n";
  }
  return text;
}

}  // namespace callisto::app
