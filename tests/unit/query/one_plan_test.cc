// Which statements PostgreSQL plans once for all values (decision 0045).
#include "engine/query/emit_sql.h"
#include "tests/support/plan_builder.h"
#include "tests/support/typed_catalog.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::query;
using namespace callisto::test;

namespace {

std::shared_ptr<const catalog::Catalog> with_indexes() {
  auto entities = with_document_indexes({{"Author", "Size"}, {"Item", "Rank", "Size"}, {"Count", "Size"}});
  const auto document =
      std::find_if(entities.begin(), entities.end(), [](const auto& each) { return each.name == "document"; });
  document->indexes.back().covers = {"Weight"};
  document->properties.push_back(indexed(property("Place", catalog::DataType::Text)));
  return typed_catalog(std::move(entities), document_states());
}

struct Page : PlanBuilder {
  explicit Page(const char* sorted) : PlanBuilder(with_indexes(), "document") {
    plan.order.insert(plan.order.begin(), {path(sorted), false});
    plan.top = 30;
  }
  Predicate equal(const char* name, std::int64_t value = 1) {
    return compare(path(name), CompareOp::Equal, whole(value));
  }
  Predicate after(const char* name) { return compare(path(name), CompareOp::Greater, whole(3)); }
  Predicate in(const char* name, std::vector<std::int64_t> values) {
    auto term = atom(Predicate::Kind::OneOf, path(name));
    for (const std::int64_t value : values) term.values.push_back(whole(value));
    return term;
  }
  Predicate with_word() { return matches(path("Title"), TextOp::Contains, words("word")); }
  Predicate begins(const char* name) { return matches(path(name), TextOp::StartsWith, words("w")); }
  Predicate by_name() { return matches(path("Author.Name"), TextOp::StartsWith, words("b")); }

  // Asked for all of `terms`.
  bool page_is_planned_once(std::vector<Predicate> terms, const Scope& scope = {}, Way way = Way::Free) {
    ask(std::move(terms));
    return emit_rows(plan, scope, Dialect::PostgreSql, Reach::All, Stretch::Same, way).sql.is_planned_once();
  }
  bool count_is_planned_once(std::vector<Predicate> terms, const Scope& scope = {}) {
    ask(std::move(terms));
    return emit_count(plan, scope, Dialect::PostgreSql).sql.is_planned_once();
  }

 private:
  void ask(std::vector<Predicate> terms) {
    plan.filter.reset();
    if (terms.size() == 1) plan.filter = std::move(terms.front());
    else if (!terms.empty()) plan.filter = all(std::move(terms));
  }
};

}  // namespace

TEST_CASE("a walk that an index leads all the way is planned once for all values") {
  Page page("Size");
  CHECK(page.page_is_planned_once({page.equal("Author")}));
  CHECK(page.page_is_planned_once({page.equal("Author"), page.after("Size")}));
  CHECK(page.page_is_planned_once({page.in("Count", {1, 2, 3})}));  // merged walks
  CHECK(page.page_is_planned_once({page.equal("Item")}));           // one for each state
  CHECK(page.page_is_planned_once({page.equal("Item"), page.in("Rank", {0, 1})}));
  Page by_date("Due");
  CHECK(by_date.page_is_planned_once({}));
  CHECK(by_date.page_is_planned_once({by_date.after("Due")}));
  Page by_key("Ref");
  CHECK(by_key.page_is_planned_once({}));
  Page by_place("Place");
  CHECK(by_place.page_is_planned_once({by_place.begins("Place")}));
}

TEST_CASE("so is a walk whose index has what else is asked of each row") {
  Page page("Size");
  CHECK(page.page_is_planned_once({page.equal("Count"), page.equal("Weight")}));  // covered
  CHECK(page.page_is_planned_once({page.in("Count", {1, 2, 3}), page.equal("Weight")}));
  CHECK(page.page_is_planned_once({page.equal("Count"), page.in("Weight", {1, 2})}));
  CHECK(page.page_is_planned_once({page.equal("Count"), page.after("Weight")}));
  CHECK(page.page_is_planned_once({page.equal("Count"), is_null(page.path("Weight"))}));
  CHECK_FALSE(page.page_is_planned_once({page.equal("Count"), page.equal("Weight"), page.equal("Rank")}));
  const auto with_another = compare(page.path("Weight"), CompareOp::Less, page.path("Rank"));
  CHECK_FALSE(page.page_is_planned_once({page.equal("Count"), with_another}));
}

TEST_CASE("what a walk passes over, or values decide, is planned with the values") {
  Page page("Size");
  CHECK_FALSE(page.page_is_planned_once({page.equal("Author"), page.equal("Count")}));
  CHECK_FALSE(page.page_is_planned_once({page.equal("Author"), page.with_word()}));
  CHECK_FALSE(page.page_is_planned_once({page.by_name()}));
  CHECK_FALSE(page.page_is_planned_once({page.begins("Place")}));
  CHECK_FALSE(page.page_is_planned_once({page.equal("Weight")}));
  CHECK_FALSE(page.page_is_planned_once({page.equal("Author")}, {}, Way::Sorted));
  CHECK_FALSE(Page("Tax").page_is_planned_once({}));  // nothing but a sort
  Page by_key("Ref");
  CHECK_FALSE(by_key.page_is_planned_once({by_key.after("Due")}));
}

TEST_CASE("a count is planned once where it is one over the states, or of what a rule shows") {
  Page page("Ref");
  CHECK(page.count_is_planned_once({page.equal("Item"), page.after("Size")}));
  CHECK_FALSE(page.count_is_planned_once({page.after("Due")}));
  CHECK_FALSE(page.count_is_planned_once({page.equal("Author")}));
  CHECK_FALSE(page.count_is_planned_once({}));
}

TEST_CASE("what a session sees by a rule with an index is planned once, but not words, lookups or lists in it") {
  Page page("Size");
  Plan rule;
  rule.entity = page.plan.entity;
  rule.catalog = page.plan.catalog;
  rule.filter = page.equal("Author");
  rule.constants = page.plan.constants;
  Access limits;
  for (const catalog::Entity* type : page.plan.entity->root().final_types()) limits[type] = {false, nullptr, {&rule}};
  Scope scope;
  scope.access = &limits;
  for (const bool counted : {false, true}) {
    const auto once = [&](std::vector<Predicate> terms) {
      return counted ? page.count_is_planned_once(std::move(terms), scope)
                     : page.page_is_planned_once(std::move(terms), scope);
    };
    CHECK(once({}));
    CHECK(once({page.equal("Weight")}));
    CHECK(once({page.in("Rank", {0, 1}), page.after("Due")}));
    CHECK_FALSE(once({page.with_word()}));
    CHECK_FALSE(once({page.by_name()}));
  }
}
