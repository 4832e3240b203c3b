// BodyBudget: how much memory the large bodies of all requests may take together while they come and are worked on.
// A Share is one request's part of it. Small bodies take none, so that they touch nothing that others share. Any
// thread; a Share is one request's, and goes before the budget.
#pragma once

#include <atomic>
#include <cstdint>

namespace callisto::http {

class BodyBudget {
 public:
  static constexpr std::uint64_t kSmall = 64 * 1024;

  explicit BodyBudget(std::uint64_t most) : most_(most) {}

  class Share {
   public:
    explicit Share(BodyBudget& budget) : budget_(budget) {}
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() { give_back(); }

    // For a body of `bytes` in all; false where there is no room for it.
    bool grow_to(std::uint64_t bytes) {
      if (bytes <= kSmall || bytes <= taken_) return true;
      if (!budget_.take(bytes - taken_)) return false;
      taken_ = bytes;
      return true;
    }
    void give_back() {
      if (taken_ > 0) budget_.taken_ -= taken_;
      taken_ = 0;
    }

   private:
    BodyBudget& budget_;
    std::uint64_t taken_ = 0;
  };

 private:
  bool take(std::uint64_t bytes) {
    std::uint64_t taken = taken_;
    do {
      if (bytes > most_ - taken) return false;
    } while (!taken_.compare_exchange_weak(taken, taken + bytes));
    return true;
  }

  const std::uint64_t most_;
  std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace callisto::http
