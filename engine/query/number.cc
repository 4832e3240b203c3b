#include "engine/query/number.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace callisto::query {

namespace {

// Far beyond every type's range, and small enough that sums of it stay exact.
constexpr std::int64_t max_exponent = 1'000'000'000;

std::int64_t parse_exponent(std::string_view text) {
  if (text.empty()) return 0;
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || value > max_exponent) value = max_exponent;
  return negative ? -value : value;
}

// Takes digits off the front; false where there are none.
bool take_digits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(count);
  return count > 0;
}

bool take(std::string_view& text, std::string_view any) {
  if (text.empty() || any.find(text.front()) == any.npos) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

bool is_number(std::string_view text) {
  take(text, "-");
  if (!take_digits(text)) return false;
  if (take(text, ".") && !take_digits(text)) return false;
  if (take(text, "eE")) {
    take(text, "+-");
    if (!take_digits(text)) return false;
  }
  return text.empty();
}

Number::Number(std::string_view spelled) {
  negative_ = spelled.front() == '-';
  if (negative_ || spelled.front() == '+') spelled.remove_prefix(1);
  const std::size_t e = spelled.find_first_of("eE");
  if (e != std::string_view::npos) exponent_ = parse_exponent(spelled.substr(e + 1));
  const std::string_view mantissa = spelled.substr(0, e);
  const std::size_t point = mantissa.find('.');
  digits_ = mantissa.substr(0, point);
  if (point != std::string_view::npos) {
    digits_ += mantissa.substr(point + 1);
    exponent_ -= static_cast<std::int64_t>(mantissa.size() - point - 1);
  }
  digits_.erase(0, std::min(digits_.find_first_not_of('0'), digits_.size()));
  const std::size_t kept = digits_.find_last_not_of('0') + 1;  // npos + 1 is 0
  exponent_ += static_cast<std::int64_t>(digits_.size() - kept);
  digits_.resize(kept);
  if (digits_.empty()) {
    negative_ = false;
    exponent_ = 0;
  }
}

std::optional<Number::Scaled> Number::scaled(int scale) const {
  const std::int64_t shift = exponent_ + scale;
  const std::int64_t length = static_cast<std::int64_t>(digits_.size()) + shift;  // digits before the point
  if (length > 19) return std::nullopt;
  std::uint64_t magnitude = 0;  // 19 digits always fit
  for (std::int64_t i = 0; i < length; ++i) {
    const auto index = static_cast<std::size_t>(i);
    magnitude = magnitude * 10 + (index < digits_.size() ? static_cast<std::uint64_t>(digits_[index] - '0') : 0);
  }
  const bool exact = shift >= 0 || digits_.empty();  // no trailing zeros, so a shift below 0 leaves a fraction
  if (negative_ && !exact) ++magnitude;
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude > most + (negative_ ? 1 : 0)) return std::nullopt;
  return Scaled{static_cast<std::int64_t>(negative_ ? 0 - magnitude : magnitude), exact};
}

std::optional<double> Number::to_double() const {
  if (digits_.empty()) return 0.0;
  const std::string text = (negative_ ? "-" : "") + digits_ + "e" + std::to_string(exponent_);
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc{}) return value;
  // Out of range is both too large and too near to zero; the second is zero.
  if (static_cast<std::int64_t>(digits_.size()) + exponent_ > 0) return std::nullopt;
  return 0.0;
}

int compare(const Number& a, const Number& b) {
  auto sign = [](const Number& n) { return n.digits_.empty() ? 0 : n.negative_ ? -1 : 1; };
  if (sign(a) != sign(b)) return sign(a) < sign(b) ? -1 : 1;
  if (sign(a) == 0) return 0;
  const std::int64_t length_a = static_cast<std::int64_t>(a.digits_.size()) + a.exponent_;
  const std::int64_t length_b = static_cast<std::int64_t>(b.digits_.size()) + b.exponent_;
  const int magnitude = length_a != length_b ? (length_a < length_b ? -1 : 1) : a.digits_.compare(b.digits_);
  return a.negative_ ? -magnitude : magnitude;
}

}  // namespace callisto::query
