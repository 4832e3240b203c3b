// What a filter asks through lookups: terms through one lookup ask one record, and where rows are found by something
// else, that of each row is looked at instead of a list of all that match.
#include "engine/query/emit_sql.h"
#include "engine/query/index_seek.h"
#include "tests/support/plan_builder.h"
#include "tests/support/typed_catalog.h"

#include <catch2/catch.hpp>

#include <string>

using namespace callisto;
using namespace callisto::query;
using namespace callisto::test;

namespace {

struct Page : PlanBuilder {
  explicit Page(const char* entity = "document")
      : PlanBuilder(typed_catalog(with_document_indexes({{"Author", "Rank"}}), document_states()), entity) {
    plan.top = 30;
  }
  Predicate equal(const char* name, std::int64_t value) { return compare(path(name), CompareOp::Equal, whole(value)); }
  std::string sql(Dialect dialect = Dialect::Sqlite, Way way = Way::Free, const Scope& scope = {}) const {
    return emit_rows(plan, scope, dialect, Reach::All, Stretch::Same, way).sql.text();
  }
};

std::size_t times(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("terms through one lookup ask one record, whatever stands between them") {
  Page page;
  const Predicate born = compare(page.path("Author.Born"), CompareOp::Greater, page.whole(1));
  page.plan.filter = all({page.equal("Author.Rank", 1), page.equal("Size", 2), born, page.equal("Item.Cost", 3),
                          page.equal("Author.City.Region", 4), opposite(page.equal("Author.Rank", 5))});
  for (const Dialect dialect : {Dialect::Sqlite, Dialect::PostgreSql}) {
    const std::string text = page.sql(dialect);
    const std::string where = text.substr(0, text.find("LIMIT"));
    CHECK(times(where, "\"Author\" IN (SELECT") == 2);  // together, and what is not to be
    CHECK(times(where, "\"Item\" IN (SELECT") == 1);
  }
}

TEST_CASE("what either of two terms asks through a lookup is asked apart") {
  Page page;
  page.plan.filter = any({page.equal("Author.Rank", 1), page.equal("Author.City", 2)});
  CHECK(times(page.sql(), "\"Author\" IN (SELECT") == 2);
}

TEST_CASE("terms through one lookup lead to rows as one, and with what the index has behind it") {
  Page page;
  page.plan.filter = all({page.equal("Author.Rank", 1), page.equal("Author.City", 2), page.equal("Rank", 3)});
  const auto seeks = seeks_beside_order(page.plan);
  REQUIRE(seeks.size() == 1);
  CHECK(seeks.front().size() == 3);
  CHECK(is_through_lookup(seeks.front()));
}

TEST_CASE("where no index gives the order there is a choice among several ways to rows alone") {
  Page page;
  page.plan.order.insert(page.plan.order.begin(), {page.path("Title"), false});
  const auto probes = [&](Dialect dialect) { return emit_probes(page.plan, {}, dialect, 9, 9).size(); };
  page.plan.filter = page.equal("Author", 1);
  CHECK(probes(Dialect::Sqlite) == 0);
  page.plan.filter = all({page.equal("Author", 1), page.equal("Item", 2)});
  CHECK(probes(Dialect::Sqlite) == 2);
  CHECK(probes(Dialect::PostgreSql) == 0);
  page.plan.filter = all({page.equal("Author", 1), page.equal("Item.Cost", 2)});
  CHECK(probes(Dialect::Sqlite) == 2);
}

TEST_CASE("each row's own record is looked at where a key leads to few rows and the records have states") {
  Page notes("note");
  notes.plan.filter = all({notes.equal("DocumentId", 1), notes.equal("Writer.Rank", 2)});
  CHECK(times(notes.sql(), "\"Writer\" IN (SELECT") == 1);  // persons have no states: they are few
  Page page;
  page.plan.filter = all({page.equal("Ref", 1), page.equal("Previous.Rank", 2)});
  CHECK(times(page.sql(), "EXISTS (SELECT 1 FROM \"document\" t1 WHERE t1.\"Ref\" = t0.\"Previous\"") == 1);
  CHECK(times(page.sql(Dialect::PostgreSql), "EXISTS (SELECT 1 FROM \"document\" t1 WHERE t1.\"Ref\" =") == 0);
  page.plan.filter = page.equal("Previous.Rank", 2);
  CHECK(times(page.sql(), "\"Previous\" IN (SELECT") == 1);
}
