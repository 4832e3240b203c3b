#include "engine/testing/one_connection.h"

namespace callisto::testing {

namespace {

class Reader final : public storage::Connection {
 public:
  explicit Reader(storage::Connection& connection) : connection_(connection) {}

  Result<std::unique_ptr<storage::Cursor>> query(const Sql& sql, const std::vector<Value>& values) override {
    return connection_.query(sql, values);
  }
  Result<std::int64_t> execute(const Sql& sql, const std::vector<Value>& values) override {
    return connection_.execute(sql, values);
  }
  Result<void> run_script(std::string_view sql) override { return connection_.run_script(sql); }
  Result<std::vector<std::string>> explain(const Sql& sql, const std::vector<Value>& values) override {
    return connection_.explain(sql, values);
  }
  Result<storage::Examined> examine(const Sql& sql, const std::vector<Value>& values) override {
    return connection_.examine(sql, values);
  }
  const storage::Dialect& dialect() const override { return connection_.dialect(); }

  // commits(): nothing is said, so that nothing which was read before a roll-back is believed after it.

 private:
  Result<bool> begin_read() override { return false; }
  void end_read() override {}

  storage::Connection& connection_;
};

}  // namespace

Result<std::unique_ptr<storage::Connection>> OneConnection::connect_reader() {
  return std::unique_ptr<storage::Connection>(std::make_unique<Reader>(connection_));
}

Result<void> OneConnection::write(const storage::WriteFunction& function) {
  CALLISTO_TRY(storage::Savepoint change, storage::Savepoint::begin(connection_));
  auto result = function(connection_);
  if (result) return change.release();
  CALLISTO_CHECK(change.roll_back());
  return result;
}

Result<void> OneConnection::begin() {
  CALLISTO_TRY(storage::Savepoint spec, storage::Savepoint::begin(connection_));
  spec_.emplace(std::move(spec));
  return {};
}

Result<void> OneConnection::roll_back() {
  CALLISTO_CHECK(spec_.value().roll_back());
  spec_.reset();
  return {};
}

Result<void> OneConnection::keep() {
  CALLISTO_CHECK(spec_.value().release());
  spec_.reset();
  return {};
}

}  // namespace callisto::testing
