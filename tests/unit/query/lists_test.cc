// Any, All and Count (decision 0039): what they bind to, how they read in SQL and what is refused.
#include "engine/query/emit_sql.h"
#include "tests/support/test_catalog.h"

#include <catch2/catch.hpp>

using namespace callisto;
using namespace callisto::query;
using Kind = Predicate::Kind;

namespace {

std::shared_ptr<const Plan> bound(test::Desk& desk, const std::string& filter) {
  auto plan = desk.filter("call", filter);
  INFO(filter);
  if (!plan) FAIL(plan.error().message);
  return *plan;
}

Error refused(test::Desk& desk, const std::string& filter) {
  auto plan = desk.filter("call", filter);
  INFO(filter);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().status == 400);
  return std::move(plan).error();
}

bool says(const Error& error, std::string_view part) {
  UNSCOPED_INFO(error.message);
  return error.message.find(part) != std::string::npos;
}

std::string sql(test::Desk& desk, const std::string& filter, const Scope& scope = {},
                Dialect dialect = Dialect::Sqlite) {
  return emit_count(*bound(desk, filter), scope, dialect).sql.text();
}

}  // namespace

TEST_CASE("Any asks for a row, All for none that does not, Count for a number of them") {
  test::Desk desk;
  const auto any = bound(desk, "history.Any(Order > 3 && Analyst == 7)");
  CHECK(any->filter->kind == Kind::HasRow);
  CHECK(any->filter->list->name == "history");
  CHECK(any->lists == std::vector<const catalog::Entity*>{&desk.find("call-history")});
  CHECK(*bound(desk, "history.All(Order > 3)")->filter == *bound(desk, "!history.Any(!(Order > 3))")->filter);
  CHECK(*bound(desk, "3 < history.Count()")->filter == *bound(desk, "history.Count() > 3")->filter);
  CHECK(*bound(desk, "history.Count() > 2.5")->filter == *bound(desk, "history.Count() > 2")->filter);
  CHECK(bound(desk, "history.Count() == 2.5")->filter->kind == Kind::Always);
  CHECK(*bound(desk, "SubTask.Any()")->filter == *bound(desk, "SubTask.Any()")->filter);
}

TEST_CASE("constants of a list's predicate are the plan's own, in their order") {
  test::Desk desk;
  const auto plan = bound(desk, "Ref > 1 && history.Count(Order in (2, 3) || Description == \"x\") > 4 && Ref < 5");
  std::vector<Value> values;
  for (const Constant& each : plan->constants) values.push_back(each.value);
  CHECK(values == std::vector<Value>{std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::string("x"),
                                     std::int64_t{4}, std::int64_t{5}});
  CHECK(std::get<ConstantRef>(plan->filter->children[1].right).index == 4);
}

TEST_CASE("the rows of a list are looked at behind the session's limit of them") {
  test::Desk desk;
  Scope scope;
  scope.partitions = 1;
  const std::string any = sql(desk, "history.Any(Description.StartsWith(\"a\"))", scope);
  INFO(any);
  const std::size_t exists = any.find("EXISTS (SELECT 1 FROM \"call_history\"");
  const std::size_t when = any.find("CASE WHEN", exists), term = any.find("starts_with_folded", exists);
  REQUIRE(exists != std::string::npos);
  CHECK(any.rfind("CASE WHEN", exists) != std::string::npos);
  CHECK(when < term);
  CHECK(any.find("\"Partition\" IN", when) < term);
  CHECK(sql(desk, "history.Any(Order == 1)") == sql(desk, "history.Any(Order == 2)"));
  CHECK(sql(desk, "!history.Any(Order == 1)").find("NOT EXISTS (SELECT 1") != std::string::npos);
}

TEST_CASE("a list that names @IsDeleted sees deleted rows, and the others do not") {
  test::Desk desk;
  CHECK_FALSE(bound(desk, "history.Any()")->filter->with_deleted);
  const auto plan = bound(desk, "history.Any(@IsDeleted)");
  CHECK(plan->filter->with_deleted);
  CHECK_FALSE(plan->names_deleted);
}

TEST_CASE("lists count as relations, their parentheses as levels, their methods as nodes") {
  test::Desk desk;
  desk.limits.relations = 2;
  bound(desk, "history.Any(Analyst.Name == \"x\")");
  CHECK(says(refused(desk, "history.Any(Analyst.Name == \"x\") && SubTask.Any()"), "more than 2 relations"));
  CHECK(says(refused(desk, "Service.Name == \"x\" && history.Any(Analyst.Name == \"x\")"), "more than 2 relations"));
  desk.limits = {};
  desk.limits.nesting = 1;
  bound(desk, "history.Any(Order == 1)");
  CHECK(says(refused(desk, "history.Any((Order == 1))"), "more than 1 level"));
  desk.limits = {};
  desk.limits.nodes = 2;
  CHECK(says(refused(desk, "history.Any(Order == 1 && Order == 2)"), "more than 2 comparisons"));
}

TEST_CASE("a wrong list says what would be right, at its column") {
  test::Desk desk;
  CHECK(says(refused(desk, "histroy.Any()"),
             "column 1: 'histroy' is no list of call; there are history and SubTask; did you mean 'history'?"));
  CHECK(says(refused(desk, "User.Any()"), "Any, All and Count are for the lists below a record"));
  CHECK(says(refused(desk, "User.history.Any()"), "only lists of the record itself"));
  CHECK(says(refused(desk, "history.any()"), "did you mean 'Any'?"));
  CHECK(says(refused(desk, "history.All()"), "column 13: found ')'"));
  CHECK(says(refused(desk, "history.Count()"), "did you mean 'history.Count() > 0'?"));
  CHECK(says(refused(desk, "history.Count() == \"3\""), "a count is compared with a number"));
  CHECK(says(refused(desk, "history.Count() == history.Count()"), "a count is compared with a number"));
  CHECK(says(refused(desk, "history.Count() > 1e30"), "out of range"));
  CHECK(says(refused(desk, "history.Count() in (1, 2)"), "is no property"));
  CHECK(says(refused(desk, "Ref in (history.Count(), 2)"), "a count is compared with a number"));
  CHECK(says(refused(desk, "history.Any() == true"), "a condition is no operand"));
  CHECK(refused(desk, "history.Any(Oder == 1)").diagnostic->position == 13);
  CHECK(refused(desk, "history.Any(Order == 1").diagnostic->position == 23);
  CHECK(says(refused(desk, "history.Any(Order)"), "is Integer and no condition"));
}

TEST_CASE("a rule that is decided in memory knows no lists, and says so") {
  test::Desk desk;
  const auto rule = bind_predicate(desk.catalog, desk.find("call"), "history.Any()", desk.limits, desk.folder);
  REQUIRE_FALSE(rule);
  CHECK(says(rule.error(), "only a search can find"));
}
