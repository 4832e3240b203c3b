#include "engine/query/sql/condition.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::query::emit;

namespace {

std::size_t deepest(const std::string& sql) {
  std::size_t open = 0, most = 0;
  for (char c : sql) {
    if (c == '(') most = std::max(most, ++open);
    if (c == ')') --open;
  }
  return most;
}

}  // namespace

TEST_CASE("an empty list is true for all and false for any") {
  CHECK(all_of({}).sql.text() == "1 = 1");
  CHECK(any_of({}).sql.text() == "1 = 0");
}

TEST_CASE("the deepest part of a list stands first, so that SQLite's parser holds little of it at a time") {
  Condition nested{Sql("a")};
  for (int level = 0; level < 24; ++level) {
    nested = any_of({{Sql("b")}, std::move(nested)});
    nested = all_of({{Sql("c")}, std::move(nested)});
  }
  CHECK(nested.sql.text().substr(0, 30) == std::string(24, '(') + "b OR a");
  CHECK(nested.depth < 60);
}

TEST_CASE("long lists are grouped, so that no list is a tree too deep for SQLite") {
  std::vector<Condition> parts(2000, Condition{Sql("a")});
  const auto text = any_of(std::move(parts)).sql.text();
  CHECK(deepest(text) == 2);
  CHECK(std::count(text.begin(), text.end(), 'a') == 2000);
  CHECK(text.substr(0, 8) == "((a OR a");
}
