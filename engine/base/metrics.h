// Metrics in the text format of Prometheus, version 0.0.4, or in that of OpenMetrics 1.0.0: histograms that any thread
// may count into, and the writer of the text, which belongs to one thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace callisto {

class Histogram {
 public:
  // Upper bounds in microseconds.
  static constexpr std::array<std::int64_t, 14> bounds{250,     500,       1'000,     2'500,     5'000,
                                                       10'000,  25'000,    50'000,    100'000,   250'000,
                                                       500'000, 1'000'000, 2'500'000, 10'000'000};
  void observe(std::int64_t microseconds);

  struct Counts {
    std::array<std::uint64_t, bounds.size() + 1> by_bound{};  // the last: above all of them
    std::uint64_t microseconds = 0;
  };
  Counts counts() const;

 private:
  std::array<std::atomic<std::uint64_t>, bounds.size() + 1> by_bound_{};
  std::atomic<std::uint64_t> microseconds_ = 0;
};

using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

enum class MetricsFormat { Prometheus, OpenMetrics };

// A family is followed by its samples.
class MetricsText {
 public:
  explicit MetricsText(MetricsFormat format = MetricsFormat::Prometheus) : format_(format) {}
  void family(std::string_view name, std::string_view type, std::string_view help);
  void sample(double value, Labels labels = {});
  void histogram(const Histogram::Counts& counts, Labels labels);
  void summary(std::uint64_t microseconds, std::uint64_t count, Labels labels);
  // A family of one sample.
  void gauge(std::string_view name, std::string_view help, double value);
  void counter(std::string_view name, std::string_view help, double value);
  std::string take();

 private:
  void append(std::string_view suffix, double value, Labels labels, std::string_view bound = {});

  const MetricsFormat format_;
  std::string out_;
  std::string name_;
};

}  // namespace callisto
