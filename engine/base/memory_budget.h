// MemoryBudget: how much memory the large things of many requests, such as bodies or answers, may take together. A
// Share is the part that one of them has taken. Small things take none, so they touch no shared state. Any thread; a
// Share belongs to one thread at a time, and is destroyed before the budget.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace callisto {

class MemoryBudget {
 public:
  static constexpr std::uint64_t small = 64 * 1024;  // bytes

  explicit MemoryBudget(std::uint64_t most) : most_(most) {}
  std::uint64_t most() const { return most_; }
  std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

  class Share {
   public:
    Share() = default;  // of no budget: it has room for everything
    explicit Share(MemoryBudget& budget) : budget_(&budget) {}
    Share(Share&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), taken_(std::exchange(other.taken_, 0)) {}
    Share& operator=(Share&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(taken_, other.taken_);
      return *this;
    }
    ~Share() { give_back(); }

    // For `bytes` in all; false where there is no room for them.
    bool grow_to(std::uint64_t bytes) {
      if (!budget_ || bytes <= small || bytes <= taken_) return true;
      if (!budget_->take(bytes - taken_)) return false;
      taken_ = bytes;
      return true;
    }
    void shrink_to(std::uint64_t bytes) {
      const std::uint64_t kept = bytes <= small ? 0 : bytes;
      if (kept >= taken_) return;
      budget_->taken_ -= taken_ - kept;
      taken_ = kept;
    }
    void give_back() {
      if (taken_ > 0) budget_->taken_ -= taken_;
      taken_ = 0;
    }

   private:
    MemoryBudget* budget_ = nullptr;
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

}  // namespace callisto
