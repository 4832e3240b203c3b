// The floor of questions.py: each statement of the standard input, a line of its name and its text with a tab between,
// run again and again by raw sqlite3 or libpq, prepared once for each of so many threads. Prints a line of JSON for
// each: rows, keys, and how long one takes.
#include "engine/storage/sqlite/functions.h"

#include <libpq-fe.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Keys = std::vector<std::string>;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "bench_question_floor: %s\n", what.c_str());
  std::exit(1);
}

// Asks one statement once; the keys of its rows go to where there is a place for them.
using Ask = std::function<void(Keys*)>;

Ask ask_sqlite(const std::string& path, const std::string& sql) {
  sqlite3* raw = nullptr;
  if (sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK)
    fail("cannot open " + path);
  const std::shared_ptr<sqlite3> db(raw, sqlite3_close_v2);
  if (callisto::storage::register_functions(raw) != SQLITE_OK) fail("no functions");
  sqlite3_exec(raw, "PRAGMA cache_size = -65536", nullptr, nullptr, nullptr);
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v3(raw, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &prepared, nullptr) != SQLITE_OK)
    fail(sql + ": " + sqlite3_errmsg(raw));
  const std::shared_ptr<sqlite3_stmt> statement(prepared, sqlite3_finalize);
  return [db, statement](Keys* keys) {
    while (sqlite3_step(statement.get()) == SQLITE_ROW) {
      for (int column = 0; column < sqlite3_column_count(statement.get()); ++column)
        (void)sqlite3_column_text(statement.get(), column);
      if (keys) keys->emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), 0)));
    }
    sqlite3_reset(statement.get());
  };
}

Ask ask_postgres(const std::string& url, const std::string& sql) {
  const std::shared_ptr<PGconn> connection(PQconnectdb(url.c_str()), PQfinish);
  if (PQstatus(connection.get()) != CONNECTION_OK) fail(PQerrorMessage(connection.get()));
  PGresult* prepared = PQprepare(connection.get(), "q", sql.c_str(), 0, nullptr);
  if (PQresultStatus(prepared) != PGRES_COMMAND_OK) fail(sql + ": " + PQerrorMessage(connection.get()));
  PQclear(prepared);
  return [connection](Keys* keys) {
    PGresult* rows = PQexecPrepared(connection.get(), "q", 0, nullptr, nullptr, nullptr, 0);
    if (PQresultStatus(rows) != PGRES_TUPLES_OK) fail(PQerrorMessage(connection.get()));
    for (int row = 0; keys && row < PQntuples(rows); ++row) keys->emplace_back(PQgetvalue(rows, row, 0));
    PQclear(rows);
  };
}

Ask ask_of(const std::string& database, const std::string& sql) {
  return database.starts_with("postgresql:") ? ask_postgres(database, sql) : ask_sqlite(database, sql);
}

// Microseconds for each that one thread asked, until the time is over; at least three.
std::vector<double> times_of(const Ask& ask, std::chrono::milliseconds time) {
  std::vector<double> times;
  const auto end = Clock::now() + time;
  while (times.size() < 3 || Clock::now() < end) {
    const auto begin = Clock::now();
    ask(nullptr);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  return times;
}

void measure(const std::string& database, const std::string& name, const std::string& sql,
             std::chrono::milliseconds time, std::size_t threads) {
  std::vector<Ask> asks;
  for (std::size_t i = 0; i < threads; ++i) asks.push_back(ask_of(database, sql));
  Keys keys;
  asks.front()(&keys);
  std::vector<std::vector<double>> times(threads);
  const auto begin = Clock::now();
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < threads; ++i) workers.emplace_back([&, i] { times[i] = times_of(asks[i], time); });
  for (std::thread& worker : workers) worker.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::vector<double> all;
  for (const auto& each : times) all.insert(all.end(), each.begin(), each.end());
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  std::printf("{\"name\": \"%s\", \"us\": %.1f, \"rate\": %.1f, \"keys\": [", name.c_str(), all[all.size() / 2],
              static_cast<double>(all.size()) / seconds);
  for (std::size_t i = 0; i < std::min<std::size_t>(keys.size(), 100); ++i)
    std::printf("%s\"%s\"", i ? ", " : "", keys[i].c_str());
  std::printf("]}\n");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) fail("DATABASE MILLISECONDS THREADS");
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    measure(arguments[1], line.substr(0, tab), line.substr(tab + 1), std::chrono::milliseconds(std::atoi(arguments[2])),
            static_cast<std::size_t>(std::atoi(arguments[3])));
  }
}
