#include "engine/api/requests/timed_slot.h"

#include <optional>

namespace callisto::api {

namespace {

using Time = std::chrono::steady_clock::duration;

class Stopwatch {
 public:
  explicit Stopwatch(Time& sum) : sum_(sum) {}
  ~Stopwatch() { sum_ += std::chrono::steady_clock::now() - begun_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  Time& sum_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

class TimedCursor final : public storage::Cursor {
 public:
  TimedCursor(std::unique_ptr<storage::Cursor> cursor, Time& sum) : cursor_(std::move(cursor)), sum_(sum) {}
  Result<bool> step() override {
    const Stopwatch watch(sum_);
    return cursor_->step();
  }
  bool is_null(std::size_t column) const override { return cursor_->is_null(column); }
  std::int64_t integer(std::size_t column) const override { return cursor_->integer(column); }
  double real(std::size_t column) const override { return cursor_->real(column); }
  std::string_view text(std::size_t column) const override { return cursor_->text(column); }

 private:
  std::unique_ptr<storage::Cursor> cursor_;
  Time& sum_;
};

class TimedConnection final : public storage::Connection {
 public:
  explicit TimedConnection(std::unique_ptr<storage::Connection> connection) : connection_(std::move(connection)) {}

  Result<std::unique_ptr<storage::Cursor>> query(const Sql& sql, const std::vector<Value>& values) override {
    const Stopwatch watch(sum_);
    CALLISTO_TRY(auto cursor, connection_->query(sql, values));
    return std::unique_ptr<storage::Cursor>(std::make_unique<TimedCursor>(std::move(cursor), sum_));
  }
  Result<std::int64_t> execute(const Sql& sql, const std::vector<Value>& values) override {
    const Stopwatch watch(sum_);
    return connection_->execute(sql, values);
  }
  Result<void> run_script(std::string_view sql) override { return connection_->run_script(sql); }
  Result<std::vector<std::string>> explain(const Sql& sql, const std::vector<Value>& values) override {
    return connection_->explain(sql, values);
  }
  Result<storage::Examined> examine(const Sql& sql, const std::vector<Value>& values) override {
    return connection_->examine(sql, values);
  }
  Result<void> set_patience(std::chrono::milliseconds most) override { return connection_->set_patience(most); }
  Result<void> limit_rows(std::optional<std::uint64_t> most) override { return connection_->limit_rows(most); }
  bool has_met_row_limit() const override { return connection_->has_met_row_limit(); }
  const storage::Dialect& dialect() const override { return connection_->dialect(); }
  std::optional<storage::Commits> commits() const override { return connection_->commits(); }
  std::optional<std::uint64_t> version_of(std::string_view table) const override {
    return connection_->version_of(table);
  }

  std::unique_ptr<storage::Connection> release() { return std::move(connection_); }
  std::chrono::microseconds time() const { return std::chrono::duration_cast<std::chrono::microseconds>(sum_); }

 private:
  Result<bool> begin_read() override {
    if (reading_) return false;
    CALLISTO_TRY(auto begun, storage::ReadTransaction::begin(*connection_));
    reading_.emplace(std::move(begun));
    return true;
  }
  void end_read() override { reading_.reset(); }

  std::unique_ptr<storage::Connection> connection_;
  std::optional<storage::ReadTransaction> reading_;
  Time sum_{0};
};

}  // namespace

TimedSlot::TimedSlot(records::Slots::Lease lease, RequestTrace* trace)
    : lease_(std::move(lease)), trace_(lease_ && trace && trace->timed ? trace : nullptr) {
  if (!trace_) return;
  lease_->connection = std::make_unique<TimedConnection>(std::move(lease_->connection));
  lease_->scripts->begin_timing();
}

TimedSlot::~TimedSlot() {
  if (!trace_) return;
  const std::unique_ptr<storage::Connection> timed = std::move(lease_->connection);
  auto& connection = static_cast<TimedConnection&>(*timed);
  trace_->database += connection.time();
  lease_->connection = connection.release();
  for (script::Spent& spent : lease_->scripts->end_timing()) trace_->scripts.push_back(std::move(spent));
}

}  // namespace callisto::api
