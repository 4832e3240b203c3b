// Which index of several properties serves a page, and how the page is found by it (decision 0045).
#include "engine/query/index_choice.h"

#include "engine/query/emit_sql.h"
#include "engine/query/index_seek.h"
#include "tests/support/plan_builder.h"
#include "tests/support/typed_catalog.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>

using namespace callisto;
using namespace callisto::query;
using namespace callisto::test;

namespace {

std::shared_ptr<const catalog::Catalog> with_indexes() {
  return typed_catalog(with_document_indexes(
      {{"Rank", "Due"}, {"Rank", "Count", "Due"}, {"Author", "Due"}, {"Size", "Author"}, {"Rank", "Title"}}));
}

struct Page : PlanBuilder {
  Page() : PlanBuilder(with_indexes(), "document") {
    plan.order.insert(plan.order.begin(), {path("Due"), false});
    plan.top = 30;
  }
  Predicate equal(const char* name, std::int64_t value) { return compare(path(name), CompareOp::Equal, whole(value)); }
  std::size_t walks() {
    const auto choice = index_in_order(plan);
    return choice && !choice->walked.empty() ? filters_of_walks(plan, choice->walked).size() : 0;
  }
  std::string sql(Way way = Way::Free, const Scope& scope = {}) {
    return emit_rows(plan, scope, Dialect::Sqlite, Reach::All, Stretch::Same, way).sql.text();
  }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("an index serves that begins with what is equal and goes on with the order") {
  Page page;
  CHECK_FALSE(index_in_order(page.plan));
  page.plan.filter = page.equal("Rank", 1);
  REQUIRE(index_in_order(page.plan));
  CHECK(index_in_order(page.plan)->equal == 1);
  page.plan.filter = all({page.equal("Rank", 1), page.equal("Count", 2)});
  CHECK(index_in_order(page.plan)->equal == 2);
  page.plan.filter = page.equal("Count", 2);
  CHECK_FALSE(index_in_order(page.plan));
  page.plan.order.front().path = page.path("Author.Rank");
  page.plan.filter = page.equal("Rank", 1);
  CHECK_FALSE(index_in_order(page.plan));
}

TEST_CASE("an index of a type serves what is asked of it, and nothing else") {
  auto entities = with_document_indexes({{"Rank", "Title"}});
  for (auto& each : entities)
    if (each.name == "report") each.indexes.push_back({{"Rank", "Due"}, {}, {}, {}, {}});
  auto memo = test::entity("memo", {});  // a type of report
  memo.extends = "report";
  entities.push_back(memo);
  const auto catalog = typed_catalog(std::move(entities));
  const auto sql = [&](const char* entity, Dialect dialect) {
    PlanBuilder page(catalog, entity);
    page.plan.filter = compare(page.path("Rank"), CompareOp::Equal, page.whole(1));
    page.plan.order.insert(page.plan.order.begin(), {page.path("Due"), false});
    page.plan.top = 30;
    CHECK(index_in_order(page.plan).has_value() == (std::string_view(entity) != "document"));
    return emit_rows(page.plan, {}, dialect).sql.text();
  };
  CHECK(has(sql("report", Dialect::Sqlite), "likely(+ +t0.\"RecordType\" IN ('report', 'memo'))"));
  // Another term that says the same would make them seem rarer.
  const std::string postgres = sql("report", Dialect::PostgreSql);
  CHECK(has(postgres, "t0.\"RecordType\" IN ('report', 'memo')"));
  CHECK(postgres.find("RecordType") == postgres.rfind("RecordType"));
  CHECK_FALSE(has(sql("document", Dialect::Sqlite), "RecordType"));
  for (const Dialect dialect : {Dialect::Sqlite, Dialect::PostgreSql}) {
    CHECK(has(sql("memo", dialect), "t0.\"RecordType\" IN ('report', 'memo')"));
  }
  CHECK(has(sql("memo", Dialect::Sqlite), "% 100) IN (13)"));  // its number
  CHECK(has(sql("memo", Dialect::PostgreSql), "t0.\"RecordType\" IN ('memo')"));
}

TEST_CASE("a probe goes over the index of a type where that leads to what is asked") {
  auto entities = with_document_indexes({{"Rank", "Title"}, {"Due"}});
  for (auto& each : entities)
    if (each.name == "report") each.indexes.push_back({{"Author", "Rank"}, {}, {}, {}, {}});
  const auto catalog = typed_catalog(std::move(entities));
  const auto probes = [&](const char* entity, bool with_rank) {
    PlanBuilder page(catalog, entity);
    const Predicate author = compare(page.path("Author"), CompareOp::Equal, page.whole(1));
    page.plan.filter = with_rank ? all({author, compare(page.path("Rank"), CompareOp::Equal, page.whole(1))}) : author;
    page.plan.order.insert(page.plan.order.begin(), {page.path("Due"), false});
    page.plan.top = 30;
    std::string text;
    for (const Probe& probe : emit_probes(page.plan, {}, Dialect::Sqlite, 4000, 200)) text += probe.count.sql.text();
    return text;
  };
  CHECK(has(probes("report", true), "RecordType"));
  CHECK(has(probes("report", false), "RecordType"));
  CHECK(has(probes("document", true), "\"Author\""));
  CHECK_FALSE(has(probes("document", true), "RecordType"));
}

TEST_CASE("a rule's rows are sorted by their keys, unless an index has them in order behind it") {
  Page page;
  const catalog::Property& author = *page.plan.entity->find_property("Author");
  CHECK(has_order_behind(page.plan, author));
  CHECK_FALSE(has_order_behind(page.plan, *page.plan.entity->find_property("Count")));
  page.plan.filter = page.equal("Rank", 1);
  CHECK(has_order_behind(page.plan, *page.plan.entity->find_property("Count")));
  page.plan.order.front().path = page.path("Title");
  CHECK_FALSE(has_order_behind(page.plan, author));
  Plan rule;
  rule.entity = page.plan.entity;
  rule.catalog = page.plan.catalog;
  rule.filter = page.equal("Author", 7);
  rule.constants = page.plan.constants;
  Access limits;
  for (const catalog::Entity* type : rule.entity->root().final_types()) limits[type] = {false, nullptr, {&rule}};
  Scope scope;
  scope.access = &limits;
  const auto finds_keys_first = [&](const char* order, Dialect dialect) {
    page.plan.order.front().path = page.path(order);
    return has(emit_rows(page.plan, scope, dialect).sql.text(), ") AS page CROSS JOIN ");
  };
  CHECK(finds_keys_first("Title", Dialect::Sqlite));
  CHECK_FALSE(finds_keys_first("Due", Dialect::Sqlite));
  CHECK_FALSE(finds_keys_first("Title", Dialect::PostgreSql));
}

TEST_CASE("several values are as many walks, each literal once, sixteen at most") {
  Page page;
  page.plan.filter = any({page.equal("Rank", 1), page.equal("Rank", 2), page.equal("Rank", 1)});
  CHECK(page.walks() == 2);
  CHECK(has(page.sql(),
            "SELECT k FROM (SELECT t1.\"Ref\" AS k, t1.\"Due\" AS o0, t1.\"Ref\" AS o1 FROM \"document\" t1 WHERE "
            "t1.\"Rank\" = ?1"));
  CHECK(has(page.sql(), "UNION ALL SELECT t2.\"Ref\" AS k"));
  CHECK(has(page.sql(), "ORDER BY o0, o1 LIMIT"));
  page.plan.filter =
      all({any({page.equal("Rank", 1), page.equal("Rank", 2)}), any({page.equal("Count", 1), page.equal("Count", 2)})});
  CHECK(page.walks() == 4);
  std::vector<Predicate> many;
  for (int i = 0; i < 17; ++i) many.push_back(page.equal("Rank", i));
  page.plan.filter = any(many);
  CHECK(page.walks() == 0);
  page.plan.filter = any({page.equal("Rank", 1), page.equal("Count", 2)});  // of two properties
  CHECK(page.walks() == 0);
}

TEST_CASE("a page that is large, joined or sorted by another record takes no walks") {
  Page page;
  page.plan.filter = any({page.equal("Rank", 1), page.equal("Rank", 2)});
  CHECK(has(page.sql(), "UNION ALL"));
  CHECK_FALSE(has(page.sql(Way::Sorted), "UNION ALL"));
  page.plan.top = 1001;
  CHECK_FALSE(has(page.sql(), "UNION ALL"));
  page.plan.top = 30;
  page.plan.order.insert(page.plan.order.begin() + 1, {page.path("Author.Rank"), false});
  CHECK_FALSE(has(page.sql(), "UNION ALL"));
}

TEST_CASE("where two indexes compete there is a statement for each, and a probe of the one that would be sorted") {
  Page page;
  const auto probes = [&] { return emit_probes(page.plan, {}, Dialect::Sqlite, 9, 9); };
  page.plan.filter = page.equal("Rank", 1);
  CHECK(probes().empty());  // one index does both
  page.plan.filter = all({page.equal("Rank", 1), page.equal("Size", 3)});
  REQUIRE(probes().size() == 1);
  CHECK(probes().front().count.sql.text() ==
        "SELECT COUNT(*) FROM (SELECT 1 FROM \"document\" t0 WHERE t0.\"Size\" = ?1 LIMIT 9) AS probed");
  CHECK(emit_probes(page.plan, {}, Dialect::PostgreSql, 9, 9).empty());
  CHECK(has(page.sql(Way::InOrder), "t0.\"Rank\" = ?1 AND +t0.\"Size\" = ?2"));
  CHECK(has(page.sql(Way::InOrder), "ORDER BY t0.\"Due\""));
  CHECK(has(page.sql(Way::Sorted), "+t1.\"Rank\" = ?1 AND t1.\"Size\" = ?2"));
  CHECK(has(page.sql(Way::Sorted), "ORDER BY +t1.\"Due\""));
  page.plan.filter = all({page.equal("Author", 1), page.equal("Size", 3)});
  REQUIRE(probes().size() == 1);  // by both parts of an index
  CHECK(has(probes().front().count.sql.text(), "WHERE t0.\"Size\" = ?1 AND t0.\"Author\" = ?2 LIMIT 9"));
  CHECK(has(page.sql(Way::InOrder), "t0.\"Author\" = ?1 AND +t0.\"Size\" = ?2"));
  CHECK(has(page.sql(Way::Sorted), "t1.\"Author\" = ?1 AND t1.\"Size\" = ?2"));
  CHECK(emit_probe_of_order(page.plan, {}, Dialect::Sqlite, 9).sql.text() ==
        "SELECT COUNT(*) FROM (SELECT 1 FROM \"document\" t0 WHERE t0.\"Author\" = ?1 LIMIT 9) AS probed");
  page.plan.filter = page.equal("Size", 3);
  CHECK(emit_probe_of_order(page.plan, {}, Dialect::Sqlite, 9).sql.empty());  // all rows are walked
  page.plan.filter = all({page.equal("Ref", 1), page.equal("Size", 3)});
  CHECK(probes().empty());  // one row
  page.plan.filter = any({page.equal("Author", 1), page.equal("Size", 3)});
  REQUIRE(probes().size() == 1);
  CHECK(has(probes().front().count.sql.text(), "WHERE t0.\"Author\" = ?1 OR t0.\"Size\" = ?2 LIMIT 9"));
  CHECK(has(page.sql(Way::InOrder), "+t0.\"Author\" = ?1 OR +t0.\"Size\" = ?2"));
  CHECK(has(page.sql(Way::Sorted), "t1.\"Author\" = ?1 OR t1.\"Size\" = ?2"));
  page.plan.filter = any({page.equal("Author", 1), page.equal("Count", 3)});
  CHECK(probes().empty());  // no index leads to all of them
}

TEST_CASE("both ends of a range are probed together, wherever they stand in the filter") {
  Page page;
  const auto compared = [&](const char* name, CompareOp op, std::int64_t value) {
    return compare(page.path(name), op, page.whole(value));
  };
  const auto probes = [&] { return emit_probes(page.plan, {}, Dialect::Sqlite, 9, 9); };
  const auto begin = compared("Rank", CompareOp::GreaterEqual, 1), end = compared("Rank", CompareOp::Less, 9);
  for (const auto& filter : {all({begin, end}), all({end, page.equal("Count", 2), begin})}) {
    page.plan.filter = filter;
    REQUIRE(probes().size() == 1);
    CHECK(has(probes().front().count.sql.text(), "WHERE t0.\"Rank\" >= ?1 AND t0.\"Rank\" < ?2 LIMIT 9"));
  }
  page.plan.filter = all({page.equal("Size", 3), compared("Author", CompareOp::Greater, 1), end,
                          compared("Author", CompareOp::LessEqual, 5)});
  REQUIRE(probes().size() == 3);  // that of the size goes no further; that of the author has both of its ends
  CHECK(has(probes()[1].count.sql.text(), "t0.\"Author\" > ?2 AND t0.\"Author\" <= ?3 LIMIT 9"));
  CHECK(has(probes()[2].count.sql.text(), "WHERE t0.\"Rank\" < ?1 LIMIT 9"));
}

TEST_CASE("groups are those of what the filter leads to, where that is few") {
  Page page;
  page.plan.order.clear();
  page.plan.columns = {page.path("Author")};
  page.plan.grouping.emplace();
  page.plan.filter = all({page.equal("Size", 3), page.equal("Rank", 1)});
  const auto counts = emit_counts_by_seek(page.plan, {}, Dialect::Sqlite, 9);
  REQUIRE(counts.size() == 2);
  CHECK(has(counts.front().groups.sql.text(), "WHERE t0.\"Size\" = ?1 AND +t0.\"Rank\" = ?2"));
  CHECK(has(counts.front().groups.sql.text(), "GROUP BY +t0.\"Author\""));
  CHECK(emit_counts_by_seek(page.plan, {}, Dialect::PostgreSql, 9).empty());
}

TEST_CASE("groups are left to the index that the filter leads in and that has them in order, and to no other") {
  Page page;
  page.plan.order.clear();
  page.plan.grouping.emplace();
  page.plan.filter = page.equal("Rank", 1);
  const auto counts = [&](const std::vector<const char*>& columns) {
    page.plan.columns.clear();
    for (const char* each : columns) page.plan.columns.push_back(page.path(each));
    return emit_counts_by_seek(page.plan, {}, Dialect::Sqlite, 9);
  };
  for (const auto& columns : std::vector<std::vector<const char*>>{{"Rank"}, {"Rank", "Count"}, {"Count", "Rank"}})
    CHECK(counts(columns).empty());
  for (const auto& columns : std::vector<std::vector<const char*>>{{"Author"}, {"Author", "Rank"}, {"Rank", "Size"}}) {
    REQUIRE(counts(columns).size() == 1);
    CHECK_FALSE(counts(columns).front().is_in_index);  // a row is read for what no index has
  }
  REQUIRE(counts({"Due"}).size() == 1);
  CHECK(counts({"Due"}).front().is_in_index);
}

TEST_CASE("many rows are counted by the index that leads to the fewest, or in one pass over the table") {
  Page page;
  page.plan.order.clear();
  page.plan.filter = all({page.equal("Size", 3), page.equal("Weight", 1)});
  const auto many = [&](const Scope& scope = {}) { return emit_count_of_many(page.plan, scope, Dialect::Sqlite, 9); };
  REQUIRE(many());
  REQUIRE(many()->seeks.size() == 1);
  CHECK(has(many()->seeks.front().probe.sql.text(), "WHERE t0.\"Size\" = ?1 LIMIT 9"));
  CHECK(many()->all.sql.text() == "SELECT MAX(rowid) FROM \"document\"");
  CHECK(has(many()->count.sql.text(), "SELECT COUNT(*) FROM \"document\" t0 NOT INDEXED WHERE"));
  CHECK(many()->groups.sql.empty());
  CHECK_FALSE(emit_count_of_many(page.plan, {}, Dialect::PostgreSql, 9));
  page.plan.grouping.emplace();
  page.plan.columns = {page.path("Author")};
  REQUIRE(many());
  CHECK(has(many()->groups.sql.text(), " t0 NOT INDEXED WHERE"));
  CHECK(has(many()->seeks.front().groups.sql.text(), "GROUP BY +t0.\"Author\""));
  CHECK(many(Scope{1}));  // a comparison stands in front of the limit
  page.plan.filter = compare(page.path("Author.Rank"), CompareOp::Equal, page.whole(1));
  CHECK_FALSE(many());  // nothing of its own leads anywhere
  page.plan.filter = page.equal("Rank", 1);
  page.plan.columns = {page.path("Due")};
  CHECK_FALSE(many());  // an index has it all
  page.plan.grouping.reset();
  CHECK_FALSE(many());
  page.plan.filter = all({page.equal("Author", 1), compare(page.path("Due"), CompareOp::Less, page.whole(9))});
  CHECK_FALSE(many());  // so has one of the rows in which something is set
}

TEST_CASE("null leads to rows as well, where an index has those in which nothing is set") {
  Page page;
  const auto probes = [&] { return emit_probes(page.plan, {}, Dialect::Sqlite, 9, 9); };
  const Predicate no_size = is_null(page.path("Size"));
  page.plan.filter = all({page.equal("Rank", 1), no_size});
  REQUIRE(probes().size() == 1);
  CHECK(has(probes().front().count.sql.text(), "WHERE t0.\"Size\" IS NULL LIMIT 9"));
  CHECK(has(emit_probes(page.plan, {}, Dialect::Sqlite, 9, 5).front().count.sql.text(), "LIMIT 5"));
  CHECK(has(page.sql(Way::InOrder), "t0.\"Rank\" = ?1 AND +t0.\"Size\" IS NULL"));
  CHECK(has(page.sql(Way::Sorted), "+t1.\"Rank\" = ?1 AND t1.\"Size\" IS NULL"));
  page.plan.filter = all({page.equal("Rank", 1), no_size, page.equal("Author", 2)});
  REQUIRE(probes().size() == 2);  // values come first; null leads on to the part behind it
  CHECK(has(probes().front().count.sql.text(), "WHERE t0.\"Author\" = ?1 LIMIT 9"));
  CHECK(has(probes().back().count.sql.text(), "WHERE t0.\"Size\" IS NULL AND t0.\"Author\" = ?1 LIMIT 9"));
  page.plan.filter = all({page.equal("Rank", 1), is_null(page.path("Item"))});
  CHECK(probes().empty());  // its index has the rows in which it is set
  page.plan.filter = all({page.equal("Rank", 1), opposite(no_size)});
  CHECK(probes().empty());
}

TEST_CASE("what is asked through a lookup leads to rows as well, where the session's limit lets it") {
  Page page;
  const auto probes = [&](const Scope& scope = {}) { return emit_probes(page.plan, scope, Dialect::Sqlite, 9, 9); };
  const Predicate through = compare(page.path("Author.Rank"), CompareOp::Equal, page.whole(1));
  page.plan.filter = all({page.equal("Rank", 1), through});
  REQUIRE(probes().size() == 1);
  CHECK(has(probes().front().count.sql.text(), "WHERE t0.\"Author\" IN (SELECT t1.\"Ref\" FROM \"person\" t1 WHERE"));
  CHECK(probes().front().is_through_lookup);
  CHECK(has(page.sql(Way::InOrder), "WHERE EXISTS (SELECT 1 FROM \"person\" t1 WHERE t1.\"Ref\" = +t0.\"Author\" AND"));
  CHECK(has(page.sql(Way::InOrder), "AND t0.\"Rank\" = ?1"));
  CHECK(has(page.sql(Way::Sorted), "WHERE t1.\"Author\" IN (SELECT"));
  CHECK(has(page.sql(Way::Sorted), "AND +t1.\"Rank\" = ?1"));
  CHECK(probes(Scope{1}).size() == 1);  // one relation stands in front of the limit
  const Predicate second = compare(page.path("Item.Cost"), CompareOp::Equal, page.whole(1));
  page.plan.filter = all({page.equal("Rank", 1), through, second});
  CHECK(probes(Scope{1}).size() == 1);
  page.plan.filter = opposite(through);
  CHECK(probes().empty());
}

TEST_CASE("a count goes over an index that holds all that is asked, where another leads to rows that would be read") {
  Page page;
  const auto counted = [&](const Scope& scope = {}, Dialect dialect = Dialect::Sqlite) {
    return emit_count_by_cover(page.plan, scope, dialect, 9, 99);
  };
  const Predicate large = compare(page.path("Size"), CompareOp::Greater, page.whole(3));
  page.plan.filter = all({page.equal("Author", 1), large});
  REQUIRE(counted());
  REQUIRE(counted()->beside.size() == 1);
  CHECK(has(counted()->beside.front().sql.text(), "WHERE t0.\"Author\" = ?1 LIMIT 9"));
  CHECK(has(counted()->led.sql.text(), "WHERE t0.\"Size\" > ?1 LIMIT 99"));
  CHECK(counted()->count.sql.text() ==
        "SELECT COUNT(*) FROM \"document\" t0 WHERE +t0.\"Author\" = ?1 AND t0.\"Size\" > ?2 AND "
        "likely(t0.\"IsDeleted\" = 0)");
  CHECK(counted(Scope{1}));  // both stand in front of the limit
  CHECK_FALSE(counted({}, Dialect::PostgreSql));
  for (const auto& [filter, why] : std::vector<std::pair<Predicate, std::string>>{
           {all({page.equal("Author", 1), page.equal("Size", 3)}), "one index leads by all"},
           {large, "nothing else leads"},
           {all({page.equal("Author", 1), large, page.equal("Rank", 2)}), "no index holds all"},
           {all({is_null(page.path("Size")), page.equal("Author", 1)}), "an index may have no rows of null"}}) {
    INFO(why);
    page.plan.filter = filter;
    CHECK_FALSE(counted());
  }
}

TEST_CASE("what is asked to be null leads to rows by no index, but where nothing else leads, or behind other parts") {
  Page page;
  struct Row {
    Predicate filter;
    const char *with, *without;
  };
  const Predicate no_size = is_null(page.path("Size")), no_count = is_null(page.path("Count"));
  const std::vector<Row> rows{
      {no_size, "WHERE t0.\"Size\" IS NULL", "+t0"},
      {all({page.equal("Rank", 1), no_size}), "t0.\"Rank\" = ?1 AND +t0.\"Size\" IS NULL", "+t0.\"Rank\""},
      {all({page.equal("Rank", 1), is_null(page.path("Body"))}), "t0.\"Rank\" = ?1 AND +t0.\"Body\" IS NULL",
       "+t0.\"Rank\""},
      {all({page.equal("Rank", 1), is_null(page.path("Title"))}), "t0.\"Rank\" = ?1 AND t0.\"Title\" IS NULL", "+t0"},
      {all({page.equal("Rank", 1), no_count}), "t0.\"Rank\" = ?1 AND t0.\"Count\" IS NULL", "+t0"},
      {all({page.equal("Author", 1), no_count}), "t0.\"Author\" = ?1 AND +t0.\"Count\" IS NULL", "+t0.\"Author\""},
      {all({page.equal("Ref", 1), no_size}), "t0.\"Ref\" = ?1 AND t0.\"Size\" IS NULL", "+t0"},
  };
  for (const Row& row : rows) {
    page.plan.filter = row.filter;
    INFO(page.sql());
    CHECK(has(page.sql(), row.with));
    CHECK_FALSE(has(page.sql(), row.without));
    CHECK_FALSE(has(emit_count(page.plan, {}, Dialect::Sqlite).sql.text(), "+t0"));
    CHECK_FALSE(has(emit_rows(page.plan, {}, Dialect::PostgreSql).sql.text(), "+t0"));
  }
}

TEST_CASE("of two indexes that give the order the one with more values serves, nulls count last") {
  Page page;
  page.plan.filter = all({is_null(page.path("Rank")), page.equal("Author", 7)});
  const auto choice = index_in_order(page.plan);
  REQUIRE(choice);
  CHECK(choice->index->parts.front().property->name == "Author");
  page.plan.filter = all({page.equal("Rank", 1), is_null(page.path("Count")), page.equal("Author", 7)});
  REQUIRE(index_in_order(page.plan));
  CHECK(index_in_order(page.plan)->equal == 2);
}

TEST_CASE("PostgreSQL merges walks that end with the page by themselves") {
  Page page;
  page.plan.filter = any({page.equal("Rank", 1), page.equal("Rank", 2)});
  const auto sql = [&] { return emit_rows(page.plan, {}, Dialect::PostgreSql).sql.text(); };
  CHECK(has(sql(), "SELECT k FROM (SELECT * FROM (SELECT t1.\"Ref\" AS k"));
  CHECK(has(sql(), "ORDER BY o0 NULLS FIRST, o1 LIMIT 30) AS w0 UNION ALL SELECT * FROM (SELECT t2.\"Ref\" AS k"));
  page.plan.skip = std::numeric_limits<std::int64_t>::max();
  CHECK(has(sql(), ") AS w0 UNION ALL"));
  CHECK_FALSE(has(sql(), "LIMIT 30)"));
  CHECK(bound_number(Paging::End, page.plan) == std::numeric_limits<std::int64_t>::max());
  page.plan.skip = 60;
  CHECK(bound_number(Paging::End, page.plan) == 90);
}

TEST_CASE("where rows would be skipped the keys of the page are found first") {
  Page page;
  CHECK_FALSE(has(page.sql(), "(SELECT"));
  page.plan.skip = 1;
  CHECK(has(page.sql(), "FROM (SELECT t1.\"Ref\" AS k FROM \"document\" t1"));
  page.plan.top = 1001;
  CHECK_FALSE(has(page.sql(), "(SELECT"));
}

TEST_CASE("before the index of substrings is asked, rows are counted that other terms lead to") {
  Page page;
  const auto probes = [&](Dialect dialect = Dialect::Sqlite) {
    std::string text;
    for (const Statement& each : emit_probes_beside_words(page.plan, {}, dialect, 9)) text += each.sql.text() + "\n";
    return text;
  };
  const auto counted = [](const std::string& where) {
    return "SELECT COUNT(*) FROM (SELECT 1 FROM \"document\" t0 WHERE " + where + " LIMIT 9) AS probed\n";
  };
  const Predicate words = matches(page.path("Title"), TextOp::Contains, page.words("printer"));
  struct Row {
    std::vector<Predicate> terms;
    std::string wanted;
  };
  const std::vector<Row> rows{
      {{}, ""},
      {{page.equal("Count", 2)}, ""},
      {{page.equal("Rank", 1)}, counted("t0.\"Rank\" = ?1")},
      {{page.equal("Rank", 1), page.equal("Count", 2)}, counted("t0.\"Rank\" = ?1 AND t0.\"Count\" = ?2")},
      {{page.equal("Rank", 1), page.equal("Size", 2)}, counted("t0.\"Rank\" = ?1") + counted("t0.\"Size\" = ?1")},
      {{compare(page.path("Size"), CompareOp::Greater, page.whole(2))}, counted("t0.\"Size\" > ?1")},
      {{page.equal("Ref", 5)}, counted("t0.\"Ref\" = ?1")},
  };
  for (const Row& row : rows) {
    std::vector<Predicate> terms = row.terms;
    terms.push_back(words);
    page.plan.filter = terms.size() == 1 ? words : all(terms);
    CHECK(probes() == row.wanted);
    CHECK(probes(Dialect::PostgreSql).empty());
  }
  page.plan.filter = page.equal("Rank", 1);
  CHECK(probes().empty());  // no words
}

TEST_CASE("PostgreSQL is asked how many rows a range has, wherever it stands among what leads to rows") {
  PlanBuilder page(typed_catalog(with_document_indexes({{"Title", "Ratio"}, {"Size"}, {"Count"}})), "document");
  const auto probes = [&] { return emit_probes(page.plan, {}, Dialect::PostgreSql, 9, 9); };
  page.plan.order.insert(page.plan.order.begin(), {page.path("Ratio"), false});
  const auto title = compare(page.path("Title"), CompareOp::Equal, page.words("a"));
  const auto count = compare(page.path("Count"), CompareOp::Equal, page.whole(3));
  const auto size = compare(page.path("Size"), CompareOp::Greater, page.whole(3));
  page.plan.filter = all({title, count, size});
  REQUIRE(probes().size() == 1);
  CHECK(probes().front().seek == 1);  // behind the equality, which PostgreSQL knows the rows of
  CHECK(probes().front().count.sql.text() ==
        "SELECT COUNT(*) FROM (SELECT 1 FROM \"document\" t0 WHERE t0.\"Size\" > ?1 LIMIT 9) AS probed");
  CHECK(emit_probe_of_order(page.plan, {}, Dialect::PostgreSql, 9).sql.text() ==
        "SELECT COUNT(*) FROM (SELECT 1 FROM \"document\" t0 WHERE folded(t0.\"Title\") COLLATE \"C\" = ?1 LIMIT 9) "
        "AS probed");
  page.plan.filter = all({title, count});
  CHECK(probes().empty());
}
