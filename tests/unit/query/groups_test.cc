// What $groupby, $aggregate and $orderby refuse, with the column that they name.
#include "engine/query/bind.h"
#include "tests/support/test_catalog.h"

#include <catch2/catch.hpp>

using namespace callisto;

namespace {

struct Refused {
  const char* groupby;
  const char* aggregate;
  const char* orderby;
  const char* option;
  std::size_t column;
  const char* suggestion;
};

const Refused refused[] = {
    {"Stat", nullptr, nullptr, "$groupby", 1, "State"},
    {"State,State", nullptr, nullptr, "$groupby", 7, ""},
    {"State,_x:Ref", nullptr, nullptr, "$groupby", 7, ""},
    {"@UserId", nullptr, nullptr, "$groupby", 1, ""},
    {"*", nullptr, nullptr, "$groupby", 1, ""},
    {"", nullptr, nullptr, "$groupby", 1, ""},
    {"State", "", nullptr, "$aggregate", 1, ""},
    {"State", "SUM(Ref) as X", nullptr, "$aggregate", 1, "sum"},
    {"State", "mean(Ref) as X", nullptr, "$aggregate", 1, "avg"},
    {"State", "maximum(Ref) as X", nullptr, "$aggregate", 1, "max"},
    {"State", "sum Ref as X", nullptr, "$aggregate", 5, ""},
    {"State", "sum(Ref", nullptr, "$aggregate", 8, ""},
    {"State", "sum(Ref)", nullptr, "$aggregate", 9, ""},
    {"State", "sum(Ref) X", nullptr, "$aggregate", 10, ""},
    {"State", "sum(Ref) as", nullptr, "$aggregate", 12, ""},
    {"State", "sum(Ref) as _X", nullptr, "$aggregate", 13, ""},
    {"State", "sum(Ref) as State", nullptr, "$aggregate", 13, ""},
    {"State", "sum(Ref) as X,max(Ref) as X", nullptr, "$aggregate", 27, ""},
    {"State", "count(*) as X", nullptr, "$aggregate", 7, ""},
    {"State", "count() as X", nullptr, "$aggregate", 7, ""},
    {"State", "sum(Description) as X", nullptr, "$aggregate", 5, ""},
    {"State", "avg(DueDate) as X", nullptr, "$aggregate", 5, ""},
    {"State", "max(Priority) as X", nullptr, "$aggregate", 5, ""},
    {"State", "min(Breached) as X", nullptr, "$aggregate", 5, ""},
    {"State", "sum(Ref) as X,", nullptr, "$aggregate", 15, ""},
    {"State", nullptr, "Ref", "$orderby", 1, ""},
    {"State", "sum(Ref) as Total", "Totl", "$orderby", 1, "Total"},
    {"State", nullptr, "_count", "$orderby", 1, "__count"},
    {"Priority.Name", nullptr, "Priority", "$orderby", 1, ""},
};

}  // namespace

TEST_CASE("what makes no groups is refused at its column") {
  test::Desk desk;
  for (const Refused& each : refused) {
    query::Options options;
    options.groupby = each.groupby;
    if (each.aggregate) options.aggregate = each.aggregate;
    if (each.orderby) options.orderby = each.orderby;
    INFO(each.groupby << " | " << options.aggregate.value_or("") << " | " << options.orderby.value_or(""));
    const auto plan = desk.search("call", options);
    REQUIRE_FALSE(plan);
    UNSCOPED_INFO(plan.error().message);
    REQUIRE(plan.error().diagnostic);
    CHECK(plan.error().diagnostic->option == each.option);
    CHECK(plan.error().diagnostic->position == each.column);
    CHECK(plan.error().diagnostic->suggestion == each.suggestion);
  }
}
