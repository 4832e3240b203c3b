#include "tests/support/webhook_receiver.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <sstream>
#include <stdexcept>

namespace callisto::test {

WebhookReceiver::WebhookReceiver(Rule rule) : rule_(std::move(rule)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 128) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("the receiver cannot listen");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

WebhookReceiver::~WebhookReceiver() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }
  changed_.notify_all();
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  ::close(listener_);
  for (std::thread& thread : threads_) thread.join();
}

std::string WebhookReceiver::url(const std::string& path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + path;
}

void WebhookReceiver::answer(Rule rule) {
  const std::lock_guard lock(mutex_);
  rule_ = std::move(rule);
}

std::vector<Received> WebhookReceiver::wait_for(std::size_t count, std::chrono::seconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return received_.size() >= count; });
  return received_;
}

std::vector<Received> WebhookReceiver::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

WebhookReceiver::Pause::Pause(WebhookReceiver& receiver) : receiver_(receiver) {
  const std::lock_guard lock(receiver_.mutex_);
  receiver_.paused_ = true;
}

WebhookReceiver::Pause::~Pause() {
  {
    const std::lock_guard lock(receiver_.mutex_);
    receiver_.paused_ = false;
  }
  receiver_.changed_.notify_all();
}

void WebhookReceiver::accept_all() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const std::lock_guard lock(mutex_);
    if (stopping_) {
      ::close(socket);
      return;
    }
    sockets_.push_back(socket);
    threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void WebhookReceiver::serve(int socket) {
  std::string bytes;
  while (answer_one(socket, bytes)) {}
  const std::lock_guard lock(mutex_);
  std::erase(sockets_, socket);
  ::close(socket);
}

// False: the connection is over.
bool WebhookReceiver::answer_one(int socket, std::string& bytes) {
  const auto read_until = [&](auto&& enough) {
    char part[65536];
    while (!enough()) {
      const ssize_t size = ::recv(socket, part, sizeof part, 0);
      if (size <= 0) return false;
      bytes.append(part, static_cast<std::size_t>(size));
    }
    return true;
  };
  if (!read_until([&] { return bytes.find("\r\n\r\n") != std::string::npos; })) return false;
  Received request;
  const std::size_t head = bytes.find("\r\n\r\n") + 4;
  std::istringstream lines(bytes.substr(0, head));
  std::string line;
  std::getline(lines, line);
  request.path = line.substr(line.find(' ') + 1, line.rfind(' ') - line.find(' ') - 1);
  while (std::getline(lines, line) && line.size() > 1) {
    const std::size_t colon = line.find(':');
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    request.headers[name] = line.substr(colon + 2, line.size() - colon - 3);
  }
  const std::size_t size = std::stoul("0" + request.header("content-length"));
  if (!read_until([&] { return bytes.size() >= head + size; })) return false;
  request.body = bytes.substr(head, size);
  bytes.erase(0, head + size);

  std::unique_lock lock(mutex_);
  received_.push_back(request);
  changed_.notify_all();
  changed_.wait(lock, [&] { return !paused_ || stopping_; });
  if (stopping_) return false;
  const Rule rule = rule_;
  lock.unlock();
  const ReceiverAnswer answer = rule(request);
  std::string out = "HTTP/1.1 " + std::to_string(answer.status) + " X\r\n";
  for (const std::string& header : answer.headers) out += header + "\r\n";
  out += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n\r\n" + answer.body;
  return ::send(socket, out.data(), out.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(out.size());
}

}  // namespace callisto::test
