#include "engine/storage/sqlite/check.h"

#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/storage/sqlite/error.h"
#include "engine/storage/upkeep.h"

namespace callisto::storage {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds patience_at_start(500);
constexpr std::chrono::hours patience_of_the_operator(24);
constexpr int instructions_between_looks = 10'000;

Result<std::vector<std::string>> lines_of(Connection& connection, const Sql& pragma) {
  CALLISTO_TRY(auto cursor, connection.query(pragma, {}));
  std::vector<std::string> lines;
  for (;;) {
    CALLISTO_TRY(const bool row, cursor->step());
    if (!row) break;
    if (cursor->text(0) != "ok") lines.push_back(text::well_formed(cursor->text(0)));
  }
  return lines;
}

}  // namespace

Result<std::vector<std::string>> check_file(const std::string& url) {
  constexpr std::string_view sqlite = "sqlite:";
  if (!url.starts_with(sqlite) || url == "sqlite::memory:")
    return internal("only a database file can be checked: the setting 'database' must be sqlite:PATH");
  CALLISTO_TRY(const auto reader,
               SqliteConnection::open_reader(url.substr(sqlite.size()), 16 * 1024, patience_of_the_operator));
  CALLISTO_TRY(auto problems, lines_of(*reader, Sql("PRAGMA integrity_check(20)")));
  if (!problems.empty()) return problems;
  return lines_of(*reader, Sql("PRAGMA foreign_key_check"));
}

Result<void> check_after_crash(SqliteConnection& connection, const std::string& path) {
  const Clock::time_point end = Clock::now() + patience_at_start;
  const auto is_past = [](void* time) { return Clock::now() >= *static_cast<const Clock::time_point*>(time) ? 1 : 0; };
  sqlite3_progress_handler(connection.handle(), instructions_between_looks, is_past,
                           const_cast<Clock::time_point*>(&end));
  const auto problems = lines_of(connection, Sql("PRAGMA quick_check(1)"));
  sqlite3_progress_handler(connection.handle(), 0, nullptr, nullptr);
  if (problems && problems->empty()) return {};
  if (problems) return internal("the database " + path + " is damaged: " + problems->front() + ". " + damage_advice);
  if (!problems.error().is_unavailable()) return problems.error();
  log::info("the last server on " + path +
            " did not stop properly; the file is too large to be checked now: `callisto check --database` does that, "
            "also beside a running server");
  return {};
}

}  // namespace callisto::storage
