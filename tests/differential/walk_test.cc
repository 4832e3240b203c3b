// Walking a search page by page, each behind the last row of the one before (decision 0040): exactly the rows of one
// large page, in its order, for every order and filter, on every database.
#include "tests/differential/generator.h"
#include "tests/differential/world.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::test;
using query::Plan;

namespace {

using Rows = std::vector<std::vector<Value>>;

constexpr std::int64_t every_row = 2147483647;
const std::vector<Partitions> sessions{std::nullopt, std::vector<std::int64_t>{2}, std::vector<std::int64_t>{1, 3}};
constexpr const char* entity_names[] = {"document", "document", "report", "item", "tool", "person", "note"};

std::size_t column_of(Plan& plan, const query::Path& path) {
  const auto found = std::find(plan.columns.begin(), plan.columns.end(), path);
  if (found != plan.columns.end()) return static_cast<std::size_t>(found - plan.columns.begin());
  plan.columns.push_back(path);
  return plan.columns.size() - 1;
}

void sort_by(Plan& plan, const query::Path& path, bool descending) {
  const bool known =
      std::any_of(plan.order.begin(), plan.order.end(), [&](const query::SortKey& key) { return key.path == path; });
  if (!known) plan.order.insert(plan.order.begin(), {path, descending});
}

// The plan of the page behind `row`.
Plan behind(const Plan& plan, const std::vector<Value>& row) {
  Plan next = plan;
  next.skip = 0;
  for (std::size_t i = 0; i < plan.order.size(); ++i) {
    const catalog::Property& property = *plan.order[i].path.property;
    query::Constant constant;
    constant.value = row[plan.order_columns[i]];
    constant.type = property.type;
    if (property.type == catalog::DataType::Decimal) constant.scale = property.scale;
    next.after.push_back({next.constants.size()});
    next.constants.push_back(std::move(constant));
  }
  return next;
}

Rows page(World& world, const Plan& plan, const Partitions& partitions) {
  return world.rows(plan, constants(plan), partitions);
}

Rows walked(World& world, Plan plan, std::int64_t size, const Partitions& partitions) {
  plan.top = size;
  Rows all;
  for (Plan next = plan;;) {
    const Rows rows = page(world, next, partitions);
    all.insert(all.end(), rows.begin(), rows.end());
    if (rows.size() < static_cast<std::size_t>(size)) return all;
    REQUIRE(all.size() <= 10000);
    next = behind(plan, all.back());
  }
}

void join_people(World& world, Plan& plan, Random& random) {
  const catalog::Entity& person = world.entity("person");
  query::Join join{"Other", &person, chance(random, 30), {}};
  join.on.push_back({person.find_property("Rank"), query::Path{0, {}, plan.entity->find_property("Rank")}});
  plan.joins.push_back(std::move(join));
  plan.order.push_back({{1, {}, person.key.front()}, false});
}

}  // namespace

TEST_CASE("a walk by positions gives the rows of one page, whatever the order") {
  World world(11);
  Random random(12);
  std::size_t others = 0;
  for (int i = 0; i < 600; ++i) {
    const Partitions& partitions = sessions[below(random, sessions.size())];
    PlanBuilder builder(world.catalog, entity_names[below(random, std::size(entity_names))]);
    Plan& plan = builder.plan;
    const bool has_rank = plan.entity->find_property("Rank") != nullptr;
    if (has_rank && chance(random, 25)) join_people(world, plan, random);
    Generator generator(random, builder, false);
    for (std::size_t keys = below(random, 4); keys > 0; --keys)
      sort_by(plan, generator.any_path(2), chance(random, 50));
    if (chance(random, 50)) plan.filter = generator.predicate(1);
    for (const query::SortKey& key : plan.order) plan.order_columns.push_back(column_of(plan, key.path));
    plan.top = every_row;
    const Rows wanted = page(world, plan, partitions);
    const auto size = static_cast<std::int64_t>(1 + below(random, 9));
    const Rows found = walked(world, plan, size, partitions);
    if (!wanted.empty()) others += has_other_stretch(behind(plan, wanted.front())) ? 1 : 0;
    if (found != wanted) FAIL(emit_rows(plan, scope_of(partitions), query::Dialect::Sqlite).sql.text());
  }
  CHECK(others > 50);
}

TEST_CASE("a page begins where its position says, when the row there is gone and others came") {
  World world(13);
  PlanBuilder builder(world.catalog, "document");
  Plan& plan = builder.plan;
  plan.order.insert(plan.order.begin(), {builder.path("Due"), true});
  for (const query::SortKey& key : plan.order) plan.order_columns.push_back(column_of(plan, key.path));
  plan.top = every_row;
  const Rows all = page(world, plan, std::nullopt);
  std::vector<Value> between = all[all.size() / 2];
  between[plan.order_columns[1]] = std::get<std::int64_t>(between[plan.order_columns[1]]) * 2 + 1;  // no such row
  const Rows rest = page(world, behind(plan, between), std::nullopt);
  CHECK(rest.size() < all.size());
  CHECK(std::equal(rest.rbegin(), rest.rend(), all.rbegin()));
}

namespace {

using query::Predicate;

Predicate one_of(PlanBuilder& builder, Random& random, const std::string& name, std::size_t count) {
  const catalog::Property& property = *builder.plan.entity->find_property(name);
  std::vector<Predicate> each;
  for (std::size_t i = 0; i < count; ++i) {
    Predicate term = test::atom(Predicate::Kind::Compare, query::Path{0, {}, &property});
    term.op = query::CompareOp::Equal;
    query::Constant constant;
    constant.value = property.target ? Value(static_cast<std::int64_t>(1 + below(random, 6)))
                                     : random_value(random, property.type, property.scale);
    constant.type = property.type;
    term.right = query::ConstantRef{builder.plan.constants.size()};
    builder.plan.constants.push_back(std::move(constant));
    each.push_back(std::move(term));
  }
  if (each.size() == 1) return each.front();
  Predicate any;
  any.kind = Predicate::Kind::Or;
  any.children = std::move(each);
  return any;
}

// Its count, its walk by positions and a page of it are those of all rows at once, which take no walks that are merged.
void check_pages(World& world, Random& random, Plan& plan, const Partitions& partitions) {
  for (const query::SortKey& key : plan.order) plan.order_columns.push_back(column_of(plan, key.path));
  plan.top = every_row;
  const Rows wanted = page(world, plan, partitions);
  REQUIRE(world.count(plan, constants(plan), partitions) == static_cast<std::int64_t>(wanted.size()));
  if (walked(world, plan, static_cast<std::int64_t>(1 + below(random, 9)), partitions) != wanted)
    FAIL(emit_rows(plan, scope_of(partitions), query::Dialect::Sqlite).sql.text());
  plan.skip = static_cast<std::int64_t>(below(random, 4));
  plan.top = 5;
  const auto from = std::min(wanted.size(), static_cast<std::size_t>(plan.skip));
  const auto to = std::min(wanted.size(), from + 5);
  REQUIRE(page(world, plan, partitions) ==
          Rows(wanted.begin() + static_cast<std::ptrdiff_t>(from), wanted.begin() + static_cast<std::ptrdiff_t>(to)));
}

}  // namespace

// By the indexes of indexed_catalog().
TEST_CASE("walks of several values are merged to the page that one walk would find") {
  World world(13);
  Random random(14);
  constexpr const char* equal[] = {"Rank", "Count", "Author", "Done"};
  constexpr const char* sorted[] = {"Due", "Title", "Rank", "Size"};
  for (int i = 0; i < 800; ++i) {
    const Partitions& partitions = sessions[below(random, sessions.size())];
    PlanBuilder builder(world.catalog, chance(random, 20) ? "report" : "document");
    Plan& plan = builder.plan;
    Predicate all;
    all.kind = Predicate::Kind::And;
    for (std::size_t terms = 1 + below(random, 2); terms > 0; --terms) {
      Predicate term = one_of(builder, random, equal[below(random, std::size(equal))], 1 + below(random, 3));
      all.children.push_back(std::move(term));
    }
    if (chance(random, 30)) {
      Predicate other = Generator(random, builder, false).predicate(1);
      if (other.kind != Predicate::Kind::And) all.children.push_back(std::move(other));
    } else if (chance(random, 30)) {
      all.children.push_back(compare(builder.path("Title"), query::CompareOp::Greater, builder.words("g")));
    } else if (chance(random, 30)) {
      const auto rank = builder.whole(static_cast<std::int64_t>(below(random, 4)));
      all.children.push_back(compare(builder.path("Author.Rank"), query::CompareOp::Equal, rank));
    }
    plan.filter = all.children.size() == 1 ? Predicate(all.children.front()) : all;
    sort_by(plan, {0, {}, plan.entity->find_property(sorted[below(random, std::size(sorted))])}, chance(random, 50));
    check_pages(world, random, plan, partitions);
  }
  CHECK(world.merged() > 500);
  CHECK(world.chosen() > 300);
  CHECK(world.covered() > 10);
}

namespace {

// What an index of indexed_catalog() leads to behind the states, and `sorted`, which follows them there.
struct BehindStates {
  std::vector<const char*> equal;
  const char* sorted;
};

Predicate filter_of(PlanBuilder& builder, Random& random, const BehindStates& asked) {
  std::vector<Predicate> terms;
  for (const char* name : asked.equal) {
    const bool is_flag = std::string_view(name) == "Done";
    terms.push_back(is_flag ? flag(builder.path(name)) : one_of(builder, random, name, 1));
  }
  for (std::size_t ranges = below(random, 3); ranges > 0; --ranges) {
    Predicate range = one_of(builder, random, asked.sorted, 1);
    range.op = chance(random, 50) ? query::CompareOp::Greater : query::CompareOp::LessEqual;
    terms.push_back(std::move(range));
  }
  // What no index leads to is asked of each row.
  if (chance(random, 30)) terms.push_back(flag(builder.path("Checked")));
  if (chance(random, 30)) {
    static const char* const parts[] = {"a", "A", "", "r", "zz"};
    const auto part = builder.words(parts[below(random, std::size(parts))]);
    terms.push_back(matches(builder.path("Body"), query::TextOp::Contains, part));
  }
  if (terms.empty()) return {};
  return terms.size() == 1 ? terms.front() : list(Predicate::Kind::And, std::move(terms));
}

}  // namespace

TEST_CASE("a walk in each state finds the page, and the count, that all states together have") {
  World world(15);
  Random random(16);
  const BehindStates indexes[] = {{{}, "Weight"}, {{"Author"}, "Size"}, {{"Done", "Author"}, "Count"}};
  for (int i = 0; i < 600; ++i) {
    const Partitions& partitions = sessions[below(random, sessions.size())];
    PlanBuilder builder(world.catalog, chance(random, 20) ? "report" : "document");
    Plan& plan = builder.plan;
    const BehindStates& asked = indexes[below(random, std::size(indexes))];
    const Predicate filter = filter_of(builder, random, asked);
    if (filter.kind != Predicate::Kind::Always) plan.filter = filter;
    if (chance(random, 30)) sort_by(plan, builder.path("Title"), false);
    sort_by(plan, builder.path(asked.sorted), chance(random, 50));
    check_pages(world, random, plan, partitions);
  }
  CHECK(world.by_state() > 1000);
}
