// The states between what a filter asks and what it is asked for (decision 0045): a walk for each.
#include "engine/query/index_states.h"

#include "engine/query/emit_sql.h"
#include "engine/query/index_seek.h"
#include "tests/support/plan_builder.h"
#include "tests/support/typed_catalog.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::query;
using namespace callisto::test;

namespace {

std::shared_ptr<const catalog::Catalog> with_states(bool has_states = true) {
  return typed_catalog(
      with_document_indexes(
          {{"Rank", "Size"}, {"Author", "Rank", "Due"}, {"Author", "Count"}, {"Author", "Rank", "Count"}}),
      has_states ? document_states() : std::vector<catalog::StateSetDefinition>());
}

struct Page : PlanBuilder {
  explicit Page(const char* sorted, bool has_states = true) : PlanBuilder(with_states(has_states), "document") {
    plan.order.insert(plan.order.begin(), {path(sorted), false});
    plan.top = 30;
  }
  Predicate equal(const char* name, std::int64_t value) { return compare(path(name), CompareOp::Equal, whole(value)); }
  Predicate after(const char* name) { return compare(path(name), CompareOp::Greater, whole(3)); }
  Predicate in(const char* name, std::vector<std::int64_t> values) {
    auto term = atom(Predicate::Kind::OneOf, path(name));
    for (const std::int64_t value : values) term.values.push_back(whole(value));
    return term;
  }
  std::string sql(Dialect dialect = Dialect::Sqlite) { return emit_rows(plan, {}, dialect).sql.text(); }
  std::string counted(Dialect dialect = Dialect::Sqlite) { return emit_count(plan, {}, dialect).sql.text(); }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("each state has a walk where an index has the states in front of the order") {
  Page page("Size");
  REQUIRE(states_before_order(page.plan));
  CHECK(states_before_order(page.plan)->state->name == "Rank");
  for (const Dialect dialect : {Dialect::Sqlite, Dialect::PostgreSql}) {
    const std::string sql = page.sql(dialect);
    for (const char* walk :
         {"t1.\"Rank\" IS NULL", "t2.\"Rank\" <= -1", "t3.\"Rank\" >= 2", "t4.\"Rank\" = 0", "t5.\"Rank\" = 1"})
      CHECK(has(sql, walk));
    CHECK_FALSE(has(sql, " t6."));
    CHECK(has(sql, "ORDER BY o0"));
  }
  page.plan.top = 1001;
  CHECK_FALSE(has(page.sql(), "UNION ALL"));
  CHECK_FALSE(states_before_order(Page("Size", false).plan));  // which nothing tells to be few
}

TEST_CASE("nothing but what leads to the states, and a range behind them, may be asked") {
  Page page("Due");
  CHECK_FALSE(states_before_order(page.plan));  // it has an index of its own
  page.plan.filter = page.equal("Author", 1);
  REQUIRE(states_before_order(page.plan));
  CHECK(seeks_beside_order(page.plan).empty());  // there is nothing to choose
  const Predicate due = compare(page.path("Due"), CompareOp::Less, page.whole(9));
  page.plan.filter = list(Predicate::Kind::And, {page.equal("Author", 1), due});
  CHECK(states_before_order(page.plan));
  const std::vector<std::pair<Predicate, std::string>> others{
      {list(Predicate::Kind::And, {page.equal("Author", 1), page.equal("Size", 2)}), "another property"},
      {list(Predicate::Kind::And, {page.equal("Author", 1), page.after("Size")}), "a range of another"},
      {list(Predicate::Kind::And, {page.equal("Author", 1), page.equal("Rank", 2)}), "the state itself"},
      {list(Predicate::Kind::Or, {page.equal("Author", 1), page.equal("Author", 2)}), "several values"},
      {is_null(page.path("Author")), "null, of which an index may have no rows"},
      {page.equal("Size", 1), "what stands behind the states"}};
  for (const auto& [filter, why] : others) {
    INFO(why);
    page.plan.filter = filter;
    CHECK_FALSE(states_before_order(page.plan));
  }
}

TEST_CASE("on SQLite the walks pass over rows by what no index leads to") {
  Page page("Due");
  const Predicate of_author = page.equal("Author", 1);
  const std::vector<Predicate> passed{page.equal("Item", 2), page.equal("Size", 2), page.after("Weight"),
                                      flag(page.path("Done")),
                                      matches(page.path("Body"), TextOp::Contains, page.words("word"))};
  for (std::size_t i = 0; i < passed.size(); ++i) {
    INFO(i);
    page.plan.filter = list(Predicate::Kind::And, {of_author, passed[i]});
    const bool has_index = i == 0;  // a lookup has one of its own
    CHECK(states_before_order(page.plan, Others::PassedOver).has_value() == !has_index);
    CHECK(has(page.sql(), "UNION ALL") == !has_index);
    CHECK_FALSE(has(page.sql(Dialect::PostgreSql), "UNION ALL"));
    CHECK(seeks_beside_order(page.plan).empty() == !has_index);
  }
  page.plan.filter = list(Predicate::Kind::And, {of_author, page.in("Rank", {0, 1}), page.equal("Size", 2)});
  CHECK_FALSE(states_before_order(page.plan, Others::PassedOver));
  page.plan.filter = page.equal("Size", 2);
  CHECK_FALSE(states_before_order(page.plan, Others::PassedOver));  // nothing leads to the states
}

TEST_CASE("no walks where an index leads to the order without the states") {
  Page page("Count");
  page.plan.filter = page.equal("Author", 1);
  CHECK_FALSE(states_before_order(page.plan));
}

TEST_CASE("a count of a range behind the states is one of the known states, and one of each range beside them") {
  Page page("Ref");
  page.plan.filter = list(Predicate::Kind::And, {page.equal("Author", 1), page.after("Due")});
  REQUIRE(states_before_range(page.plan));
  for (const Dialect dialect : {Dialect::Sqlite, Dialect::PostgreSql}) {
    CHECK(has(page.counted(dialect), "SELECT (SELECT COUNT(*) FROM \"document\" t0 WHERE"));
    CHECK(has(page.counted(dialect), "t0.\"Rank\" IN (0, 1)"));
    CHECK(has(page.counted(dialect), ") + (SELECT COUNT(*)"));
  }
  CHECK_FALSE(emit_count_by_cover(page.plan, {}, Dialect::Sqlite, 9, 99));
  page.plan.filter = page.after("Size");
  CHECK(states_before_range(page.plan));  // nothing else leads there
  page.plan.filter = page.equal("Author", 1);
  CHECK_FALSE(states_before_range(page.plan));
  page.plan.filter = list(Predicate::Kind::And, {page.equal("Author", 1), page.after("Count")});
  CHECK_FALSE(states_before_range(page.plan));
}

namespace {

std::string text_of(const std::vector<States>& all) {
  std::string told;
  for (const States& each : all) {
    for (const std::int64_t known : each.known) told += std::to_string(known) + ",";
    if (each.known.empty())
      told += (each.from ? std::to_string(*each.from) : "") + ".." + (each.to ? std::to_string(*each.to) : "");
    told += " ";
  }
  return told;
}

// Of an entity with these states beside its own 0 and 1.
std::optional<StatesBetween> states_with(const std::vector<std::int64_t>& values) {
  auto states = document_states();
  for (const std::int64_t value : values) {
    states.front().states.push_back(states.front().states.back());
    states.front().states.back().state = {
        "Another" + std::to_string(states.front().states.size()), "", value, {}, false};
  }
  PlanBuilder page(typed_catalog(with_document_indexes({{"Rank", "Size"}}), states), "document");
  page.plan.order.insert(page.plan.order.begin(), {page.path("Size"), false});
  return states_before_order(page.plan);
}

}  // namespace

TEST_CASE("the walks have every value between them: known states, what is between these, and null") {
  const auto found = states_with({7, -3, 8});
  REQUIRE(found);
  CHECK(text_of(found->apart) == ".. ..-4 -2..-1 2..6 9.. -3, 0, 1, 7, 8, ");
  CHECK(text_of(found->together) == "-3,0,1,7,8, .. ..-4 -2..-1 2..6 9.. ");
}
