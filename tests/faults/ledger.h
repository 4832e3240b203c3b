// A database whose every write is accounted for. Each write raises the version of one item, and with it a text that is
// made of item and version, a row of history with a key of its own, and the sum of all versions: what is lost, torn or
// there by half shows. It knows what was acknowledged. One thread.
#pragma once

#include "engine/storage/database.h"

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace callisto::test {

class Ledger {
 public:
  explicit Ledger(std::string path) : path_(std::move(path)) {}

  // A copy of the files at `path`, of which as much is known as `other` knows.
  Ledger(std::string path, const Ledger& other) : path_(std::move(path)), known_(other.known_) {}

  Result<void> open();  // makes or brings up the tables; counts as no write
  void close() { database_.reset(); }
  storage::Database& database() { return *database_; }

  // One write to each of these items, which differ, all in one commit, the same calls of the disk each time. How many
  // were acknowledged; the errors of the others.
  std::size_t write(const std::vector<std::int64_t>& items, std::vector<Error>* errors = nullptr);

  // What is wrong with the database as it stands; empty: nothing. What is there without having been acknowledged counts
  // as acknowledged from then on.
  std::vector<std::string> audit();
  std::uint64_t acknowledged() const { return all_acknowledged_; }

  static constexpr std::int64_t item_count = 24;

 private:
  struct Known {
    std::int64_t acknowledged = 0, attempted = 0;
  };
  Result<void> write_one(std::int64_t item);
  std::vector<Result<void>> write_together(const std::vector<std::int64_t>& items);
  Result<std::vector<std::string>> look(storage::Connection& reader);
  static Result<void> raise(storage::Connection& connection, std::int64_t item, std::int64_t version);

  std::string path_;
  std::unique_ptr<storage::Database> database_;
  std::map<std::int64_t, Known> known_;
  std::uint64_t all_acknowledged_ = 0;
};

}  // namespace callisto::test
