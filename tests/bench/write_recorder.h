// The statements of one write of the engine, as SQLite got them, so that write_floor.cc can do the same without the
// engine. SQLite's trace gives each statement with its values spelt out; beside its own text they are values again.
#pragma once

#include "tests/bench/desk.h"

#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace callisto::bench {

using Literal = std::variant<std::monostate, std::int64_t, double, std::string>;  // NULL, numbers, a text

struct Recorded {
  std::string sql;
  std::vector<Literal> values;  // by the number of the parameter, the first at 0
};

// Takes one literal of SQL off the front of `text`.
inline Literal take_literal(std::string_view& text) {
  if (text.starts_with("NULL")) {
    text.remove_prefix(4);
    return std::monostate();
  }
  if (text.starts_with("'")) {
    std::string value;
    std::size_t at = 1;
    for (; text[at] != '\'' || text.substr(at, 2) == "''"; ++at) {
      if (text[at] == '\'') ++at;
      value += text[at];
    }
    text.remove_prefix(at + 1);
    return value;
  }
  const std::string number(text.substr(0, text.find_first_not_of("+-.0123456789e")));
  if (number.empty())
    fail("the trace has a value that is neither a number nor a text: " + std::string(text.substr(0, 40)));
  text.remove_prefix(number.size());
  if (number.find_first_of(".e") != number.npos) return std::stod(number);
  return static_cast<std::int64_t>(std::stoll(number));
}

// `sql` has parameters (?1) where `expanded` has values.
inline std::vector<Literal> values_of(std::string_view sql, std::string_view expanded) {
  std::vector<Literal> values;
  while (!sql.empty()) {
    if (sql.front() != '?') {
      sql.remove_prefix(1);
      expanded.remove_prefix(1);
      continue;
    }
    std::size_t end = 1;
    while (end < sql.size() && std::isdigit(static_cast<unsigned char>(sql[end]))) ++end;
    const std::size_t number = std::stoul(std::string(sql.substr(1, end - 1)));
    sql.remove_prefix(end);
    values.resize(std::max(values.size(), number));
    values[number - 1] = take_literal(expanded);
  }
  return values;
}

// Listens to every connection that is opened while it lives; one thread writes meanwhile, nobody else does anything.
class Recorder {
 public:
  Recorder() {
    self() = this;
    sqlite3_auto_extension(reinterpret_cast<void (*)()>(&Recorder::opened));
  }
  ~Recorder() {
    sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(&Recorder::opened));
    self() = nullptr;
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void clear() { statements_.clear(); }
  const std::vector<Recorded>& statements() const { return statements_; }

 private:
  static Recorder*& self() {
    static Recorder* recorder = nullptr;
    return recorder;
  }

  static int opened(sqlite3* db, const char**, const sqlite3_api_routines*) {
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, &Recorder::began, nullptr);
  }

  static int began(unsigned, void*, void* statement, void* text) {
    if (!self() || std::string_view(static_cast<const char*>(text)).starts_with("--")) return 0;  // a trigger's
    auto* traced = static_cast<sqlite3_stmt*>(statement);
    char* expanded = sqlite3_expanded_sql(traced);
    const std::string sql = sqlite3_sql(traced);
    self()->statements_.push_back({sql, values_of(sql, expanded)});
    sqlite3_free(expanded);
    return 0;
  }

  std::vector<Recorded> statements_;
};

}  // namespace callisto::bench
