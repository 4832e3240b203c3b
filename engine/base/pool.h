// FifoPool: a fixed set of slots lent out one at a time in order of arrival (performance.md 2: hand-over to the longest
// waiter keeps the tail short). Owns its items; any thread may borrow; a Lease gives its item back when it goes.
#pragma once

#include "engine/base/arrival.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace callisto {

template <typename T>
class FifoPool {
 public:
  class Lease {
   public:
    Lease() = default;
    Lease(FifoPool* pool, T* item) : pool_(pool), item_(item) {}
    Lease(Lease&& other) noexcept : pool_(other.pool_), item_(std::exchange(other.item_, nullptr)) {}
    Lease& operator=(Lease&& other) noexcept {
      release();
      pool_ = other.pool_;
      item_ = std::exchange(other.item_, nullptr);
      return *this;
    }
    ~Lease() { release(); }
    void release() {
      if (item_) pool_->give_back(std::exchange(item_, nullptr));
    }
    explicit operator bool() const { return item_ != nullptr; }
    T& operator*() const { return *item_; }
    T* operator->() const { return item_; }

   private:
    FifoPool* pool_ = nullptr;
    T* item_ = nullptr;
  };

  void add(std::unique_ptr<T> item) {
    T* raw = item.get();
    {
      std::lock_guard lock(mutex_);
      items_.push_back(std::move(item));
    }
    give_back(raw);
  }

  enum class Turn { Last, Next };  // Next: of one who has waited for his turn before

  // An empty Lease when nothing came free within `patience`.
  Lease borrow(std::chrono::milliseconds patience, Turn turn = Turn::Last) {
    std::unique_lock lock(mutex_);
    if (waiters_.empty() && !free_.empty()) {
      T* item = free_.back();
      free_.pop_back();
      return Lease(this, item);
    }
    Waiter self;
    if (turn == Turn::Next) waiters_.insert(waiters_.begin() + next_++, &self);
    else waiters_.push_back(&self);
    lock.unlock();
    if (!self.arrived.wait_for(patience)) {
      lock.lock();
      if (std::erase(waiters_, &self) > 0) {
        if (turn == Turn::Next) --next_;
        return {};
      }
      lock.unlock();
      self.arrived.wait();  // it is on its way
    }
    return Lease(this, self.item);
  }

  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return items_.size();
  }
  std::size_t free() const {
    std::lock_guard lock(mutex_);
    return free_.size();
  }
  std::size_t waiting() const {
    std::lock_guard lock(mutex_);
    return waiters_.size();
  }

 private:
  struct Waiter {
    Arrival arrived;
    T* item = nullptr;
  };

  void give_back(T* item) {
    std::unique_lock lock(mutex_);
    if (waiters_.empty()) {
      free_.push_back(item);
      return;
    }
    Waiter* first = waiters_.front();
    waiters_.pop_front();
    if (next_ > 0) --next_;
    first->item = item;
    lock.unlock();
    first->arrived.tell();
  }

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<T>> items_;
  std::vector<T*> free_;
  std::deque<Waiter*> waiters_;
  std::ptrdiff_t next_ = 0;  // of these, in front, those whose turn is Next
};

}  // namespace callisto
