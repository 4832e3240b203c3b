#include "engine/app/serving/health_history.h"

namespace callisto::app {

void HealthHistory::fill(HealthFigure& figure, const api::Traffic::Totals& totals) const {
  const std::lock_guard lock(mutex_);
  Histogram::Counts since;
  for (std::size_t i = 0; i < since.by_bound.size(); ++i) {
    since.by_bound[i] = totals.time.by_bound[i] - last_.time.by_bound[i];
    figure.requests += since.by_bound[i];
  }
  figure.failed = totals.failed - last_.failed;
  if (figure.requests == 0) return;
  constexpr double thousand = 1000;
  figure.mean = static_cast<double>(totals.time.microseconds - last_.time.microseconds) /
                static_cast<double>(figure.requests) / thousand;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < Histogram::bounds.size(); ++i) {
    figure.slow = static_cast<double>(Histogram::bounds[i]) / thousand;  // above all bounds: the last of them
    below += since.by_bound[i];
    if (below * 20 >= figure.requests * 19) break;
  }
}

void HealthHistory::add(const HealthFigure& figure, const api::Traffic::Totals& totals) {
  const std::lock_guard lock(mutex_);
  last_ = totals;
  figures_.push_back(figure);
  if (figures_.size() > most) figures_.pop_front();
}

std::vector<HealthFigure> HealthHistory::all() const {
  const std::lock_guard lock(mutex_);
  return {figures_.begin(), figures_.end()};
}

}  // namespace callisto::app
