// Stands between a server and its PostgreSQL: a socket in a temporary folder that leads to the socket of another. It
// can swallow what passes, as a network that is cut without a word, lead elsewhere from then on, or lend one connection
// of the database to all clients by transaction, as a pooler does. Its own threads; calls from the test's.
#pragma once

#include "tests/support/temporary_folder.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <limits>
#include <list>
#include <mutex>
#include <string>
#include <thread>

namespace callisto::test {

class DatabaseRelay {
 public:
  enum class Way { Through, ByTransaction };
  // `url`: of a test's Postgres.
  explicit DatabaseRelay(const std::string& url, Way way = Way::Through);
  ~DatabaseRelay();
  DatabaseRelay(const DatabaseRelay&) = delete;
  DatabaseRelay& operator=(const DatabaseRelay&) = delete;

  std::string url() const;
  void swallow(bool on) { swallows_ = on; }  // of connections that are there and new ones; what was swallowed is lost
  std::size_t swallowed() const { return swallowed_; }  // bytes
  // Of each connection that begins from now on, once the database has said so many bytes.
  void swallow_after(std::size_t bytes) { passed_bytes_ = bytes; }
  void lead_to(const std::string& url);  // new connections; those that are there are cut

 private:
  void accept_all();
  void relay(int client);
  void pump(int client, int server);
  void lend(int client);
  bool lend_transaction(int client);
  bool greet(int client);
  bool pass_message(int from, int to, char& type, std::string& body) const;

  const std::string name_;  // of the database, and options behind it
  const Way way_;
  TemporaryFolder folder_;
  std::atomic<bool> stopping_ = false, swallows_ = false;
  std::atomic<std::size_t> swallowed_ = 0;
  std::atomic<int> cuts_ = 0;
  std::atomic<std::size_t> passed_bytes_ = std::numeric_limits<std::size_t>::max();
  std::mutex mutex_;
  std::string target_;  // folder of the socket
  std::list<std::thread> threads_;
  std::mutex lent_mutex_;  // held for a transaction
  int lent_ = -1;          // the one connection
  std::string greeting_;   // what the database said when it was made
  int listener_ = -1;
  std::thread acceptor_;
};

}  // namespace callisto::test
