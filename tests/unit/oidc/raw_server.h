// A server on a loopback port that answers with exactly the bytes a test gives it, one connection after the other.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace callisto::testing {

class RawServer {
 public:
  // Gets a whole request, head and body. An empty answer: none, until the client gives up.
  using Answer = std::function<std::string(const std::string& request)>;

  explicit RawServer(Answer answer) : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    if (bind(listener_, any, size) != 0 || listen(listener_, 16) != 0 || getsockname(listener_, any, &size) != 0)
      throw std::runtime_error("no loopback port");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~RawServer() {
    shutdown(listener_, SHUT_RDWR);  // wakes accept
    thread_.join();
    close(listener_);
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int connections() const { return connections_; }

 private:
  void serve() {
    for (int client; (client = accept(listener_, nullptr, nullptr)) >= 0; close(client)) {
      ++connections_;
      const std::string answer = answer_(read_request(client));
      std::string_view left = answer;
      for (ssize_t sent = 1; sent > 0 && !left.empty();
           left.remove_prefix(static_cast<std::size_t>(sent > 0 ? sent : 0)))
        sent = send(client, left.data(), left.size(), MSG_NOSIGNAL);
      char byte;
      if (answer.empty()) recv(client, &byte, 1, 0);  // returns when the client has gone
    }
  }

  static std::string read_request(int client) {
    std::string request;
    char bytes[4096];
    for (ssize_t count; (count = recv(client, bytes, sizeof bytes, 0)) > 0;) {
      request.append(bytes, static_cast<std::size_t>(count));
      if (request[0] == '\x16') break;  // a TLS handshake
      const std::size_t end = request.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      const std::size_t length = request.find("Content-Length: ");
      const std::size_t body =
          length == std::string::npos ? 0 : std::strtoull(request.c_str() + length + 16, nullptr, 10);
      if (request.size() >= end + 4 + body) break;
    }
    return request;
  }

  const Answer answer_;
  const int listener_;
  int port_ = 0;
  std::atomic<int> connections_{0};
  std::thread thread_;
};

}  // namespace callisto::testing
