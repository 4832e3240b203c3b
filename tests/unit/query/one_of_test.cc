// `in` and `not in` (decision 0038): what they bind to and how they read in SQL.
#include "engine/base/text.h"
#include "engine/query/emit_sql.h"
#include "tests/support/test_catalog.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::query;
using Kind = Predicate::Kind;

namespace {

std::shared_ptr<const Plan> bound(test::Desk& desk, const std::string& filter, std::string_view entity = "call") {
  auto plan = desk.filter(entity, filter);
  INFO(filter);
  if (!plan) FAIL(plan.error().message);
  return *plan;
}

std::string refused(test::Desk& desk, const std::string& filter) {
  auto plan = desk.filter("call", filter);
  INFO(filter);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().status == 400);
  return plan.error().message;
}

std::string sql(test::Desk& desk, const std::string& filter, Dialect dialect = Dialect::Sqlite) {
  return emit_rows(*bound(desk, filter), {}, dialect).sql.text();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

std::string values(std::size_t count) {
  std::string text = "1";
  for (std::size_t i = 1; i < count; ++i) text += "," + std::to_string(i + 1);
  return text;
}

}  // namespace

TEST_CASE("a list of values is one term, a list of one is a comparison") {
  test::Desk desk;
  const auto several = bound(desk, "State in (1, 2, 3)");
  CHECK(several->filter->kind == Kind::OneOf);
  CHECK(several->filter->values.size() == 3);
  CHECK(*bound(desk, "State in (2)")->filter == *bound(desk, "State == 2")->filter);
  CHECK(*bound(desk, "State not in (2)")->filter == *bound(desk, "!(State == 2)")->filter);
}

TEST_CASE("null, properties and numbers between two values keep what == says of them") {
  test::Desk desk;
  CHECK(*bound(desk, "Service in (null)")->filter == *bound(desk, "Service == null")->filter);
  CHECK(*bound(desk, "Service in (null, 1)")->filter == *bound(desk, "Service == 1 || Service == null")->filter);
  CHECK(*bound(desk, "User in (Analyst, null)")->filter == *bound(desk, "User == Analyst || User == null")->filter);
  const auto never = bound(desk, "Ref in (1.5, 2.5)");
  CHECK(never->filter->kind == Kind::Always);
  CHECK_FALSE(never->filter->constant_value);
  CHECK(*bound(desk, "Ref in (1.5, 2)")->filter == *bound(desk, "Ref == 2")->filter);
}

TEST_CASE("the SQL of a list depends on its length, not on its values") {
  test::Desk desk;
  for (const Dialect dialect : {Dialect::Sqlite, Dialect::PostgreSql}) {
    CHECK(sql(desk, "State in (1, 2)", dialect) == sql(desk, "State in (7, 0)", dialect));
    CHECK(has(sql(desk, "State in (1, 2)", dialect), "\"State\" IN (?1, ?2)"));
    CHECK(has(sql(desk, "Description in (\"a\", \"b\")", dialect), " IN (?1, ?2)"));
  }
  CHECK(has(sql(desk, "State not in (1, 2)"), "(t0.\"State\" IN (?1, ?2)) IS NOT TRUE"));
}

TEST_CASE("an index answers a list of values in front of the barrier") {
  test::Desk desk;
  Scope scope;
  scope.partitions = 1;
  const auto limited = [&](const std::string& filter) {
    return emit_rows(*bound(desk, filter), scope, Dialect::Sqlite).sql.text();
  };
  const std::string few = limited("State in (1, 2) && Description in (\"a\", \"b\")");
  CHECK(few.find("\"State\" IN") > few.find(" END"));
  CHECK(few.find("\"Description\" COLLATE folded IN") < few.find(" END"));
  const std::string many = limited("State in (" + values(40) + ")");
  CHECK(many.find("\"State\" IN") < many.find(" END"));
}

TEST_CASE("every value of a list counts as a node") {
  test::Desk desk;
  bound(desk, "Ref in (" + values(500) + ")");
  CHECK(has(refused(desk, "Ref in (" + values(501) + ")"), "more than 500"));
}

TEST_CASE("a wrong list says what would be right") {
  test::Desk desk;
  CHECK(has(refused(desk, "State IN (1)"), "did you mean 'in'?"));
  CHECK(has(refused(desk, "!Breached in (true)"), "did you mean 'not in'?"));
  CHECK(has(refused(desk, "Ref in 1"), "found '1', expected '('"));
  CHECK(has(refused(desk, "Ref not (1)"), "expected in"));
  CHECK(has(refused(desk, "DueDate in (\"2026-03-15\")"), "did you mean '@DateTime(2026-03-15)'?"));
  CHECK(has(refused(desk, "Description in (Smith, \"b\")"), "did you mean '\"Smith\"'?"));
  CHECK(has(refused(desk, "Priority in (\"High\")"), "'Priority' is Lookup"));
  CHECK(has(refused(desk, "5 in (Ref)"), "'5' is no property"));
}
