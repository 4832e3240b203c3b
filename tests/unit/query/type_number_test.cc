// Types that indexes tell apart by a number (base/short_number.h): rows of one type are counted without being read, and
// two types of one number are told by their names.
#include "engine/base/short_number.h"
#include "engine/query/emit_sql.h"
#include "tests/support/plan_builder.h"
#include "tests/support/typed_catalog.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

using namespace callisto;
using namespace callisto::query;
using namespace callisto::test;

namespace {

// `others`: types of document beside report.
std::shared_ptr<const catalog::Catalog> with_types(const std::vector<std::string>& others) {
  auto entities = with_document_indexes({{"Rank", "Due"}, {"Size", "Due"}});
  for (const std::string& name : others) {
    auto type = entity(name, {});
    type.extends = "document";
    entities.push_back(std::move(type));
  }
  return typed_catalog(std::move(entities));
}

struct Reports : PlanBuilder {
  explicit Reports(const std::vector<std::string>& others = {}, const char* name = "report")
      : PlanBuilder(with_types(others), name) {
    plan.filter = compare(path("Rank"), CompareOp::Equal, whole(1));
  }
  std::string count(const Scope& scope = {}, Dialect dialect = Dialect::Sqlite) const {
    return emit_count(plan, scope, dialect).sql.text();
  }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

const std::string by_number = R"(((unicode(t0."RecordType") + length(t0."RecordType")) % 100) IN (20))";
const std::string by_name = R"(t0."RecordType" IN ('report'))";

}  // namespace

TEST_CASE("a type is asked for by its number where an index leads to the rows by something else") {
  Reports reports;
  CHECK(short_number("report") == 20);
  CHECK(has(reports.count(), by_number));
  CHECK_FALSE(has(reports.count(), by_name));
  CHECK(has(reports.count({}, Dialect::PostgreSql), by_name));
  CHECK_FALSE(has(reports.count({}, Dialect::PostgreSql), "unicode"));
  reports.plan.filter.reset();  // the type leads
  CHECK(has(reports.count(), by_name));
  CHECK_FALSE(has(reports.count(), by_number));
}

TEST_CASE("what has the number of another type is told by its name too, and so is what the catalog does not know") {
  CHECK(short_number("rescue") == short_number("report"));
  const std::string both = by_number + R"( AND +t0."RecordType" IN ('report'))";
  CHECK(has(Reports({"rescue"}).count(), both));
  CHECK_FALSE(has(Reports({"memo"}).count(), "'report'"));
  Reports reports;
  const std::set<const catalog::Entity*> strange{&reports.plan.entity->root()};
  CHECK(has(reports.count({.with_unknown_types = &strange}), both));
}

TEST_CASE("all of a hierarchy have no type to be told by") {
  CHECK_FALSE(has(Reports({"memo", "rescue"}, "document").count(), "RecordType"));
}
