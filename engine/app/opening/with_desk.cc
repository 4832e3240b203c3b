#include "engine/app/opening/with_desk.h"

#include "engine/app/opening/load.h"
#include "engine/base/text.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace callisto::app {

namespace {

int exit_status(const Result<void>& done) {
  if (done) return 0;
  print_error(done.error());
  return done.error().errors.empty() ? 1 : 2;  // 2: what was given can be no value of its property
}

}  // namespace

audit::Event noted(audit::Kind kind, const char* entity, const char* action, const std::string& name) {
  audit::Event event;
  event.kind = kind;
  event.entity = entity;
  event.action = action;
  event.reason = name + ", by the command line, user " + std::to_string(getuid());
  return event;
}

int change_desk(const Settings& settings, const audit::Event& event, const DeskChange& change,
                std::string_view beside_server) {
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const auto database = open_database(settings, *model, clock);
  if (!database) {
    std::fprintf(stderr, "callisto: nothing was changed; while a server has the desk open, %s\n",
                 std::string(beside_server).c_str());
    return 1;
  }
  const auto log = open_audit(settings, clock);
  if (!log) return 1;
  const auto done =
      database->write([&](storage::Connection& connection) { return change(connection, *model, clock.now(), random); });
  if (done) log->note(event);
  return exit_status(done);
}

int read_desk(const Settings& settings, const std::function<Result<void>(storage::Connection&)>& read) {
  const auto run = [&]() -> Result<void> {
    CALLISTO_TRY(const auto database, storage::Database::open({.url = settings.database_url(), .read_only = true}));
    CALLISTO_TRY(const auto connection, database->connect_reader());
    return read(*connection);
  };
  return exit_status(run());
}

void print_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) {
  const bool terminal = isatty(1) == 1;
  std::vector<std::size_t> widths;
  widths.reserve(titles.size());
  for (const std::string& title : titles) widths.push_back(text::length(title));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text::length(row[i]));
  const auto print = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 == row.size()) break;
      if (terminal) line.append(widths[i] - text::length(row[i]) + 2, ' ');
      else line += '\t';
    }
    std::printf("%s\n", line.c_str());
  };
  if (terminal) print(titles);
  for (const auto& row : rows) print(row);
}

}  // namespace callisto::app
