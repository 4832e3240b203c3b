// Which line of an entity file would help a search, and that none is told where an index leads as far already.
#include "engine/query/index_advice.h"

#include "tests/support/plan_builder.h"
#include "tests/support/typed_catalog.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::query;
using namespace callisto::test;

namespace {

std::shared_ptr<const catalog::Catalog> with_one_index() {
  return typed_catalog(with_document_indexes({{"Rank", "Due"}}));
}

struct Search : PlanBuilder {
  Search() : PlanBuilder(with_one_index(), "document") {}
  Search& by(const char* name, bool descending = false) {
    plan.order.insert(plan.order.begin(), {path(name), descending});
    return *this;
  }
  Search& where(std::vector<Predicate> terms) {
    if (terms.size() == 1) plan.filter = terms.front();
    else {
      plan.filter.emplace();
      plan.filter->kind = Predicate::Kind::And;
      plan.filter->children = std::move(terms);
    }
    return *this;
  }
  Predicate equal(const char* name, std::int64_t value) { return compare(path(name), CompareOp::Equal, whole(value)); }
  Predicate above(const char* name, std::int64_t value) {
    return compare(path(name), CompareOp::Greater, whole(value));
  }
  std::string line() const {
    const auto advice = advice_on(plan);
    return advice ? advice->entity->name + ": " + advice->line() : "";
  }
};

}  // namespace

TEST_CASE("an index that helps has what is asked to equal, and then the order of the page") {
  Search search;
  CHECK(search.where({search.equal("Count", 1)}).by("Due").line() == "document: index { \"Count\", \"Due\" }");
  Search of_two;
  of_two.where({of_two.equal("Count", 1), of_two.equal("Size", 2)});
  CHECK(of_two.by("Due", true).line() == "document: index { \"Count\", \"Size\", \"Due\" }");
}

TEST_CASE("where rows are counted, a range stands behind what is asked to equal") {
  Search search;
  search.where({search.above("Size", 7), search.equal("Count", 1)});
  search.plan.count = true;
  CHECK(search.line() == "document: index { \"Count\", \"Size\" }");
}

TEST_CASE("nothing is told where an index leads as far, or none could") {
  Search led;
  CHECK(led.where({led.equal("Rank", 1)}).by("Due").line().empty());
  Search of_one_record;
  CHECK(of_one_record.where({of_one_record.equal("Ref", 1)}).by("Due").line().empty());
  Search of_all;
  CHECK(of_all.line().empty());
  Search another;  // by a property that nothing equals: a walk over all rows in that order
  CHECK(another.by("Count").line() == "document: index { \"Count\" }");
}
