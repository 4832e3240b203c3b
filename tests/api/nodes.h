// Several servers of one desk on a PostgreSQL of the test's own, each with its data folder; they share the secret key.
// One thread.
#pragma once

#include "server_process.h"
#include "tests/support/postgres.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace callisto::tests {

class Nodes {
 public:
  // `settings`: of every node. The first loads the samples.
  Nodes(test::Postgres& postgres, std::vector<std::string> settings = {});

  ServerProcess& start();  // one more
  ServerProcess& operator[](std::size_t node) { return *share(node); }
  // For other threads: it stays until they let go of it, killed or not.
  std::shared_ptr<ServerProcess> share(std::size_t node) const {
    const std::lock_guard lock(mutex_);
    return servers_[node];
  }
  void restart(std::size_t node);  // after kill_at_once() or stop()
  const std::string& folder(std::size_t node) const { return folders_[node]->path(); }
  const std::string& url() const { return url_; }

 private:
  std::vector<std::string> arguments() const;

  std::string url_;
  std::vector<std::string> settings_;
  std::vector<std::unique_ptr<TemporaryFolder>> folders_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<ServerProcess>> servers_;
};

}  // namespace callisto::tests
