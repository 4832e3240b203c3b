// The statements of the floor of questions.py, each prepared once for a connection of raw sqlite3 or libpq. One thread
// at a time.
#pragma once

#include "engine/storage/sqlite/functions.h"

#include <libpq-fe.h>
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::bench {

[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "bench: %s\n", what.c_str());
  std::exit(1);
}

struct Cell {
  std::string_view name, text;  // valid during the call
  enum class Kind { Null, Number, Text } kind;
};

using Visit = std::function<void(std::size_t column, const Cell&)>;  // each column of each row, from left to right
// Reads all rows of the statement of this number.
using Ask = std::function<void(std::size_t number, const Visit&)>;
using Statements = std::vector<std::string>;

inline Ask ask_sqlite(const std::string& path, const Statements& statements) {
  sqlite3* raw = nullptr;
  if (sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK)
    fail("cannot open " + path);
  const std::shared_ptr<sqlite3> db(raw, sqlite3_close_v2);
  if (storage::register_functions(raw) != SQLITE_OK) fail("no functions");
  sqlite3_exec(raw, "PRAGMA cache_size = -65536", nullptr, nullptr, nullptr);
  std::vector<std::shared_ptr<sqlite3_stmt>> prepared;
  for (const std::string& sql : statements) {
    sqlite3_stmt* one = nullptr;
    if (sqlite3_prepare_v3(raw, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &one, nullptr) != SQLITE_OK)
      fail(sql + ": " + sqlite3_errmsg(raw));
    prepared.emplace_back(one, sqlite3_finalize);
  }
  return [db, prepared](std::size_t number, const Visit& visit) {
    sqlite3_stmt* rows = prepared[number].get();
    while (sqlite3_step(rows) == SQLITE_ROW)
      for (int column = 0; column < sqlite3_column_count(rows); ++column) {
        const int type = sqlite3_column_type(rows, column);
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(rows, column));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(rows, column));
        visit(static_cast<std::size_t>(column), {sqlite3_column_name(rows, column),
                                                 {text ? text : "", size},
                                                 type == SQLITE_NULL   ? Cell::Kind::Null
                                                 : type == SQLITE_TEXT ? Cell::Kind::Text
                                                                       : Cell::Kind::Number});
      }
    sqlite3_reset(rows);
  };
}

// Types of PostgreSQL whose text is a number of JSON: int8, int2, int4, float4, float8.
inline bool is_number(Oid type) { return type == 20 || type == 21 || type == 23 || type == 700 || type == 701; }

inline Ask ask_postgres(const std::string& url, const Statements& statements) {
  const std::shared_ptr<PGconn> connection(PQconnectdb(url.c_str()), PQfinish);
  if (PQstatus(connection.get()) != CONNECTION_OK) fail(PQerrorMessage(connection.get()));
  for (std::size_t number = 0; number < statements.size(); ++number) {
    PGresult* prepared =
        PQprepare(connection.get(), std::to_string(number).c_str(), statements[number].c_str(), 0, nullptr);
    if (PQresultStatus(prepared) != PGRES_COMMAND_OK)
      fail(statements[number] + ": " + PQerrorMessage(connection.get()));
    PQclear(prepared);
  }
  return [connection](std::size_t number, const Visit& visit) {
    PGresult* rows = PQexecPrepared(connection.get(), std::to_string(number).c_str(), 0, nullptr, nullptr, nullptr, 0);
    if (PQresultStatus(rows) != PGRES_TUPLES_OK) fail(PQerrorMessage(connection.get()));
    for (int row = 0; row < PQntuples(rows); ++row)
      for (int column = 0; column < PQnfields(rows); ++column)
        visit(static_cast<std::size_t>(column),
              {PQfname(rows, column),
               {PQgetvalue(rows, row, column), static_cast<std::size_t>(PQgetlength(rows, row, column))},
               PQgetisnull(rows, row, column)     ? Cell::Kind::Null
               : is_number(PQftype(rows, column)) ? Cell::Kind::Number
                                                  : Cell::Kind::Text});
    PQclear(rows);
  };
}

inline Ask ask_of(const std::string& database, const Statements& statements) {
  return database.starts_with("postgresql:") ? ask_postgres(database, statements) : ask_sqlite(database, statements);
}

}  // namespace callisto::bench
