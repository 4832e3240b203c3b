// The floor of questions.py: each statement of the standard input, a line of its name and its text with a tab between,
// run again and again by raw sqlite3 or libpq, prepared once for each of so many threads. Prints a line of JSON for
// each: rows, keys, and how long one takes.
#include "tests/bench/question_ask.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace callisto::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Keys = std::vector<std::string>;

// Microseconds for each that one thread asked, until the time is over; at least three.
std::vector<double> times_of(const Ask& ask, std::size_t number, std::chrono::milliseconds time) {
  std::vector<double> times;
  const auto end = Clock::now() + time;
  while (times.size() < 3 || Clock::now() < end) {
    const auto begin = Clock::now();
    ask(number, [](std::size_t, const Cell&) {});
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  return times;
}

// `asks`: of a thread each.
void measure(const std::vector<Ask>& asks, const std::string& name, std::size_t number,
             std::chrono::milliseconds time) {
  const std::size_t threads = asks.size();
  Keys keys;
  asks.front()(number, [&keys](std::size_t column, const Cell& cell) {
    if (column == 0) keys.emplace_back(cell.text);
  });
  std::vector<std::vector<double>> times(threads);
  const auto begin = Clock::now();
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < threads; ++i)
    workers.emplace_back([&, i] { times[i] = times_of(asks[i], number, time); });
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

void measure_all(const std::string& database, std::chrono::milliseconds time, std::size_t threads) {
  std::vector<std::string> names;
  Statements statements;
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    names.push_back(line.substr(0, tab));
    statements.push_back(line.substr(tab + 1));
  }
  std::vector<Ask> asks;
  for (std::size_t i = 0; i < threads; ++i) asks.push_back(ask_of(database, statements));
  for (std::size_t number = 0; number < names.size(); ++number) measure(asks, names[number], number, time);
}

}  // namespace
}  // namespace callisto::bench

int main(int count, char** arguments) {
  if (count != 4) callisto::bench::fail("DATABASE MILLISECONDS THREADS");
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  callisto::bench::measure_all(arguments[1], std::chrono::milliseconds(std::atoi(arguments[2])),
                               static_cast<std::size_t>(std::atoi(arguments[3])));
}
