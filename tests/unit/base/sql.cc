#include "engine/base/sql.h"

#include <catch2/catch.hpp>

#include <type_traits>

namespace callisto {

TEST_CASE("Statement text grows by literals, identifiers and numbered parameters") {
  Sql sql("SELECT ");
  sql.alias('t', 0) << "." << SqlIdentifier::of("Subject") << " FROM " << SqlIdentifier::of("call") << " ";
  sql.alias('t', 0) << " WHERE " << (Sql("a = ").parameter(12)) << " LIMIT ";
  sql.integer(30);
  CHECK(sql.text() == R"(SELECT t0."Subject" FROM "call" t0 WHERE a = ?12 LIMIT 30)");
  CHECK(Sql().empty());
  CHECK_FALSE(sql.empty());
}

TEST_CASE("No text that is made at run time can become SQL") {
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Sql, std::string>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<Sql, const char*>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<SqlIdentifier, std::string_view>);
}

TEST_CASE("An identifier is letters, digits and underscores, and begins with no digit") {
  CHECK(SqlIdentifier::is_valid("call_history2"));
  CHECK(SqlIdentifier::is_valid("_x"));
  for (const char* bad : {"", "2x", "a b", "a\"b", "a;b", "a-b", "é", "a.b"}) {
    INFO(bad);
    CHECK_FALSE(SqlIdentifier::is_valid(bad));
    CHECK(SqlIdentifier::of(bad).text().empty());
  }
}

}  // namespace callisto
