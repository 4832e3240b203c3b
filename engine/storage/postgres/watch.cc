#include "engine/storage/postgres/watch.h"

#include "engine/base/log.h"
#include "engine/storage/postgres/connection.h"

#include <sys/socket.h>

#include <utility>

namespace callisto::storage {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_questions(1000), between_cuts(200);
constexpr milliseconds for_an_answer(2000);  // to SELECT of nothing
constexpr int enough_unanswered = 2;         // one may come late where a machine is very busy

constexpr SqlLiteral question(
    "SELECT CASE WHEN pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' THEN 0 ELSE 1 END");

}  // namespace

PostgresWait::Guard::Guard(PostgresWait& wait, int socket, milliseconds longest) : wait_(wait) {
  const auto now = Clock::now();
  const std::lock_guard lock(wait_.mutex_);
  wait_.socket_ = socket;
  wait_.since_ = now;
  wait_.due_ = now + longest;
}

PostgresWait::Guard::~Guard() {
  const std::lock_guard lock(wait_.mutex_);
  wait_.socket_ = -1;
}

// libpq then reads the end of the connection. The descriptor stays its own: it is closed by whoever waits.
void PostgresWait::end_if_due(Clock::time_point now, std::optional<Clock::time_point> cut) {
  const std::lock_guard lock(mutex_);
  if (socket_ >= 0 && (now >= due_ || (cut && since_ < *cut))) shutdown(socket_, SHUT_RDWR);
}

PostgresWatch::PostgresWatch(std::string url) : url_(std::move(url)) {}

PostgresWatch::~PostgresWatch() {
  asking_.reset();
  cutting_.reset();
  connection_.reset();
}

void PostgresWatch::start() {
  cutting_.emplace(between_cuts, [this] { cut(); });
  asking_.emplace(between_questions, [this] { ask(); });
}

void PostgresWatch::add(PostgresWait& wait) {
  const std::lock_guard lock(mutex_);
  waits_.insert(&wait);
}

void PostgresWatch::remove(PostgresWait& wait) {
  const std::lock_guard lock(mutex_);
  waits_.erase(&wait);
}

Result<bool> PostgresWatch::ask_once() {
  if (!connection_) {
    CALLISTO_TRY(connection_, PostgresConnection::open(url_, "SET application_name = 'callisto-watch'", nullptr,
                                                       {this, for_an_answer}));
  }
  CALLISTO_TRY(auto row, connection_->query(Sql(question), {}));
  CALLISTO_TRY(const bool found, row->step());
  return found && row->integer(0) == 1;
}

void PostgresWatch::ask() {
  const auto writes = ask_once();
  const bool is_refusal = !writes && writes.error().log_detail.find("FATAL:") != std::string::npos;
  unanswered_ = writes || is_refusal ? 0 : unanswered_ + 1;  // who refuses, for want of connections or so, answers
  if (!writes || !*writes) connection_.reset();              // the next question may find another server
  const bool answers = unanswered_ < enough_unanswered;
  if (writes && *writes && !takes_writes_) ++epoch_;
  if (writes) takes_writes_ = *writes;
  if (answers_ == answers) return;
  if (answers) {
    const std::lock_guard lock(mutex_);
    found_ = PostgresWait::Clock::now();
  }
  answers_ = answers;
  if (answers) log::info("The database answers again.");
  else log::error("The database does not answer; requests get 503 until it does: " + writes.error().log_detail);
}

// A network that comes back has lost what it was given before: of whoever still waits nobody knows.
void PostgresWatch::cut() {
  const auto now = PostgresWait::Clock::now();
  const std::lock_guard lock(mutex_);
  auto cut = found_ && now - *found_ >= for_an_answer ? found_ : std::nullopt;
  if (!answers_) cut = now - for_an_answer;
  for (PostgresWait* wait : waits_) wait->end_if_due(now, cut);
}

}  // namespace callisto::storage
