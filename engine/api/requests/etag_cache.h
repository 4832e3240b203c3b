// EtagCache: which ETag a session's last answer at a url had, so that a 304 need not make that answer again. An entry
// is valid for the state of the database that the answer was made from, and for a second at most, since rules may
// depend on the time. A new entry replaces the oldest of the four that share its lock. Very long urls are not kept. Any
// thread.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::api {

class EtagCache {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds longest{1};

  // `commits`: see storage::Connection::commits.
  std::optional<std::string> find(std::string_view key, std::uint64_t commits, Clock::time_point now) {
    Set& set = set_of(key);
    const std::lock_guard lock(set.mutex);
    for (const Entry& entry : set.entries)
      if (entry.key == key && entry.commits == commits && now - entry.made < longest) return entry.etag;
    return std::nullopt;
  }

  void put(std::string key, std::string etag, std::uint64_t commits, Clock::time_point made) {
    if (key.size() > longest_key) return;
    Set& set = set_of(key);
    const std::lock_guard lock(set.mutex);
    const auto same =
        std::find_if(set.entries.begin(), set.entries.end(), [&](auto& entry) { return entry.key == key; });
    const auto oldest = std::min_element(set.entries.begin(), set.entries.end(),
                                         [](const Entry& a, const Entry& b) { return a.made < b.made; });
    *(same != set.entries.end() ? same : oldest) = {std::move(key), std::move(etag), commits, made};
  }

 private:
  struct Entry {
    std::string key, etag;
    std::uint64_t commits = 0;
    Clock::time_point made;
  };
  struct Set {
    std::mutex mutex;
    std::array<Entry, 4> entries;
  };
  static constexpr std::size_t count = 1024, longest_key = 1024;

  Set& set_of(std::string_view key) { return sets_[std::hash<std::string_view>{}(key) % count]; }

  std::vector<Set> sets_{count};
};

}  // namespace callisto::api
