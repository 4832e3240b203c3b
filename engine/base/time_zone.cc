#include "engine/base/time_zone.h"

#include "engine/base/text.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace callisto {

namespace {

namespace chrono = std::chrono;

constexpr std::int64_t one_day = 86400;
constexpr std::int64_t cycle = 146097 * one_day;  // 400 years, after which days, leap years and weekdays come again
constexpr std::int64_t farthest = 26 * 3600;      // beyond every offset that a file or a text can hold

int year_of(std::int64_t seconds) {
  const auto days = chrono::floor<chrono::days>(chrono::sys_seconds(chrono::seconds(seconds)));
  return static_cast<int>(chrono::year_month_day(days).year());
}

std::int64_t begin_of(int year) {
  return chrono::sys_days(chrono::year(year) / 1 / 1).time_since_epoch().count() * one_day;
}

// Big-endian numbers off the front of a file; reads zeros behind its end, which is asked for once.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  bool ran_out() const { return ran_out_; }
  std::string_view rest() const { return bytes_; }
  std::string_view take(std::size_t size) {
    ran_out_ = ran_out_ || size > bytes_.size();
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(taken.size());
    return taken;
  }
  std::int64_t number(std::size_t size) {
    const std::string_view digits = take(size);
    std::uint64_t number = !digits.empty() && (digits[0] & 0x80) != 0 ? ~std::uint64_t{0} : 0;
    for (const char c : digits) number = (number << 8) | static_cast<unsigned char>(c);
    return static_cast<std::int64_t>(number);
  }

 private:
  std::string_view bytes_;
  bool ran_out_ = false;
};

// RFC 9636 3.1.
struct Header {
  explicit Header(Bytes& in) {
    is_tzif = in.take(4) == "TZif";
    version = in.take(1);
    in.take(15);
    for (std::int64_t* count : {&utc_flags, &standard_flags, &leaps, &times, &types, &characters})
      *count = in.number(4) & 0xFFFFFFFF;
  }
  std::size_t size(std::int64_t time_size) const {
    return static_cast<std::size_t>(times * (time_size + 1) + types * 6 + characters + leaps * (time_size + 4) +
                                    standard_flags + utc_flags);
  }

  bool is_tzif = false;
  std::string_view version;
  std::int64_t utc_flags = 0, standard_flags = 0, leaps = 0, times = 0, types = 0, characters = 0;
};

std::string database() {
  const char* folder = std::getenv("TZDIR");
  return folder && *folder ? folder : "/usr/share/zoneinfo";
}

// No name leads out of the database.
bool is_zone_name(std::string_view name) {
  for (const std::string_view part : text::split(name, '/')) {
    const bool is_plain = std::all_of(part.begin(), part.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '+';
    });
    if (part.empty() || !is_plain) return false;
  }
  return true;
}

// +01:00
std::optional<std::int64_t> read_offset(std::string_view text) {
  constexpr std::string_view form = "+00:00";
  if (text.size() != form.size() || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  for (const std::size_t at : {1U, 2U, 4U, 5U})
    if (text[at] < '0' || text[at] > '9') return std::nullopt;
  const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + (text[at + 1] - '0'); };
  if (two(1) > 23 || two(4) > 59) return std::nullopt;
  return (two(1) * 60 + two(4)) * 60 * (text[0] == '-' ? -1 : 1);
}

}  // namespace

const TimeZone& TimeZone::local() {
  static const TimeZone zone = [] {
    if (const char* variable = std::getenv("TZ")) return of_variable(variable);
    return from_file("/etc/localtime").value_or(TimeZone());
  }();
  return zone;
}

TimeZone TimeZone::of_variable(std::string_view text) {
  if (text.starts_with(':')) text.remove_prefix(1);
  if (text.empty()) return TimeZone();
  const std::string path = (text.starts_with('/') ? "" : database() + "/") + std::string(text);
  if (auto zone = from_file(path)) return *std::move(zone);
  TimeZone zone;
  if (const auto rule = read_zone_rule(text)) zone.follow(*rule);
  return zone;
}

Result<TimeZone> TimeZone::named(std::string_view name) {
  if (name == "UTC") return TimeZone();
  if (const auto offset = read_offset(name)) return TimeZone(*offset);
  if (is_zone_name(name))
    if (auto zone = from_file(database() + "/" + std::string(name))) return *std::move(zone);
  return bad_format(text::quoted(name) + " is no time zone of " + database() +
                    ": write an IANA name such as Europe/Vienna, UTC, or an offset such as +01:00");
}

std::optional<TimeZone> TimeZone::from_file(const std::string& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, error)) return std::nullopt;  // Europe is a folder
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return from_bytes(bytes);
}

// RFC 9636 3: a block of 32-bit times for old readers, one of 64-bit times, and the rule for all times behind them.
std::optional<TimeZone> TimeZone::from_bytes(std::string_view bytes) {
  Bytes in(bytes);
  const Header old(in);
  if (!old.is_tzif || old.version < "2") return std::nullopt;
  in.take(old.size(4));
  const Header header(in);
  Bytes times(in.take(static_cast<std::size_t>(header.times) * 8));
  Bytes types(in.take(static_cast<std::size_t>(header.times)));
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < header.types && !in.ran_out(); ++i) {
    offsets.push_back(in.number(4));
    in.take(2);
  }
  if (in.ran_out() || offsets.empty()) return std::nullopt;

  TimeZone zone(offsets[0]);
  for (std::int64_t i = 0; i < header.times; ++i) {
    const auto type = static_cast<std::size_t>(types.number(1) & 0xFF);
    if (type >= offsets.size()) return std::nullopt;
    zone.changes_.push_back({times.number(8), offsets[type]});
  }
  in.take(header.size(8) - static_cast<std::size_t>(header.times * 9 + header.types * 6));
  const std::string_view rule_text = text::trim(in.rest());
  if (const auto rule = read_zone_rule(rule_text)) zone.follow(*rule);
  return zone;
}

// The changes of the rule behind those that are there.
void TimeZone::follow(const ZoneRule& rule) {
  if (!rule.summer) {
    if (changes_.empty()) first_offset_ = rule.offset;
    return;
  }
  const bool is_alone = changes_.empty();
  const std::int64_t last = is_alone ? begin_of(1) : changes_.back().at;
  if (is_alone) first_offset_ = rule.offset;
  const int from = year_of(last);
  std::vector<Change> following;
  for (int year = from; year <= from + 402; ++year) {
    following.push_back({rule.summer->begin.wall_in(year) - rule.offset, rule.summer->offset});
    following.push_back({rule.summer->end.wall_in(year) - rule.summer->offset, rule.offset});
  }
  std::stable_sort(following.begin(), following.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
  std::copy_if(following.begin(), following.end(), std::back_inserter(changes_),
               [&](const Change& change) { return is_alone || change.at > last; });
  repeats_from_ = begin_of(from + 1);
}

std::int64_t TimeZone::whole_cycles(std::int64_t seconds) const {
  if (!repeats_from_ || seconds < *repeats_from_) return 0;
  return (seconds - *repeats_from_) / cycle * cycle;
}

std::int64_t TimeZone::offset_at(std::int64_t utc) const {
  utc -= whole_cycles(utc);
  const auto next = std::upper_bound(changes_.begin(), changes_.end(), utc,
                                     [](std::int64_t at, const Change& change) { return at < change.at; });
  return next == changes_.begin() ? first_offset_ : std::prev(next)->offset;
}

std::int64_t TimeZone::to_utc(std::int64_t wall) const {
  const std::int64_t cycles = whole_cycles(wall);
  wall -= cycles;
  auto next = std::upper_bound(changes_.begin(), changes_.end(), wall - farthest,
                               [](std::int64_t at, const Change& change) { return at < change.at; });
  std::int64_t utc = wall - (next == changes_.begin() ? first_offset_ : std::prev(next)->offset);
  for (; next != changes_.end() && utc >= next->at; ++next) {
    const std::int64_t behind = wall - next->offset;
    if (behind < next->at) break;  // the change leaps over this time
    utc = behind;
  }
  return utc + cycles;
}

}  // namespace callisto
