#include "engine/query/sql/position.h"

#include "engine/query/index_terms.h"
#include "engine/query/sql/barrier.h"
#include "engine/query/sql/compare.h"

#include <utility>

namespace callisto::query {

namespace {

bool is_null_at(const Plan& plan, std::size_t key) { return is_null(plan.constants[plan.after[key].index].value); }

bool may_be_null(const SortKey& key) {
  return key.path.source != 0 || !key.path.hops.empty() || !key.path.property->is_key;
}

}  // namespace

// Null is the lowest value: ascending, values follow it; descending, it follows them.
bool has_other_stretch(const Plan& plan) {
  if (plan.after.empty() || !may_be_null(plan.order.front())) return false;
  return is_null_at(plan, 0) != plan.order.front().descending;
}

namespace emit {

namespace {

class Keys {
 public:
  Keys(Tables& tables, From& from) : tables_(tables), from_(from), plan_(tables.plan) {}

  Condition is_null(std::size_t key) { return {column(key) << " IS NULL"}; }
  Condition is_set(std::size_t key) { return {column(key) << " IS NOT NULL"}; }
  Condition compared_with(std::size_t key, CompareOp op) {
    const catalog::Property& property = *plan_.order[key].path.property;
    return compared(tables_.spelling, op, comparand(tables_.spelling, property, column(key)),
                    comparand(tables_, plan_.after[key]));
  }
  Condition equal(std::size_t key) {
    return is_null_at(plan_, key) ? is_null(key) : compared_with(key, CompareOp::Equal);
  }
  // Behind the position by this key, of the same stretch.
  Condition beyond(std::size_t key) {
    if (is_null_at(plan_, key)) return any_of({});
    return compared_with(key, plan_.order[key].descending ? CompareOp::Less : CompareOp::Greater);
  }
  // The same, of both stretches.
  Condition behind(std::size_t key) {
    const bool descending = plan_.order[key].descending, null = is_null_at(plan_, key);
    std::vector<Condition> any;
    if (!null) any.push_back(beyond(key));
    if (null && !descending) any.push_back(is_set(key));
    if (!null && descending && may_be_null(plan_.order[key])) any.push_back(is_null(key));
    return any_of(std::move(any));
  }
  // Not before the position by the first key.
  Condition bound() {
    if (is_null_at(plan_, 0)) return is_null(0);
    return compared_with(0, plan_.order.front().descending ? CompareOp::LessEqual : CompareOp::GreaterEqual);
  }
  // Equal by the keys in front, and behind by the next one.
  Condition by(std::size_t key) {
    std::vector<Condition> all;
    for (std::size_t i = 0; i < key; ++i) all.push_back(equal(i));
    all.push_back(key == 0 ? beyond(0) : behind(key));
    return all_of(std::move(all));
  }

 private:
  Sql column(std::size_t key) {
    const Path& path = plan_.order[key].path;
    const bool is_own = query::is_own(path);
    return is_own ? by_no_index(tables_, from_.root(), *path.property) : from_.column(path);
  }

  Tables& tables_;
  From& from_;
  const Plan& plan_;
};

bool leads(const SortKey& key) { return is_own(key.path) && has_index(*key.path.property); }

}  // namespace

Position position_of(Tables& tables, From& from, Stretch stretch) {
  const Plan& plan = tables.plan;
  Position position;
  if (plan.after.empty()) return position;
  Keys keys(tables, from);
  auto& first = leads(plan.order.front()) ? position.leading : position.behind;
  if (stretch == Stretch::Other) {
    first.push_back(is_null_at(plan, 0) ? keys.is_set(0) : keys.is_null(0));
    return position;
  }
  if (plan.order.size() == 1) {
    first.push_back(keys.beyond(0));
    return position;
  }
  first.push_back(keys.bound());
  std::vector<Condition> any;
  for (std::size_t key = 0; key < plan.order.size(); ++key) any.push_back(keys.by(key));
  position.behind.push_back(any_of(std::move(any)));
  return position;
}

}  // namespace emit

}  // namespace callisto::query
