#include "engine/http/connections/connection_watch.h"

#include "engine/http/connections/sockets.h"

#include <utility>

namespace callisto::http {

void Worker::begin_connection() { ended_ = false; }

void Worker::end_connection() {
  waiting_since_ = never;
  const std::lock_guard lock(mutex_);
  peer_.clear();
}

void Worker::begin_request(std::string_view address, int port) {
  waiting_since_ = never;
  const std::lock_guard lock(mutex_);
  if (peer_.empty()) peer_.append(address).append(":").append(std::to_string(port));
}

Worker& ConnectionWatch::add_worker() {
  const std::lock_guard lock(mutex_);
  return workers_.emplace_back();
}

void ConnectionWatch::look(int port, bool may_be_crowded) {
  const auto now = Clock::now();
  const Workers known = workers(now);
  quiet_before_ = std::exchange(quiet_, {});
  if (!known.overdue && !may_be_crowded) return;
  const auto connections = connections_of(port);
  const auto latest = now - patience(connections.size());
  const auto latest_due = is_full(connections.size()) ? now + limits_.body_haste : now;
  for (const Connection& each : connections) {
    const auto found = known.by_peer.find(each.peer);
    Worker* const worker = found == known.by_peer.end() ? nullptr : found->second;
    // What has come and was not read yet waits for us.
    const auto since = has_unread(each) ? now : worker ? worker->waiting_since_.load() : quiet_since(each.peer, now);
    const bool overdue = worker && worker->body_due_.load() < latest_due;
    if (overdue || since < latest) end(each, worker);
  }
}

void ConnectionWatch::end(const Connection& connection, Worker* worker) {
  if (worker) worker->ended_ = true;  // first: it asks as soon as reading has ended
  if (!end_reading(connection) && worker) worker->ended_ = false;
}

ConnectionWatch::Workers ConnectionWatch::workers(Clock::time_point now) {
  Workers found;
  const std::lock_guard lock(mutex_);
  for (Worker& worker : workers_) {
    const std::lock_guard naming(worker.mutex_);
    if (worker.peer_.empty()) continue;
    found.overdue |= worker.body_due_.load() < now;
    found.by_peer.emplace(worker.peer_, &worker);
  }
  return found;
}

Clock::duration ConnectionWatch::patience(std::size_t connections) const {
  if (is_full(connections)) return limits_.full;
  return connections * 4 > static_cast<std::size_t>(limits_.threads) * 3 ? limits_.crowded : std::chrono::hours(24);
}

Clock::time_point ConnectionWatch::quiet_since(const std::string& peer, Clock::time_point now) {
  const auto before = quiet_before_.find(peer);
  return quiet_.emplace(peer, before == quiet_before_.end() ? now : before->second).first->second;
}

}  // namespace callisto::http
