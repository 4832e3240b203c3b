#include "engine/base/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace callisto {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr seconds silence(1);
constexpr milliseconds redraw(100);
constexpr seconds plain_line(10);
constexpr std::uint64_t bar_width = 30;

std::string bar(std::uint64_t done, std::uint64_t total) {
  const auto filled = static_cast<std::size_t>(static_cast<double>(done) / static_cast<double>(total) * bar_width);
  return " [" + std::string(filled, '#') + std::string(bar_width - filled, '.') + "]";
}

std::string share(std::uint64_t done, std::uint64_t total, steady_clock::duration elapsed) {
  const double part = static_cast<double>(done) / static_cast<double>(total);
  std::string text = " " + std::to_string(static_cast<int>(part * 100)) + " %";
  if (done == 0 || done == total) return text;
  const auto left = static_cast<std::int64_t>(std::chrono::duration<double>(elapsed).count() * (1 / part - 1));
  return text + ", " + std::to_string(left) + " s left";
}

}  // namespace

Progress::Progress(std::string title, std::uint64_t total)
    : title_(std::move(title)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      started_(steady_clock::now()),
      last_(started_) {}

// What was never drawn was quick and stays silent.
Progress::~Progress() {
  if (!drawn_) return;
  draw();
  if (terminal_) std::fputc('\n', stderr);
}

void Progress::advance_to(std::uint64_t done) {
  done_ = total_ == 0 ? done : std::min(done, total_);
  const auto now = steady_clock::now();
  if (now - started_ < silence || now - last_ < (terminal_ ? steady_clock::duration(redraw) : plain_line)) return;
  last_ = now;
  draw();
}

void Progress::draw() {
  drawn_ = true;
  std::string line = title_;
  if (total_ > 0 && terminal_) line += bar(done_, total_);
  if (total_ > 0) line += share(done_, total_, steady_clock::now() - started_);
  else line += " " + std::to_string(done_);
  // \r and ESC [K: the same line again, its rest erased.
  std::fputs(terminal_ ? ("\r" + line + "\x1b[K").c_str() : (line + "\n").c_str(), stderr);
}

}  // namespace callisto
