#include "tests/support/database_relay.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <algorithm>

#include <cstdint>
#include <stdexcept>

namespace callisto::test {

namespace {

constexpr const char* socket_name = "/.s.PGSQL.5432";

std::string folder_in(const std::string& url) { return url.substr(url.find("host=") + 5); }

sockaddr_un address_of(const std::string& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (folder + socket_name).copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

int connect_to(const std::string& folder) {
  const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(folder);
  if (connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return made;
  close(made);
  return -1;
}

bool send_all(int to, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t sent = send(to, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int from, char* bytes, std::size_t count) {
  return recv(from, bytes, count, MSG_WAITALL) == static_cast<ssize_t>(count);
}

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

// https://www.postgresql.org/docs/15/protocol-message-formats.html: its length, then the rest. The first of a
// connection has no type before it.
bool receive_body(int from, std::string& body) {
  body.resize(4);
  if (!receive_all(from, body.data(), 4)) return false;
  const std::size_t length = number_at(body, 0);
  body.resize(length);
  return length == 4 || receive_all(from, body.data() + 4, length - 4);
}

}  // namespace

DatabaseRelay::DatabaseRelay(const std::string& url, Way way)
    : name_(url.substr(0, url.find("host="))), way_(way), target_(folder_in(url)) {
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(folder_.path());
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || listen(listener_, 256) != 0)
    throw std::runtime_error("no socket for the relay");
  acceptor_ = std::thread([this] { accept_all(); });
}

DatabaseRelay::~DatabaseRelay() {
  stopping_ = true;
  ++cuts_;
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
  if (lent_ >= 0) shutdown(lent_, SHUT_RDWR);
  for (std::thread& thread : threads_) thread.join();
  if (lent_ >= 0) close(lent_);
}

std::string DatabaseRelay::url() const { return name_ + "host=" + folder_.path(); }

void DatabaseRelay::lead_to(const std::string& url) {
  const std::lock_guard lock(mutex_);
  target_ = folder_in(url);
  ++cuts_;
}

void DatabaseRelay::accept_all() {
  while (!stopping_) {
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    threads_.emplace_back([this, client] {
      if (way_ == Way::Through) relay(client);
      else lend(client);
      close(client);
    });
  }
}

void DatabaseRelay::relay(int client) {
  std::string target;
  {
    const std::lock_guard lock(mutex_);
    target = target_;
  }
  const int server = connect_to(target);
  if (server < 0) return;
  pump(client, server);
  close(server);
}

// Until one of them ends, or all are cut. While it swallows, the end of one is not told to the other either.
void DatabaseRelay::pump(int client, int server) {
  const int cuts = cuts_;
  std::size_t left = passed_bytes_;  // of what the database says
  char bytes[16 * 1024];
  while (cuts == cuts_) {
    pollfd both[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    if (poll(both, 2, 10) <= 0) continue;
    for (const int i : {0, 1}) {
      if (both[i].revents == 0) continue;
      const ssize_t count = recv(both[i].fd, bytes, sizeof bytes, 0);
      if (count <= 0) return;
      const auto passed = std::min(static_cast<std::size_t>(count), left);
      if (i == 1) left -= passed;
      if (swallows_) swallowed_ += static_cast<std::size_t>(count);
      else if (!send_all(both[1 - i].fd, bytes, passed)) return;
    }
  }
}

bool DatabaseRelay::pass_message(int from, int to, char& type, std::string& body) const {
  return receive_all(from, &type, 1) && receive_body(from, body) && send_all(to, &type, 1) &&
         send_all(to, body.data(), body.size());
}

// The first client's greeting is passed on; all others are greeted with what was said to that one.
bool DatabaseRelay::greet(int client) {
  std::string hello;
  if (!receive_body(client, hello)) return false;
  if (number_at(hello, 4) == 80877103 || number_at(hello, 4) == 80877104) {  // whether it may encrypt
    if (!send_all(client, "N", 1) || !receive_body(client, hello)) return false;
  }
  const std::lock_guard lock(lent_mutex_);
  if (lent_ >= 0) return send_all(client, greeting_.data(), greeting_.size());
  lent_ = connect_to(target_);
  if (lent_ < 0 || !send_all(lent_, hello.data(), hello.size())) return false;
  for (char type = 0; type != 'Z';) {
    std::string body;
    if (!pass_message(lent_, client, type, body)) return false;
    greeting_ += type + body;
  }
  return true;
}

void DatabaseRelay::lend(int client) {
  if (!greet(client)) return;
  while (!stopping_) {
    pollfd one{client, POLLIN, 0};
    if (poll(&one, 1, 10) > 0 && !lend_transaction(client)) return;
  }
}

// From what is asked until the database is ready and in no transaction any more.
bool DatabaseRelay::lend_transaction(int client) {
  const std::lock_guard lock(lent_mutex_);
  while (true) {
    char type = 0;
    std::string body;
    if (!receive_all(client, &type, 1) || !receive_body(client, body) || type == 'X') return false;
    if (!send_all(lent_, &type, 1) || !send_all(lent_, body.data(), body.size())) return false;
    if (type != 'Q' && type != 'S') continue;  // more is to come before it is answered
    while (type != 'Z')
      if (!pass_message(lent_, client, type, body)) return false;
    if (body.back() == 'I') return true;
  }
}

}  // namespace callisto::test
