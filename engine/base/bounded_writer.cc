#include "engine/base/bounded_writer.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace callisto {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds company(200);  // that a line which is not urgent waits
constexpr std::chrono::milliseconds retry(200);    // after a write that failed
constexpr std::size_t enough = 64 * 1024;          // of such lines, and of one write

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

bool can_wait_for_room(int descriptor) {
  pollfd wait{descriptor, POLLOUT, 0};
  return errno == EAGAIN && poll(&wait, 1, -1) == 1 && (wait.revents & POLLOUT) != 0;
}

}  // namespace

struct BoundedWriter::State {
  State(int the_descriptor, std::size_t most_bytes, Note the_note)
      : descriptor(the_descriptor), most(most_bytes), note(std::move(the_note)) {}

  void add(std::string_view lines, bool urgent);
  void run();
  void take_turn(std::unique_lock<std::mutex>& lock);
  std::size_t write(std::string_view text);
  bool is_idle() const { return held.empty() && going_out == 0; }

  const int descriptor;
  const std::size_t most;
  const Note note;

  std::mutex mutex;
  std::condition_variable wake, moved;
  bool has_thread = false, stopping = false;
  std::string held;
  std::size_t going_out = 0;  // bytes that the thread writes at the moment
  Clock::time_point due = Clock::time_point::max();
  std::uint64_t dropped = 0, told = 0;
  std::uint64_t writes = 0;  // that got something through

  bool is_cut = false;  // of who writes: the last line that went out lacks its end
};

BoundedWriter::BoundedWriter(int descriptor, std::size_t most_bytes, Note note)
    : state_(std::make_shared<State>(descriptor, most_bytes, std::move(note))) {}

BoundedWriter::~BoundedWriter() {
  const std::lock_guard lock(state_->mutex);
  state_->stopping = true;
  state_->wake.notify_one();
}

bool BoundedWriter::start() {
  const std::lock_guard lock(state_->mutex);
  if (state_->has_thread) return true;
  try {
    std::thread([state = state_] { state->run(); }).detach();
  } catch (const std::system_error&) { return false; }
  return state_->has_thread = true;
}

void BoundedWriter::add(std::string_view lines, bool urgent) { state_->add(lines, urgent); }

void BoundedWriter::flush(std::chrono::milliseconds patience) {
  std::unique_lock lock(state_->mutex);
  if (!state_->has_thread) return;
  state_->due = Clock::time_point::min();
  state_->wake.notify_one();
  for (std::uint64_t seen = state_->writes; !state_->is_idle(); seen = state_->writes)
    if (!state_->moved.wait_for(lock, patience, [&] { return state_->is_idle() || state_->writes != seen; })) return;
}

std::uint64_t BoundedWriter::dropped() const {
  const std::lock_guard lock(state_->mutex);
  return state_->dropped;
}

void BoundedWriter::State::add(std::string_view lines, bool urgent) {
  const std::lock_guard lock(mutex);
  if (!has_thread) {
    if (write(lines) < lines.size()) dropped += lines_in(lines);
    return;
  }
  if (dropped > told || held.size() + going_out + lines.size() > most) {
    dropped += lines_in(lines);
    return;
  }
  if (held.empty()) due = Clock::now() + company;
  held += lines;
  if (urgent || held.size() >= enough) due = Clock::time_point::min();
  if (urgent || held.size() >= enough || held.size() == lines.size()) wake.notify_one();
}

void BoundedWriter::State::run() {
  std::unique_lock lock(mutex);
  while (!stopping) {
    if (held.empty() && dropped == told) {
      wake.wait(lock);
    } else if (!held.empty() && due > Clock::now()) {
      wake.wait_until(lock, due);
    } else {
      take_turn(lock);
    }
  }
}

void BoundedWriter::State::take_turn(std::unique_lock<std::mutex>& lock) {
  const std::uint64_t telling = held.empty() ? dropped - told : 0;
  std::string out = std::exchange(held, {});
  going_out = out.size();
  lock.unlock();
  if (telling > 0) out = note(telling);
  const std::size_t done = write(out);
  lock.lock();
  going_out = 0;
  const bool failed = done < out.size();
  if (!failed) told += telling;
  else if (telling == 0) dropped += lines_in(std::string_view(out).substr(done));
  ++writes;
  moved.notify_all();
  if (failed) wake.wait_for(lock, retry, [this] { return stopping; });
}

// How much of it went out. A line that was cut short before is ended first.
std::size_t BoundedWriter::State::write(std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const std::string_view next = is_cut && done == 0 ? std::string_view("\n") : text.substr(done, enough);
    const auto count = ::write(descriptor, next.data(), next.size());
    if (count < 0 && (errno == EINTR || can_wait_for_room(descriptor))) continue;
    if (count <= 0) break;
    if (is_cut && done == 0) {
      is_cut = false;
      continue;
    }
    done += static_cast<std::size_t>(count);
  }
  if (done > 0) is_cut = text[done - 1] != '\n';
  return done;
}

}  // namespace callisto
