// QueryCache: compiled queries by the text of their url, least recently used dropped first. Values are shared, so a
// query that is dropped lives on in the requests that run it. Any thread.
#pragma once

#include "engine/api/action_entries.h"
#include "engine/api/link_entries.h"
#include "engine/api/row_writer.h"
#include "engine/records/model.h"
#include "engine/records/row_record.h"

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

namespace callisto::api {

// A query ready to run and to render.
struct CompiledQuery {
  CompiledQuery(records::Prepared prepared_, std::string_view version)
      : prepared(std::move(prepared_)), writer(*prepared.plan, version) {}

  records::Prepared prepared;
  RowWriter writer;
  std::optional<RecordLinks> links;                 // of a query for one record
  std::optional<RecordActions> actions;             // the same
  std::optional<records::RowRecord> for_rules;      // the same
  mutable std::atomic<std::size_t> usual_size = 0;  // bytes of the last answer: the next gets its memory at once
};

class QueryCache {
 public:
  explicit QueryCache(std::size_t capacity) : capacity_(capacity) {}

  std::shared_ptr<const CompiledQuery> find(std::string_view key) {
    std::lock_guard lock(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return found->second->query;
  }

  void insert(std::string key, std::shared_ptr<const CompiledQuery> query) {
    std::lock_guard lock(mutex_);
    if (by_key_.count(key) != 0) return;
    order_.push_front({std::move(key), std::move(query)});
    by_key_.emplace(order_.front().key, order_.begin());
    if (order_.size() <= capacity_) return;
    by_key_.erase(order_.back().key);
    order_.pop_back();
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const CompiledQuery> query;
  };
  std::size_t capacity_;
  std::mutex mutex_;
  std::list<Entry> order_;                                                   // most recent first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_key_;  // views into the entries
};

}  // namespace callisto::api
