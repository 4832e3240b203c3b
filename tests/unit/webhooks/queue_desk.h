// A desk with the tables of webhooks alone, made from entities/ as the server makes them, for the tests of the queue
// and of the dispatcher. One thread.
#pragma once

#include "engine/base/sealer.h"
#include "engine/storage/database.h"
#include "tests/support/seeded_random.h"
#include "webhooks/queue.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

namespace callisto::webhooks {

template <typename T>
T must(Result<T> result) {
  if (!result) FAIL(result.error().message << " / " << result.error().log_detail);
  return *std::move(result);
}
inline void must(Result<void> result) {
  if (!result) FAIL(result.error().message << " / " << result.error().log_detail);
}

inline const Sealer& test_sealer() {
  static const Sealer sealer(std::string(aes_gcm_key_bytes, 'k'));
  return sealer;
}
std::string sealed(const std::string& secret);

class QueueDesk {
 public:
  explicit QueueDesk(const std::string& url = "sqlite::memory:");

  storage::Database& database() { return *database_; }
  storage::Connection& reader() { return *reader_; }
  void clear();  // as if just made

  void write(const storage::WriteFunction& function) { must(database_->write(function)); }
  std::int64_t number(const Sql& sql, const std::vector<Value>& values = {});
  std::string text(const Sql& sql, const std::vector<Value>& values = {});

  std::int64_t add_webhook(bool ordered = false, const std::string& secret = "first");
  void set_webhook(std::int64_t webhook, const Sql& assignment);  // such as: "Active" = 0
  // Of a record with that Ref, in the family Call; 0: of none.
  std::int64_t add_delivery(std::int64_t webhook, std::int64_t entity_ref, DateTime now);

  // Those that failed in that time, again; how many.
  std::int64_t redeliver_failed(std::int64_t webhook, DateTime from, DateTime to, DateTime now);

  std::string status(std::int64_t delivery);
  std::string webhook_status(std::int64_t webhook);

 private:
  std::unique_ptr<storage::Database> database_;
  std::unique_ptr<storage::Connection> reader_;
  testing::SeededRandom random_;
};

}  // namespace callisto::webhooks
