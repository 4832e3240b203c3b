#include "engine/base/metrics.h"

#include <algorithm>
#include <charconv>

namespace callisto {

namespace {

void append_number(std::string& out, double value) {
  char digits[400];  // the longest double without an exponent
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

// OpenMetrics wants "1.0" for a bound of 1, "the canonical form of floating point numbers".
void append_bound(std::string& out, double value, MetricsFormat format) {
  const std::size_t begin = out.size();
  append_number(out, value);
  if (format == MetricsFormat::OpenMetrics && out.find('.', begin) == out.npos) out += ".0";
}

// "label_value can be any sequence of UTF-8 characters, but the backslash (\), double-quote ("), and line feed (\n)
// characters have to be escaped"; the same of help texts, but for quotes.
void append_escaped(std::string& out, std::string_view text, bool quotes) {
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '\\' || (quotes && c == '"')) out += '\\';
    out += c;
  }
}

void append_label(std::string& out, char before, std::string_view name, std::string_view value) {
  out += before;
  out += name;
  out += "=\"";
  append_escaped(out, value, true);
  out += '"';
}

constexpr double seconds(std::int64_t microseconds) { return static_cast<double>(microseconds) / 1e6; }

}  // namespace

void Histogram::observe(std::int64_t microseconds) {
  const auto at = std::lower_bound(bounds.begin(), bounds.end(), microseconds) - bounds.begin();
  by_bound_[static_cast<std::size_t>(at)].fetch_add(1, std::memory_order_relaxed);
  microseconds_.fetch_add(static_cast<std::uint64_t>(std::max<std::int64_t>(0, microseconds)),
                          std::memory_order_relaxed);
}

Histogram::Counts Histogram::counts() const {
  Counts counts;
  for (std::size_t i = 0; i < by_bound_.size(); ++i) counts.by_bound[i] = by_bound_[i].load(std::memory_order_relaxed);
  counts.microseconds = microseconds_.load(std::memory_order_relaxed);
  return counts;
}

void MetricsText::family(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  const bool is_open = format_ == MetricsFormat::OpenMetrics;
  // There "_total" is of the sample, and help texts are escaped as labels are.
  const std::string_view total = "_total";
  if (is_open && type == "counter" && name.ends_with(total)) name.remove_suffix(total.size());
  out_.append("# HELP ").append(name) += ' ';
  append_escaped(out_, help, is_open);
  out_.append("\n# TYPE ").append(name) += ' ';
  out_ += type;
  out_ += '\n';
}

void MetricsText::append(std::string_view suffix, double value, Labels labels, std::string_view bound) {
  out_ += name_;
  out_ += suffix;
  char before = '{';
  for (const auto& [label, text] : labels) {
    append_label(out_, before, label, text);
    before = ',';
  }
  if (!bound.empty()) {
    append_label(out_, before, "le", bound);
    before = ',';
  }
  if (before == ',') out_ += '}';
  out_ += ' ';
  append_number(out_, value);
  out_ += '\n';
}

void MetricsText::sample(double value, Labels labels) { append({}, value, labels); }

// "The bucket counts are cumulative", and the one of +Inf is the count of all.
void MetricsText::histogram(const Histogram::Counts& counts, Labels labels) {
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < counts.by_bound.size(); ++i) {
    below += counts.by_bound[i];
    std::string bound = "+Inf";
    if (i < Histogram::bounds.size()) {
      bound.clear();
      append_bound(bound, seconds(Histogram::bounds[i]), format_);
    }
    append("_bucket", static_cast<double>(below), labels, bound);
  }
  append("_sum", static_cast<double>(counts.microseconds) / 1e6, labels);
  append("_count", static_cast<double>(below), labels);
}

void MetricsText::summary(std::uint64_t microseconds, std::uint64_t count, Labels labels) {
  append("_sum", static_cast<double>(microseconds) / 1e6, labels);
  append("_count", static_cast<double>(count), labels);
}

std::string MetricsText::take() {
  if (format_ == MetricsFormat::OpenMetrics) out_ += "# EOF\n";
  return std::move(out_);
}

void MetricsText::gauge(std::string_view name, std::string_view help, double value) {
  family(name, "gauge", help);
  sample(value);
}

void MetricsText::counter(std::string_view name, std::string_view help, double value) {
  family(name, "counter", help);
  sample(value);
}

}  // namespace callisto
