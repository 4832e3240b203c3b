// A receiver on loopback that answers as a test says, byte for byte, well or badly. It reads a whole request, then does
// what was said for its path. Its own threads; on(), before the path is asked for; what it saw, from any thread.
#pragma once

#include <openssl/ssl.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace callisto::test {

struct Manner {
  enum class Then {
    Keep,  // the connection is good for another request
    Close,
    CloseOnNext,  // when the next request arrives, unread
    Reset,        // a TCP RST
    Hang,         // until the client goes
    Drip,         // a byte each 10 ms
    Flood         // 1 GiB
  };
  std::string bytes;
  Then then = Then::Keep;
};

std::string http_answer(const std::string& status, const std::string& headers = {}, const std::string& body = {});

class MisbehavingReceiver {
 public:
  // With a certificate (PEM, its key behind it) it speaks TLS.
  explicit MisbehavingReceiver(const std::string& certificate = {});
  ~MisbehavingReceiver();
  MisbehavingReceiver(const MisbehavingReceiver&) = delete;
  MisbehavingReceiver& operator=(const MisbehavingReceiver&) = delete;

  void on(const std::string& path, Manner manner);
  std::uint16_t port() const { return port_; }
  std::string url(const std::string& path, const std::string& host = "127.0.0.1") const;

  int connections() const;                    // accepted so far
  std::vector<std::string> requests() const;  // whole ones, heads and bodies
  std::int64_t flooded() const { return flooded_; }

 private:
  struct Stream;
  void accept_all();
  void serve(int socket);
  bool answer(Stream& stream, const std::string& request);
  bool act(Stream& stream, const Manner& manner);

  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> tls_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_{false};
  std::atomic<std::int64_t> flooded_{0};
  mutable std::mutex mutex_;
  std::map<std::string, Manner> manners_;
  std::vector<int> sockets_;
  std::vector<std::thread> threads_;
  std::vector<std::string> requests_;
  int accepted_ = 0;
  std::thread acceptor_;
};

}  // namespace callisto::test
