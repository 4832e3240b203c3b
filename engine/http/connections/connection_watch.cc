#include "engine/http/connections/connection_watch.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace callisto::http {

namespace {

// The number of an open socket; 0: the descriptor is none.
ino_t socket_of(int descriptor) {
  struct stat found {};
  return fstat(descriptor, &found) == 0 && S_ISSOCK(found.st_mode) ? found.st_ino : 0;
}

bool has_unread(int descriptor) {
  int bytes = 0;
  return ioctl(descriptor, FIONREAD, &bytes) == 0 && bytes > 0;
}

// False where the descriptor was closed meanwhile, and may be that of something else by now.
bool end_reading_from(int descriptor, ino_t socket) {
  // A second descriptor of the same socket: nothing can take its number between the look and the end.
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return false;
  const bool ended = socket_of(own) == socket && shutdown(own, SHUT_RD) == 0;
  close(own);
  return ended;
}

}  // namespace

void Worker::end_connection() {
  waiting_since_ = never;
  client_.clear();
}

Worker& ConnectionWatch::add_worker() {
  const std::lock_guard lock(mutex_);
  return workers_.emplace_back();
}

void ConnectionWatch::accepted(int descriptor, std::string client) {
  const std::lock_guard lock(mutex_);
  open_.insert_or_assign(descriptor, Open{socket_of(descriptor), std::move(client)});
}

void ConnectionWatch::begin_request(Worker& worker, int descriptor) {
  worker.waiting_since_ = Worker::never;
  if (!worker.client_.empty()) return;
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(descriptor);
  if (found == open_.end()) return;
  found->second.worker = &worker;
  worker.client_ = found->second.client;
}

void ConnectionWatch::look(bool may_be_crowded) {
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  ++looks_;
  if (!may_be_crowded && !is_a_body_overdue(now)) return;
  forget_closed();
  const auto latest = now - patience(open_.size());
  const auto latest_due = is_full(open_.size()) ? now + limits_.body_haste : now;
  for (auto& [descriptor, each] : open_) {
    Worker* const worker = each.worker;
    // What has come and was not read yet waits for us.
    const auto since = has_unread(descriptor) ? now : worker ? worker->waiting_since_.load() : quiet_since(each, now);
    const bool overdue = worker && worker->body_due_.load() < latest_due;
    if (!overdue && since >= latest) continue;
    if (worker) worker->ended_ = true;  // first: it asks as soon as reading has ended
    if (!end_reading_from(descriptor, each.socket) && worker) worker->ended_ = false;
  }
}

void ConnectionWatch::end_reading() {
  const std::lock_guard lock(mutex_);
  for (const auto& [descriptor, each] : open_) end_reading_from(descriptor, each.socket);
}

void ConnectionWatch::close_left() {
  const std::lock_guard lock(mutex_);
  forget_closed();
  for (const auto& [descriptor, each] : open_) close(descriptor);
  open_.clear();
}

bool ConnectionWatch::is_a_body_overdue(Clock::time_point now) const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [now](const Worker& worker) { return worker.body_due_.load() < now; });
}

void ConnectionWatch::forget_closed() {
  std::erase_if(open_, [](const auto& each) { return socket_of(each.first) != each.second.socket; });
}

Clock::duration ConnectionWatch::patience(std::size_t connections) const {
  if (is_full(connections)) return limits_.full;
  return connections * 4 > static_cast<std::size_t>(limits_.threads) * 3 ? limits_.crowded : std::chrono::hours(24);
}

Clock::time_point ConnectionWatch::quiet_since(Open& open, Clock::time_point now) const {
  if (open.seen_quiet + 1 != looks_) open.quiet_since = now;
  open.seen_quiet = looks_;
  return open.quiet_since;
}

}  // namespace callisto::http
