#include "engine/app/serving/script_monitor.h"

#include "engine/base/log.h"
#include "engine/storage/new_rows.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace callisto::app {

namespace {

constexpr std::int64_t kept = 1000;
// In a minute.
constexpr int most_of_a_place = 10;
constexpr int most_in_all = 120;
constexpr std::size_t most_waiting = 200;
constexpr std::size_t longest_message = 2000;
constexpr std::size_t longest_traceback = 8000;

// Cut between characters.
std::string cut(const std::string& text, std::size_t longest) {
  std::size_t end = std::min(text.size(), longest);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

Value text_or_null(const std::string& text) { return text.empty() ? Value(Null{}) : Value(text); }

}  // namespace

ScriptMonitor::ScriptMonitor(storage::Database& database, const Clock& clock, Random& random, bool keeps_failures)
    : database_(database), clock_(clock), random_(random), keeps_failures_(keeps_failures) {
  thread_ = std::thread([this] { run(); });
}

ScriptMonitor::~ScriptMonitor() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void ScriptMonitor::ran(const std::string& file, const std::string& option, std::chrono::microseconds time) {
  static std::atomic<std::size_t> threads = 0;
  thread_local const std::size_t thread = threads++;
  Shard& shard = shards_[thread % shards_.size()];
  const std::lock_guard lock(shard.mutex);
  Runs& runs = shard.runs[file][option];
  ++runs.count;
  runs.microseconds += static_cast<std::uint64_t>(time.count());
}

void ScriptMonitor::failed(const script::ScriptFailure& failure) {
  const std::lock_guard lock(mutex_);
  ++failures_[failure.file];
  if (!keeps_failures_) return;
  if (waiting_.size() >= most_waiting || !admits(failure.file + ':' + std::to_string(failure.line))) {
    ++left_out_;
    return;
  }
  waiting_.push_back({failure, clock_.now()});
  wake_.notify_one();
}

bool ScriptMonitor::admits(const std::string& place) {
  const std::int64_t minute = clock_.steady_ms() / 60'000;
  if (minute != minute_) {
    admitted_.clear();
    admitted_in_all_ = 0;
    minute_ = minute;
  }
  if (admitted_in_all_ >= most_in_all || admitted_[place] >= most_of_a_place) return false;
  ++admitted_in_all_;
  ++admitted_[place];
  return true;
}

void ScriptMonitor::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::deque<Dated> failures = std::exchange(waiting_, {});
    lock.unlock();
    keep(failures);
    lock.lock();
  }
}

const std::vector<catalog::ReliedOn>& ScriptMonitor::relied_on() {
  using catalog::DataType;
  constexpr std::string_view entity = "script-failure", purpose = "keeping failures of scripts";
  static const std::vector<catalog::ReliedOn> list{
      {entity, purpose, DataType::Text, {"Reference", "Entity", "Action", "File", "Message", "Traceback"}},
      {entity, purpose, DataType::DateTime, {"Date"}},
      {entity, purpose, DataType::Lookup, {"Person"}},
      {entity, purpose, DataType::Integer, {"Line"}},
  };
  return list;
}

void ScriptMonitor::keep(const std::deque<Dated>& failures) {
  static const storage::NewRows rows(
      "script_failure", {"Reference", "Date", "Entity", "Action", "Person", "File", "Line", "Message", "Traceback"});
  static const Sql remove("DELETE FROM script_failure WHERE \"Ref\" <= ?1");
  const auto done = database_.write([&](storage::Connection& connection) -> Result<void> {
    std::int64_t last = 0;
    for (const auto& [failure, date] : failures) {
      const Value line = failure.line > 0 ? Value(std::int64_t{failure.line}) : Value(Null{});
      CALLISTO_TRY(last, rows.insert(connection,
                                     {failure.reference, date, text_or_null(failure.entity), failure.action,
                                      failure.person, failure.file, line, cut(failure.message, longest_message),
                                      text_or_null(cut(failure.traceback, longest_traceback))},
                                     {date, random_}));
    }
    CALLISTO_CHECK(connection.execute(remove, {last - kept}));
    return {};
  });
  if (!done) log::error("Script failures could not be kept: " + done.error().log_detail);
}

ScriptMonitor::RunsByPlace ScriptMonitor::all_runs() const {
  RunsByPlace all;
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    for (const auto& [file, functions] : shard.runs)
      for (const auto& [function, runs] : functions) {
        Runs& sum = all[file][function];
        sum.count += runs.count;
        sum.microseconds += runs.microseconds;
      }
  }
  return all;
}

void ScriptMonitor::append(MetricsText& text) const {
  const RunsByPlace all = all_runs();
  const std::lock_guard lock(mutex_);
  text.family("callisto_script_duration_seconds", "summary", "Calls of scripts, each with everything that it started.");
  for (const auto& [file, functions] : all)
    for (const auto& [function, runs] : functions)
      text.summary(runs.microseconds, runs.count, {{"script", file}, {"function", function}});
  text.family("callisto_script_failures_total", "counter", "Scripts that failed.");
  for (const auto& [file, count] : failures_) text.sample(static_cast<double>(count), {{"script", file}});
  text.counter("callisto_script_failures_left_out_total", "Failures that left no row because there were too many.",
               static_cast<double>(left_out_));
}

}  // namespace callisto::app
