// The records that lookups find: the database's, read once, and those that the import has made since. One thread.
#pragma once

#include "engine/importing/write/plan.h"
#include "engine/records/insert.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace callisto::importing {

class Pools {
 public:
  explicit Pools(const std::vector<Pool>& pools) : pools_(pools), refs_(pools.size()) {}

  Result<void> load(storage::Connection& connection);

  // Values that are equal (texts ignoring case) add the same to a key, others do not.
  static void append_key(std::string& key, const Value& value);
  std::optional<std::int64_t> find(std::size_t pool, const std::string& key) const;

  // A record that was made: into every pool that it belongs to.
  void add(const records::NewRow& row, std::int64_t ref);
  void keep() { added_.clear(); }                      // what was added will stay
  std::size_t added() const { return added_.size(); }  // since the last keep()
  void undo(std::size_t from = 0);                     // what was added after the first so many of them will not

 private:
  Result<void> load(storage::Connection& connection, std::size_t number);

  const std::vector<Pool>& pools_;
  std::vector<std::unordered_map<std::string, std::int64_t>> refs_;
  std::vector<std::pair<std::size_t, std::string>> added_;
};

}  // namespace callisto::importing
