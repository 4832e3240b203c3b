// OneConnection: a Database inside a write of another one, whose connection serves its readers and its writes, each of
// these in a savepoint. So everything that a spec does is one transaction, which can be undone. Must not outlive the
// write; its thread alone.
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
