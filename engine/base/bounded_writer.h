// BoundedWriter: lines to a descriptor that perhaps nobody reads. Until start(), add() writes its line itself; from
// then on a thread of its own does, and add() never waits. A line that finds no room is dropped and counted, and so are
// the lines after it until the waiting ones are written and a note has said how many were dropped. A line that cannot
// be written (a full disk, a pipe without a reader) counts as dropped too. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace callisto {

class BoundedWriter {
 public:
  using Note = std::function<std::string(std::uint64_t dropped)>;  // a whole line; empty: none. The thread calls it

  // At most `most_bytes` wait. The descriptor stays the caller's and open as long as this and its thread, which one
  // that nobody reads holds until the process ends.
  BoundedWriter(int descriptor, std::size_t most_bytes, Note note);
  ~BoundedWriter();  // what waits is lost: flush() first
  BoundedWriter(const BoundedWriter&) = delete;
  BoundedWriter& operator=(const BoundedWriter&) = delete;

  bool start();  // false: there is no thread to be had, and all stays as it was
  // Whole lines. What is not urgent may wait for company, a fifth of a second at most.
  void add(std::string_view lines, bool urgent);
  // Until all that was added is out, but no longer than `patience` in which nothing goes out.
  void flush(std::chrono::milliseconds patience);
  std::uint64_t dropped() const;  // lines, since the beginning

 private:
  struct State;
  const std::shared_ptr<State> state_;  // the thread's as well
};

}  // namespace callisto
