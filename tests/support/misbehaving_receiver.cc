#include "tests/support/misbehaving_receiver.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace callisto::test {

// A connection, in clear text or in TLS.
struct MisbehavingReceiver::Stream {
  Stream(int socket_, SSL_CTX* tls) : socket(socket_), ssl(tls ? SSL_new(tls) : nullptr, SSL_free) {
    if (ssl) SSL_set_fd(ssl.get(), socket);
  }

  bool open() { return !ssl || SSL_accept(ssl.get()) == 1; }
  long read(char* to, std::size_t size) {
    return ssl ? SSL_read(ssl.get(), to, static_cast<int>(size)) : recv(socket, to, size, 0);
  }
  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      const long sent = ssl ? SSL_write(ssl.get(), bytes.data(), static_cast<int>(bytes.size()))
                            : send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // True while the client is still there; waits up to so many milliseconds to see.
  bool stays(int milliseconds) {
    pollfd waiting{socket, POLLIN | POLLRDHUP, 0};
    return poll(&waiting, 1, milliseconds) == 0;
  }

  int socket;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl;
};

namespace {

std::size_t length_of(const std::string& head) {
  const std::size_t at = head.find("Content-Length: ");
  std::size_t length = 0;
  if (at != std::string::npos) std::from_chars(head.data() + at + 16, head.data() + head.size(), length);
  return length;
}

// A whole request, or nothing once the client has gone.
template <typename Stream>
std::optional<std::string> read_request(Stream& stream) {
  std::string request;
  std::array<char, 65536> buffer{};
  while (true) {
    const std::size_t end = request.find("\r\n\r\n");
    if (end != std::string::npos && request.size() >= end + 4 + length_of(request.substr(0, end))) return request;
    const long count = stream.read(buffer.data(), buffer.size());
    if (count <= 0) return std::nullopt;
    request.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

SSL_CTX* tls_of(const std::string& certificate) {
  if (certificate.empty()) return nullptr;
  SSL_CTX* tls = SSL_CTX_new(TLS_server_method());
  const std::unique_ptr<BIO, int (*)(BIO*)> text(
      BIO_new_mem_buf(certificate.data(), static_cast<int>(certificate.size())), BIO_free);
  const std::unique_ptr<X509, void (*)(X509*)> shown(PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr),
                                                     X509_free);
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(
      PEM_read_bio_PrivateKey(text.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  if (SSL_CTX_use_certificate(tls, shown.get()) != 1 || SSL_CTX_use_PrivateKey(tls, key.get()) != 1)
    throw std::runtime_error("no certificate for the receiver");
  return tls;
}

}  // namespace

std::string http_answer(const std::string& status, const std::string& headers, const std::string& body) {
  return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
}

MisbehavingReceiver::MisbehavingReceiver(const std::string& certificate) : tls_(tls_of(certificate), SSL_CTX_free) {
  on("/", {http_answer("200 OK")});
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 512) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no port for the receiver");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

MisbehavingReceiver::~MisbehavingReceiver() {
  stopping_ = true;
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
  {
    const std::lock_guard lock(mutex_);
    for (const int one : sockets_) shutdown(one, SHUT_RDWR);
  }
  for (std::thread& thread : threads_) thread.join();
}

void MisbehavingReceiver::on(const std::string& path, Manner manner) {
  const std::lock_guard lock(mutex_);
  manners_[path] = std::move(manner);
}

std::string MisbehavingReceiver::url(const std::string& path, const std::string& host) const {
  return (tls_ ? "https://" : "http://") + host + ":" + std::to_string(port_) + path;
}

int MisbehavingReceiver::connections() const {
  const std::lock_guard lock(mutex_);
  return accepted_;
}

std::vector<std::string> MisbehavingReceiver::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void MisbehavingReceiver::accept_all() {
  sigset_t broken_pipe;  // which OpenSSL would raise here and in the threads started below
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  while (!stopping_) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    const std::lock_guard lock(mutex_);
    ++accepted_;
    sockets_.push_back(socket);
    threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void MisbehavingReceiver::serve(int socket) {
  {
    Stream stream(socket, tls_.get());
    bool open = stream.open();
    while (open) {
      const auto request = read_request(stream);
      open = request && answer(stream, *request);
    }
  }
  const std::lock_guard lock(mutex_);
  sockets_.erase(std::find(sockets_.begin(), sockets_.end(), socket));
  close(socket);
}

bool MisbehavingReceiver::answer(Stream& stream, const std::string& request) {
  const std::size_t start = request.find(' ') + 1;
  Manner manner;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    const auto found = manners_.find(request.substr(start, request.find(' ', start) - start));
    manner = found == manners_.end() ? Manner{http_answer("404 Not Found")} : found->second;
  }
  return stream.write(manner.bytes) && act(stream, manner);
}

bool MisbehavingReceiver::act(Stream& stream, const Manner& manner) {
  static const std::string block(64 * 1024, 'x');
  switch (manner.then) {
    case Manner::Then::Keep:
      return true;
    case Manner::Then::Close:
      return false;
    case Manner::Then::Reset: {
      const linger at_once{1, 0};
      setsockopt(stream.socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      return false;
    }
    case Manner::Then::CloseOnNext:
    case Manner::Then::Hang:  // both until something can be read, if only the client's going
      while (!stopping_ && stream.stays(10)) {}
      return false;
    case Manner::Then::Drip:
      while (!stopping_ && stream.stays(10) && stream.write("x")) {}
      return false;
    case Manner::Then::Flood:
      for (int i = 0; i < 16 * 1024 && !stopping_ && stream.write(block); ++i) flooded_ += 64 * 1024;
      return false;
  }
  return false;
}

}  // namespace callisto::test
