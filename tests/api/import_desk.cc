#include "import_desk.h"

#include "engine/storage/database.h"
#include "tests/support/postgres.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <regex>
#include <sstream>

namespace callisto::tests {

const ImportDesk& ImportDesk::write(const std::string& name, std::string_view content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return *this;
}

std::string ImportDesk::content(const std::string& name) const {
  std::ifstream file(path(name), std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}

Finished ImportDesk::import(const std::string& file, const std::vector<std::string>& more) const {
  std::vector<std::string> arguments{"--data", data(), "import", path(file), "--map", path("map.lua")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Finished finished = run_program(arguments);
  const std::string folder = folder_.path() + "/";
  for (std::size_t at; (at = finished.output.find(folder)) != std::string::npos;)
    finished.output.erase(at, folder.size());
  return finished;
}

Finished ImportDesk::import_csv(std::string_view map, std::string_view csv) const {
  return write("map.lua", map).write("data.csv", csv).import("data.csv");
}

namespace {

// The tests' statements in PostgreSQL's words: names as they are written, and its own printf.
std::string spelled_for_postgres(std::string sql) {
  static const std::regex name(R"((^|[^"'\w])([A-Z][a-z]\w*))"), print(R"(\bprintf\()");
  sql = std::regex_replace(sql, name, "$1\"$2\"");
  return std::regex_replace(sql, print, "format(");
}

}  // namespace

std::string ImportDesk::rows(const Sql& sql) const {
  if (is_on_postgres()) {
    std::string all;
    for (const std::string& value : test::Postgres::select(database_url(data()), spelled_for_postgres(sql.text())))
      all += value + "\n";
    return all;
  }
  const auto database = storage::Database::open({.url = database_url(data()), .read_only = true});
  REQUIRE(database);
  const auto reader = (*database)->connect_reader();
  REQUIRE(reader);
  auto cursor = (*reader)->query(sql, {});
  REQUIRE(cursor);
  std::string rows;
  for (auto found = (*cursor)->step(); found && *found; found = (*cursor)->step())
    rows += std::string((*cursor)->text(0)) + "\n";
  return rows;
}

void check_holds(const std::string& text, const std::vector<std::string>& parts) {
  std::string missing;
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos) missing += part + "\n";
  INFO(text);
  CHECK(missing == "");
}

}  // namespace callisto::tests
