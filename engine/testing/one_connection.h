// OneConnection: a Database inside another one's write, whose connection serves all readers and writes; each write is a
// savepoint. So everything that a spec does is one transaction, which can be undone. Must not outlive the write; only
// its thread.
#pragma once

#include "engine/storage/database.h"

#include <memory>
#include <optional>

namespace callisto::testing {

class OneConnection final : public storage::Database {
 public:
  explicit OneConnection(storage::Connection& connection) : connection_(connection) {}

  Result<std::unique_ptr<storage::Connection>> connect_reader() override;
  Result<void> write(const storage::WriteFunction& function) override;

  // What is written between the two is undone; pairs do not nest.
  Result<void> begin();
  Result<void> roll_back();
  Result<void> keep();  // instead of roll_back()

 private:
  storage::Connection& connection_;
  std::optional<storage::Savepoint> spec_;
};

}  // namespace callisto::testing
