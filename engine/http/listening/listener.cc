#include "engine/http/listening/listener.h"

#include "engine/base/text.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

namespace callisto::http {

namespace {

// The kernel keeps a connection to itself until its first byte, so that clients that connect and stay silent take no
// thread; after this time it is handed over all the same.
constexpr int silence_seconds = 60;
constexpr int most_tries = 16;  // to find one port for all addresses of a name

using Found = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Error cannot_listen(const ListenAddress& address, const std::string& why) {
  return bad_format("Cannot listen on " + to_string(address) + ": " + why);
}

std::string mend_of(const ListenAddress& address, int reason) {
  switch (reason) {
    case EACCES:
    case EPERM:
      return "this user may not listen on ports below 1024. Choose a higher port and let a proxy listen there, or give "
             "the right (CAP_NET_BIND_SERVICE; net.ipv4.ip_unprivileged_port_start).";
    case EADDRINUSE:
      return "another program uses this port. Stop it, or choose another with the setting 'listen' (port 0 picks a "
             "free one).";
    case EADDRNOTAVAIL:
      return text::quoted(address.host) +
             " is no address of this machine. Write one that is, [::] for all of them or 0.0.0.0 for those of IPv4.";
    case EAFNOSUPPORT:
      return "this machine has no IPv6. Write an address of IPv4, such as 0.0.0.0 for all of them.";
    case EINVAL:
      if (address.host.starts_with("fe80:"))
        return "a link-local address needs its network interface. Write it behind '%', such as [fe80::1%eth0]:8080.";
      [[fallthrough]];
    default:
      return std::string(std::strerror(reason)) + ".";
  }
}

Result<Found> addresses_of(const ListenAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int unknown = getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (unknown == 0) return Found(found, freeaddrinfo);
  const bool has_zone = address.host.find('%') != address.host.npos;
  return cannot_listen(address, text::quoted(address.host) + " is no address and no name that this machine knows (" +
                                    gai_strerror(unknown) + "). " +
                                    (has_zone ? "What stands behind '%' must be one of its network interfaces."
                                              : "Write an address of this machine, [::] for all of them or 0.0.0.0 "
                                                "for those of IPv4."));
}

void set(int descriptor, int level, int option, int value) {
  setsockopt(descriptor, level, option, &value, sizeof value);
}

void set_for_tcp(int descriptor) {
  set(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);  // connections have what their listener has
  set(descriptor, IPPROTO_TCP, TCP_DEFER_ACCEPT, silence_seconds);
}

int port_of(int descriptor) {
  sockaddr_in6 address{};  // as large as both, with the port of both in one place
  socklen_t size = sizeof address;
  return getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? ntohs(address.sin6_port) : 0;
}

// 0, or why not.
int begin_listening(int descriptor, const addrinfo& at, int port, bool only_v6) {
  sockaddr_storage address{};
  std::memcpy(&address, at.ai_addr, at.ai_addrlen);
  reinterpret_cast<sockaddr_in6*>(&address)->sin6_port = htons(static_cast<in_port_t>(port));
  set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1);
  if (at.ai_family == AF_INET6) set(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, only_v6 ? 1 : 0);
  set_for_tcp(descriptor);
  const bool done = bind(descriptor, reinterpret_cast<const sockaddr*>(&address), at.ai_addrlen) == 0 &&
                    listen(descriptor, listen_backlog) == 0;
  return done ? 0 : errno;
}

bool is_same(const addrinfo& one, const addrinfo& other) {
  return one.ai_addrlen == other.ai_addrlen && std::memcmp(one.ai_addr, other.ai_addr, one.ai_addrlen) == 0;
}

// /etc/hosts may name an address twice.
bool stands_before(const addrinfo* found, const addrinfo& one) {
  for (; found != &one; found = found->ai_next)
    if (is_same(*found, one)) return true;
  return false;
}

// One socket for each address of a name, all with one port. `reason`: why there is none; 0: there are.
std::vector<Listener> try_to_listen(const ListenAddress& address, const addrinfo* found, bool only_v6, int& reason) {
  std::vector<Listener> listeners;
  ListenAddress had = address;
  for (const addrinfo* at = found; at; at = at->ai_next) {
    if (stands_before(found, *at)) continue;
    const int descriptor = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int why = descriptor < 0 ? errno : begin_listening(descriptor, *at, had.port, only_v6);
    if (why == 0) {
      had.port = port_of(descriptor);
      listeners.emplace_back(descriptor, had);
      continue;
    }
    if (descriptor >= 0) close(descriptor);
    reason = why;
    // A name may have an address that this machine lacks: that of IPv6 where it is off.
    if (why != EADDRNOTAVAIL && why != EAFNOSUPPORT) return {};
  }
  if (!listeners.empty()) reason = 0;
  return listeners;
}

bool has_port(const std::vector<Listener>& listeners, const ListenAddress& address, const ListenAddress*& holder) {
  for (const Listener& each : listeners) {
    if (each.address().is_unix() || address.port == 0 || each.address().port != address.port) continue;
    holder = &each.address();
    return true;
  }
  return false;
}

bool is_all_of_v4(const ListenAddress& address) { return address.host == "0.0.0.0"; }

Result<std::vector<Listener>> listen_on_host(const ListenAddress& address, const std::vector<Listener>& before,
                                             bool only_v6) {
  CALLISTO_TRY(const Found found, addresses_of(address));
  int reason = EADDRINUSE;
  for (int tries = 0; reason == EADDRINUSE && tries < (address.port == 0 ? most_tries : 1); ++tries)
    if (auto listeners = try_to_listen(address, found.get(), only_v6, reason); !listeners.empty()) return listeners;
  const ListenAddress* holder = nullptr;
  if (reason == EADDRINUSE && has_port(before, address, holder))
    return cannot_listen(address, "the setting 'listen' names " + to_string(*holder) +
                                      " too, which takes this address in. Leave one of them out.");
  return cannot_listen(address, mend_of(address, reason));
}

// The service manager's own stays as it is; what is set here it shares.
Listener take_over(const ListenAddress& address) {
  const int descriptor = fcntl(address.descriptor, F_DUPFD_CLOEXEC, 0);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  if (!address.is_unix()) set_for_tcp(descriptor);
  return Listener(descriptor, address);
}

}  // namespace

Listener::Listener(Listener&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      address_(std::move(other.address_)),
      file_(std::exchange(other.file_, std::nullopt)) {}

Listener::~Listener() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<std::vector<Listener>> listen_on(const std::vector<ListenAddress>& addresses, const SocketRights& rights) {
  std::vector<Listener> all;
  for (const ListenAddress& each : addresses) {
    if (each.descriptor >= 0) {
      all.push_back(take_over(each));
    } else if (each.is_unix()) {
      CALLISTO_TRY(auto made, listen_on_path(each, rights));
      all.push_back(std::move(made));
    } else {
      const bool only_v6 = each.port != 0 && std::any_of(addresses.begin(), addresses.end(), [&](const auto& other) {
                             return is_all_of_v4(other) && other.port == each.port;
                           });
      CALLISTO_TRY(auto made, listen_on_host(each, all, only_v6));
      for (Listener& listener : made) all.push_back(std::move(listener));
    }
  }
  return all;
}

}  // namespace callisto::http
