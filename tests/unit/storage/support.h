// What the tests of storage share: a folder of their own, databases of every kind, and one-line questions.
#pragma once

#include "engine/storage/database.h"
#include "tests/support/postgres.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace callisto::storage {

using TestFolder = test::TemporaryFolder;

template <typename T>
T must(Result<T> result) {
  if (!result) FAIL(result.error().message << " / " << result.error().log_detail);
  return *std::move(result);
}
inline void must(Result<void> result) {
  if (!result) FAIL(result.error().message << " / " << result.error().log_detail);
}

inline std::unique_ptr<Database> open_database(const std::string& url) {
  DatabaseOptions options;
  options.url = url;
  return must(Database::open(options));
}

// An empty database of each kind. A test that holds for all begins with
//   auto database = open_database(GENERATE(from_range(fresh_urls())));
inline std::vector<std::string> fresh_urls() {
  std::vector<std::string> urls{"sqlite::memory:"};
  if (auto* server = test::Postgres::running()) urls.push_back(server->new_database());
  return urls;
}

inline void write_script(Database& database, std::string_view sql) {
  must(database.write([&](Connection& connection) { return connection.run_script(sql); }));
}

// Rows of one column.
inline std::vector<std::string> texts(Connection& connection, const Sql& sql, const std::vector<Value>& values = {}) {
  auto cursor = must(connection.query(sql, values));
  std::vector<std::string> result;
  while (must(cursor->step())) result.emplace_back(cursor->text(0));
  return result;
}

inline std::int64_t number(Connection& connection, const Sql& sql, const std::vector<Value>& values = {}) {
  auto cursor = must(connection.query(sql, values));
  REQUIRE(must(cursor->step()));
  return cursor->integer(0);
}

}  // namespace callisto::storage
