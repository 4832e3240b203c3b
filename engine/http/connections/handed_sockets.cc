#include "engine/http/connections/handed_sockets.h"

#include "engine/http/accepting.h"
#include "engine/http/listening/socket_address.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace callisto::http {

namespace {

thread_local HandedSockets* on_this_thread = nullptr;
thread_local HandedSockets* waiting_here = nullptr;

// All listeners of the process, by CivetWeb's descriptors.
class Handed {
 public:
  static Handed& all() {
    static Handed instance;
    return instance;
  }
  void add(int descriptor, HandedSockets& owner) {
    const std::lock_guard lock(mutex_);
    owners_.insert_or_assign(descriptor, &owner);
  }
  void remove(int descriptor) {
    const std::lock_guard lock(mutex_);
    owners_.erase(descriptor);
  }
  HandedSockets* owner_of(int descriptor) {
    const std::lock_guard lock(mutex_);
    const auto found = owners_.find(descriptor);
    return found == owners_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<int, HandedSockets*> owners_;
};

void show_as_address(int descriptor, sockaddr* address, socklen_t* size) {
  sockaddr_in shown{};
  shown.sin_family = AF_INET;
  shown.sin_addr.s_addr = htonl(static_cast<std::uint32_t>(descriptor));
  if (!address || !size) return;
  std::memcpy(address, &shown, std::min<std::size_t>(*size, sizeof shown));
  *size = sizeof shown;
}

}  // namespace

HandedSockets::HandedSockets(std::vector<Listener> listeners, Accepted accepted)
    : listeners_(std::move(listeners)),
      stopped_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      accepted_(std::move(accepted)) {
  handed_.reserve(listeners_.size());
}

HandedSockets::~HandedSockets() {
  end();
  stop();
  if (stopped_ >= 0) close(stopped_);
}

HandedSockets* HandedSockets::beginning() { return on_this_thread; }
void HandedSockets::begin() { on_this_thread = this; }
void HandedSockets::end() {
  if (on_this_thread == this) on_this_thread = nullptr;
}

HandedSockets* HandedSockets::waiting() { return waiting_here; }
void HandedSockets::wait_here() { waiting_here = this; }

int HandedSockets::bind_next(int descriptor) {
  if (handed_.size() == listeners_.size()) {
    errno = EADDRNOTAVAIL;
    return -1;
  }
  if (dup3(listeners_[handed_.size()].descriptor(), descriptor, O_CLOEXEC) < 0) return -1;
  handed_.push_back(descriptor);
  Handed::all().add(descriptor, *this);
  return 0;
}

int HandedSockets::accept(int descriptor) {
  sockaddr_storage client{};
  socklen_t size = sizeof client;
  const int accepted = accept4(descriptor, reinterpret_cast<sockaddr*>(&client), &size, SOCK_CLOEXEC);
  if (accepted < 0) return accepted;
  try {
    accepted_(accepted, client_of(client));
    return accepted;
  } catch (...) {
    close(accepted);
    errno = ENOMEM;
    return -1;
  }
}

// CivetWeb looks whether it is to stop when its wait ends, which takes it two seconds where nobody connects.
int HandedSockets::wait(pollfd* asked, nfds_t count, int milliseconds) const {
  std::vector<pollfd> all(asked, asked + count);
  all.push_back({stopped_, POLLIN, 0});
  const timespec patience{milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
  const int ready = ppoll(all.data(), all.size(), milliseconds < 0 ? nullptr : &patience, nullptr);
  if (ready < 0) return ready;
  std::copy_n(all.begin(), count, asked);
  return ready - (all.back().revents != 0 ? 1 : 0);
}

void HandedSockets::forget() {
  for (const int descriptor : std::exchange(handed_, {})) Handed::all().remove(descriptor);
  listeners_.clear();
}

// CivetWeb goes on to poll its descriptors until it is stopped: they become something that never has anything to tell.
// The listening socket itself is left alone, as a service manager may go on with it. A descriptor is ours until then:
// what is accepted from it meanwhile is told to the watch, which closes it.
void HandedSockets::stop() {
  if (stopped_ >= 0) (void)eventfd_write(stopped_, 1);
  const int silent = handed_.empty() ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  for (const int descriptor : handed_) {
    if (silent >= 0) dup3(silent, descriptor, O_CLOEXEC);
    Handed::all().remove(descriptor);
  }
  if (silent >= 0) close(silent);
  handed_.clear();
  listeners_.clear();
}

std::vector<ListenAddress> HandedSockets::addresses() const {
  std::vector<ListenAddress> all;
  for (const Listener& each : listeners_) all.push_back(each.address());
  return all;
}

int descriptor_in(std::string_view civet_address) {
  in_addr address{};
  if (inet_pton(AF_INET, std::string(civet_address).c_str(), &address) != 1) return -1;
  return static_cast<int>(ntohl(address.s_addr));
}

}  // namespace callisto::http

extern "C" int bind(int descriptor, const sockaddr* address, socklen_t size) noexcept {
  using Function = int (*)(int, const sockaddr*, socklen_t);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "bind"));
  auto* const handed = callisto::http::HandedSockets::beginning();
  return handed ? handed->bind_next(descriptor) : next(descriptor, address, size);
}

// CivetWeb looks whether it got what it wanted to bind.
extern "C" int getsockname(int descriptor, sockaddr* address, socklen_t* size) noexcept {
  using Function = int (*)(int, sockaddr*, socklen_t*);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "getsockname"));
  if (!callisto::http::HandedSockets::beginning()) return next(descriptor, address, size);
  callisto::http::show_as_address(descriptor, address, size);
  return 0;
}

extern "C" int accept(int descriptor, sockaddr* address, socklen_t* size) {
  using Function = int (*)(int, sockaddr*, socklen_t*);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "accept"));
  auto* const handed = callisto::http::Handed::all().owner_of(descriptor);
  const int accepted = handed ? handed->accept(descriptor) : next(descriptor, address, size);
  if (accepted < 0) callisto::http::accepting_failed(errno);
  else if (handed) callisto::http::show_as_address(accepted, address, size);
  return accepted;
}

extern "C" int poll(pollfd* asked, nfds_t count, int milliseconds) {
  using Function = int (*)(pollfd*, nfds_t, int);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "poll"));
  auto* const waiting = callisto::http::HandedSockets::waiting();
  return waiting ? waiting->wait(asked, count, milliseconds) : next(asked, count, milliseconds);
}
