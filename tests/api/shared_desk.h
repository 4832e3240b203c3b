// SharedDesk: the one desk of all tests of a source, which only read it or add to it. It ends when tests of another
// source ask for theirs: a program that kept them all would hold dozens of servers, and sanitized ones fill the memory
// of a machine. Any thread.
#pragma once

#include "desk.h"

#include <memory>
#include <mutex>

namespace callisto::tests {

class SharedDesk {
 public:
  const Desk& get() {
    static std::mutex mutex;
    static SharedDesk* last = nullptr;
    const std::lock_guard lock(mutex);
    if (last && last != this) last->desk_.reset();
    last = this;
    if (!desk_) desk_ = std::make_unique<const Desk>();
    return *desk_;
  }

 private:
  std::unique_ptr<const Desk> desk_;
};

}  // namespace callisto::tests
