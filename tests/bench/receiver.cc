// bench_receiver: the fastest receiver of webhooks, so that what is measured is the sender. One thread with epoll
// answers every POST with an empty 200 and counts it. It prints "listening on URL"; on SIGTERM or SIGINT the count and
// the time from the first to the last.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

struct Connection {
  std::string head;      // as far as it came
  std::size_t body = 0;  // bytes of the body that are still to come; the head is whole
  bool in_body = false;
};

struct Tally {
  long count = 0;
  Clock::time_point first, last;

  void add() {
    last = Clock::now();
    if (count++ == 0) first = last;
  }
};

std::size_t length_of(std::string_view head) {
  constexpr std::string_view name = "\r\nContent-Length: ";
  const std::size_t at = head.find(name);
  std::size_t length = 0;
  if (at != head.npos) std::from_chars(head.data() + at + name.size(), head.data() + head.size(), length);
  return length;
}

// False once the connection is of no more use.
bool take(int socket, Connection& connection, std::string_view bytes, Tally& tally) {
  while (true) {
    if (!connection.in_body) {
      connection.head += bytes;
      const std::size_t end = connection.head.find("\r\n\r\n");
      if (end == connection.head.npos) return true;
      const std::size_t rest = connection.head.size() - end - 4;
      bytes.remove_prefix(bytes.size() - rest);
      connection.body = length_of(std::string_view(connection.head).substr(0, end));
      connection.in_body = true;
    }
    const std::size_t used = std::min(connection.body, bytes.size());
    connection.body -= used;
    bytes.remove_prefix(used);
    if (connection.body > 0) return true;
    connection = {};
    tally.add();
    if (send(socket, answer.data(), answer.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(answer.size())) return false;
    if (bytes.empty()) return true;
  }
}

int listen_on(std::uint16_t port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener, 1024) != 0) {
    std::perror("bench_receiver");
    std::exit(1);
  }
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::printf("listening on http://127.0.0.1:%d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  return listener;
}

int signals() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  return signalfd(-1, &ends, SFD_CLOEXEC);
}

void watch(int epoll, int file) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = file;
  epoll_ctl(epoll, EPOLL_CTL_ADD, file, &event);
}

void run(int listener, int ending, Tally& tally) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, listener);
  watch(epoll, ending);
  std::map<int, Connection> connections;
  std::array<epoll_event, 256> events{};
  std::vector<char> buffer(256 * 1024);
  while (true) {
    const int count = epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int file = events[static_cast<std::size_t>(i)].data.fd;
      if (file == ending) return;
      if (file == listener) {
        const int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        const int yes = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        watch(epoll, socket);
        continue;
      }
      const ssize_t read = recv(file, buffer.data(), buffer.size(), 0);
      if (read > 0 && take(file, connections[file], {buffer.data(), static_cast<std::size_t>(read)}, tally)) continue;
      connections.erase(file);
      close(file);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int port = count > 1 ? std::atoi(arguments[1]) : 0;
  const int ending = signals();
  Tally tally;
  run(listen_on(static_cast<std::uint16_t>(port)), ending, tally);
  const std::chrono::duration<double> time = tally.last - tally.first;
  std::printf("%ld deliveries in %.6f s\n", tally.count, time.count());
}
