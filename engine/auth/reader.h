// Reader: the one connection on which sign-in reads, lent to one thread at a time. Owns the connection; must be
// destroyed before its database. A request needs it only if the cache does not know the token, so one is enough.
#pragma once

#include "engine/storage/database.h"

#include <memory>
#include <mutex>
#include <utility>

namespace callisto::auth {

class Reader {
 public:
  explicit Reader(std::unique_ptr<storage::Connection> connection) : connection_(std::move(connection)) {}

  // `function` takes a storage::Connection& and returns a Result; it keeps nothing of the connection.
  template <typename Function>
  auto read(Function&& function) {
    std::lock_guard lock(mutex_);
    return std::forward<Function>(function)(*connection_);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<storage::Connection> connection_;
};

}  // namespace callisto::auth
