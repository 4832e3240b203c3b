// EtagCache: which ETag a session's last answer at a url had, so that a 304 need not make that answer again. It holds
// for the state of the database that the answer was made of, and for a second at most, since rules may ask for the
// time. A newer answer takes the place of another in its slot. Any thread.
#pragma once

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
    Entry& entry = entry_of(key);
    const std::lock_guard lock(mutex_of(entry));
    if (entry.key != key || entry.commits != commits || now - entry.made >= longest) return std::nullopt;
    return entry.etag;
  }

  void put(std::string key, std::string etag, std::uint64_t commits, Clock::time_point made) {
    Entry& entry = entry_of(key);
    const std::lock_guard lock(mutex_of(entry));
    entry = {std::move(key), std::move(etag), commits, made};
  }

 private:
  struct Entry {
    std::string key, etag;
    std::uint64_t commits = 0;
    Clock::time_point made;
  };
  static constexpr std::size_t capacity = 4096;

  Entry& entry_of(std::string_view key) { return entries_[std::hash<std::string_view>{}(key) % capacity]; }
  std::mutex& mutex_of(const Entry& entry) {
    return mutexes_[static_cast<std::size_t>(&entry - entries_.data()) % mutexes_.size()];
  }

  std::vector<Entry> entries_{capacity};
  std::array<std::mutex, 16> mutexes_;
};

}  // namespace callisto::api
