// QueryCache: compiled queries by the text of their url, up to a limit in bytes; the least recently used is dropped
// first. Values are shared, so a dropped query lives on in the requests that run it. Any thread.
//
// Invariants: a key contains everything that a compiled query depends on, except the catalog, which lives as long as
// the cache.
#pragma once

#include "engine/api/answers/action_entries.h"
#include "engine/api/answers/link_entries.h"
#include "engine/api/answers/row_writer.h"
#include "engine/api/asked_queries.h"
#include "engine/api/requests/expand.h"
#include "engine/base/shortest_time.h"
#include "engine/records/model.h"
#include "engine/records/rule_record_reader.h"

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace callisto::api {

// A query ready to run and to render.
struct CompiledQuery {
  CompiledQuery(records::Prepared prepared_, std::string_view version)
      : prepared(std::move(prepared_)), writer(*prepared.plan, version) {}

  records::Prepared prepared;
  RowWriter writer;
  std::string walk;                                    // of a search: what its links to a next page hold for
  std::optional<RecordLinks> links;                    // of a query for one record
  std::optional<RecordActions> actions;                // the same
  std::optional<records::RuleRecordReader> for_rules;  // the same
  std::vector<Expansion> expansions;                   // the same: the lists that its answer holds as well
  std::shared_ptr<AskedQueries::Count> asked;          // of a search; null: nobody counts
  mutable std::atomic<std::size_t> usual_size = 0;     // bytes of the last answer: the next gets its memory at once
  mutable ShortestTime time;                           // of an answer
};

class QueryCache {
 public:
  explicit QueryCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  std::shared_ptr<const CompiledQuery> find(std::string_view key) {
    std::lock_guard lock(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return found->second->query;
  }

  void insert(std::string key, std::shared_ptr<const CompiledQuery> query) {
    const std::size_t bytes = bytes_of(key, *query);
    std::lock_guard lock(mutex_);
    if (by_key_.count(key) != 0) return;
    order_.push_front({std::move(key), std::move(query), bytes});
    by_key_.emplace(order_.front().key, order_.begin());
    for (bytes_ += bytes; bytes_ > most_bytes_; order_.pop_back()) {
      bytes_ -= order_.back().bytes;
      by_key_.erase(order_.back().key);
    }
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const CompiledQuery> query;
    std::size_t bytes;
  };

  // About: a plan and its writer grow with what their statements name.
  static std::size_t bytes_of(const std::string& key, const CompiledQuery& query) {
    constexpr std::size_t least = 4096, for_each_byte_of_sql = 6;
    const auto& narrowed = query.prepared.narrowed;
    const auto& sorted = query.prepared.sorted;
    std::size_t more = narrowed ? narrowed->rows.sql.text().size() + narrowed->count.sql.text().size() : 0;
    if (sorted)
      for (const auto& seek : sorted->seeks) more += seek.rows.sql.text().size();
    const auto of_counts = [](const std::vector<query::CountBySeek>& counts) {
      std::size_t bytes = 0;
      for (const auto& each : counts) bytes += each.count.sql.text().size() + each.groups.sql.text().size();
      return bytes;
    };
    more += of_counts(query.prepared.counts);
    if (const auto& many = query.prepared.many)
      more += of_counts(many->seeks) + many->count.sql.text().size() + many->groups.sql.text().size();
    if (const auto& by_lookup = query.prepared.by_lookup)
      more += by_lookup->rows.sql.text().size() + 4 * by_lookup->of_value->rows.sql.text().size();
    if (query.prepared.cover) more += query.prepared.cover->count.sql.text().size();
    const std::size_t sql = query.prepared.rows.sql.text().size() + query.prepared.count.sql.text().size() + more;
    return least + key.size() + query.walk.size() + sql * for_each_byte_of_sql;
  }

  const std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::mutex mutex_;
  std::list<Entry> order_;                                                   // most recent first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_key_;  // views into the entries
};

}  // namespace callisto::api
