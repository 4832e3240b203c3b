// Nodes: what the servers of one desk agree on, in the table desk_fact: one secret key, and that a reload of one server
// is a reload of all. With SQLite there is one server, and only the key matters.
#pragma once

#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/base/sealer.h"
#include "engine/base/ticker.h"
#include "engine/storage/database.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace callisto::app {

// The desk's first server notes a fingerprint of its key; an error where this one's is another. `path`: of its file.
Result<void> agree_on_key(storage::Database& database, const Sealer& sealer, const std::string& path);
// Whether there is such a fingerprint already.
Result<bool> has_agreed_key(storage::Database& database);

class Nodes {
 public:
  // Looks twice a second whether another node has reloaded, and sends this process a SIGHUP then. `database` outlives
  // it.
  static Result<std::unique_ptr<Nodes>> watch(storage::Database& database);

  // After a reload of this node: the others follow one that went well, unless it followed one of theirs. The main
  // thread.
  Result<void> reloaded(bool well);
  bool follows() const { return follows_; }  // this reload is one of theirs, which they have judged

 private:
  Nodes(storage::Database& database, std::unique_ptr<storage::Connection> reader, std::int64_t reloads);
  Result<void> look();

  storage::Database& database_;
  const std::unique_ptr<storage::Connection> reader_;  // of the ticker's thread
  std::mutex mutex_;   // a look either sees this node's own reload as its own, or does not see it yet
  std::int64_t seen_;  // the number of the last reload, of whatever node
  std::atomic<bool> follows_ = false;
  bool lost_ = false;  // the database, at the last look
  Ticker ticker_;      // last: it goes first
};

}  // namespace callisto::app
