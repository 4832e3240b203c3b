// A client that sends exactly the bytes it is given.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace callisto::test {

struct Reply {
  int status = 0;  // 0: the connection ended without one
  std::string head;
  std::string body;
  bool has(std::string_view line) const { return head.find("\r\n" + std::string(line) + "\r\n") != std::string::npos; }
};

class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<in_port_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connect_to(address);
  }
  // An address of IPv6, with the number of its interface where it is link-local.
  RawClient(const std::string& host, int port, unsigned interface = 0) : socket_(::socket(AF_INET6, SOCK_STREAM, 0)) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(static_cast<in_port_t>(port));
    address.sin6_scope_id = interface;
    inet_pton(AF_INET6, host.c_str(), &address.sin6_addr);
    connect_to(address);
  }
  explicit RawClient(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    connect_to(address);
  }
  RawClient(RawClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), connected_(other.connected_), input_(std::move(other.input_)) {}
  virtual ~RawClient() {
    if (socket_ >= 0) close(socket_);
  }

  bool connected() const { return connected_; }

  // False when the server has closed before all was sent.
  virtual bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  Reply read_reply(bool head_only = false) {
    Reply reply;
    std::size_t end;
    while ((end = input_.find("\r\n\r\n")) == std::string::npos)
      if (!receive()) return reply;
    reply.head = take(end + 4);
    reply.status = std::atoi(reply.head.c_str() + std::string_view("HTTP/1.1 ").size());
    const std::string_view body_length = "\r\nContent-Length: ";
    const std::size_t length_at = reply.head.find(body_length);
    if (head_only || length_at == std::string::npos) return reply;
    const auto length = std::strtoull(reply.head.c_str() + length_at + body_length.size(), nullptr, 10);
    while (input_.size() < length)
      if (!receive()) break;
    reply.body = take(length);
    return reply;
  }

  // Everything until the server closes.
  std::string read_to_end() {
    while (receive()) {}
    return take(input_.size());
  }

  // Whether something has come or comes within so long.
  bool can_read(int milliseconds) const {
    pollfd wait{socket_, POLLIN, 0};
    return !input_.empty() || poll(&wait, 1, milliseconds) != 0;
  }
  void finish_sending() { shutdown(socket_, SHUT_WR); }
  bool timed_out() const { return timed_out_; }

 protected:
  int descriptor() const { return socket_; }
  virtual ssize_t receive_some(char* bytes, std::size_t most) { return recv(socket_, bytes, most, 0); }

 private:
  template <typename Address>
  void connect_to(const Address& address) {
    const timeval patience{20, 0};  // a hang fails the test instead of stopping it
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  bool receive() {
    char bytes[16384];
    const ssize_t count = receive_some(bytes, sizeof bytes);
    if (count > 0) input_.append(bytes, static_cast<std::size_t>(count));
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) timed_out_ = true;
    return count > 0;
  }
  std::string take(std::size_t count) {
    std::string front = input_.substr(0, count);
    input_.erase(0, count);
    return front;
  }

  int socket_;
  bool connected_ = false;
  bool timed_out_ = false;
  std::string input_;
};

}  // namespace callisto::test
