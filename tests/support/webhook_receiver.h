// A receiver of webhooks for tests: HTTP on loopback, port 0, a thread for each connection, which answers as it is told
// and keeps what came. Calls from the test's thread; its own threads end with it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace callisto::test {

struct Received {
  std::string path;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

struct ReceiverAnswer {
  int status = 200;
  std::vector<std::string> headers = {};  // "Name: value"
  std::string body = "ok";
};

class WebhookReceiver {
 public:
  using Rule = std::function<ReceiverAnswer(const Received&)>;
  explicit WebhookReceiver(Rule rule = [](const Received&) { return ReceiverAnswer{}; });
  ~WebhookReceiver();

  std::string url(const std::string& path = "/hook") const;
  void answer(Rule rule);
  // Once there are that many; fewer after `patience`, which fails the test that counts them.
  std::vector<Received> wait_for(std::size_t count, std::chrono::seconds patience = std::chrono::seconds(60));
  std::vector<Received> received() const;
  // While it lives, whoever sends waits for his answer.
  class Pause {
   public:
    explicit Pause(WebhookReceiver& receiver);
    ~Pause();

   private:
    WebhookReceiver& receiver_;
  };

 private:
  void accept_all();
  void serve(int socket);
  bool answer_one(int socket, std::string& bytes);

  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Rule rule_;
  bool paused_ = false;
  bool stopping_ = false;
  std::vector<Received> received_;
  std::vector<int> sockets_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace callisto::test
