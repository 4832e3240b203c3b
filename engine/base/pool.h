// FairPool: a fixed set of items lent out one at a time, in the order of fair_turns.h. Owns its items; any thread may
// borrow; a Lease gives its item back when it is destroyed.
#pragma once

#include "engine/base/fair_turns.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace callisto {

template <typename T>
class FairPool {
 public:
  using Owner = FairTurns::Owner;
  using Turn = FairTurns::Turn;
  using Clock = FairTurns::Clock;

  class Lease {
   public:
    Lease() = default;
    Lease(FairPool* pool, T* item, Owner owner) : pool_(pool), item_(item), owner_(owner), since_(Clock::now()) {}
    Lease(Lease&& other) noexcept { swap(other); }
    Lease& operator=(Lease&& other) noexcept {
      release();
      swap(other);
      return *this;
    }
    ~Lease() { release(); }
    void release() {
      if (item_) pool_->give_back(std::exchange(item_, nullptr), owner_, since_);
    }
    explicit operator bool() const { return item_ != nullptr; }
    T& operator*() const { return *item_; }
    T* operator->() const { return item_; }
    // How long one thing that its owner has to wait for may take, after all that he has had lately.
    std::chrono::milliseconds patience() const { return pool_->patience_with(owner_, since_); }

   private:
    void swap(Lease& other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(item_, other.item_);
      std::swap(owner_, other.owner_);
      std::swap(since_, other.since_);
    }
    FairPool* pool_ = nullptr;
    T* item_ = nullptr;
    Owner owner_ = FairTurns::nobody;
    Clock::time_point since_;
  };

  void add(std::unique_ptr<T> item) {
    std::unique_lock lock(mutex_);
    free_.push_back(item.get());
    items_.push_back(std::move(item));
    turns_.add_place();
    hand_on(lock);
  }

  // An empty Lease where `owner` would have to wait.
  Lease try_borrow(Owner owner) {
    const std::lock_guard lock(mutex_);
    return turns_.take(owner, Clock::now()) ? Lease(this, take_free(), owner) : Lease();
  }

  // An empty Lease when it was nobody's turn within `patience`.
  Lease borrow(Owner owner, std::chrono::milliseconds patience, Turn turn = Turn::Last) {
    std::unique_lock lock(mutex_);
    if (turns_.take(owner, Clock::now())) return Lease(this, take_free(), owner);
    FairTurns::Waiter self;
    self.owner = owner;
    self.turn = turn;
    turns_.wait(self);
    lock.unlock();
    if (!self.arrived.wait_for(patience)) {
      lock.lock();
      if (turns_.give_up(self)) return {};
      lock.unlock();
      self.arrived.wait();  // it is on its way
    }
    return Lease(this, static_cast<T*>(self.item), owner);
  }

  // Nobody but `owner` holds an item, or has asked for one lately.
  bool is_alone(Owner owner) const {
    const std::lock_guard lock(mutex_);
    return turns_.is_alone(owner, Clock::now());
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return items_.size();
  }
  std::size_t free() const {
    const std::lock_guard lock(mutex_);
    return free_.size();
  }
  std::size_t waiting() const {
    const std::lock_guard lock(mutex_);
    return turns_.waiting();
  }

 private:
  T* take_free() {
    T* const item = free_.back();
    free_.pop_back();
    return item;
  }
  void give_back(T* item, Owner owner, Clock::time_point since) {
    std::unique_lock lock(mutex_);
    const auto now = Clock::now();
    free_.push_back(item);
    turns_.give_back(owner, now - since, now);
    hand_on(lock);
  }
  // More than one may go on at once: whose long work is forgotten meanwhile has room again.
  void hand_on(std::unique_lock<std::mutex>& lock) {
    while (FairTurns::Waiter* const next = turns_.waiting() == 0 ? nullptr : turns_.next(Clock::now())) {
      next->item = take_free();
      lock.unlock();
      next->arrived.tell();
      lock.lock();
    }
  }
  std::chrono::milliseconds patience_with(Owner owner, Clock::time_point now) const {
    const std::lock_guard lock(mutex_);
    return turns_.patience_with(owner, now);
  }

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<T>> items_;
  std::vector<T*> free_;
  FairTurns turns_;
};

}  // namespace callisto
