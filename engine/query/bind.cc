#include "engine/query/bind.h"

#include "engine/base/text.h"
#include "engine/query/bind/binder.h"
#include "engine/query/bind_types.h"

#include <algorithm>
#include <utility>

namespace callisto::query {

namespace {

using catalog::Catalog;
using catalog::Entity;
using PlanResult = Result<std::shared_ptr<const Plan>>;

std::shared_ptr<Plan> new_plan(std::shared_ptr<const Catalog> catalog, const Entity& entity) {
  auto plan = std::make_shared<Plan>();
  plan->catalog = std::move(catalog);
  plan->entity = &entity;
  return plan;
}

Result<void> bind_rows(Draft& draft, const Options& options) {
  Plan& plan = draft.plan;
  if (options.orderby) CALLISTO_CHECK(bind_orderby(draft, Source("$orderby", *options.orderby)));
  drop_fixed_keys(plan);
  add_total_order(plan);
  add_identity(plan);
  if (options.select) {
    CALLISTO_CHECK(bind_select(draft, Source("$select", *options.select)));
  } else {
    select_summary(draft);
  }
  keep_sorted_tables(plan);
  if (options.pages) keep_order(plan);
  return bind_position(plan, options.position);
}

}  // namespace

PlanResult bind_search(std::shared_ptr<const Catalog> catalog, const Entity& entity, const Options& options,
                       const Limits& limits, ConstantFolder& folder) {
  auto plan = new_plan(std::move(catalog), entity);
  Draft draft(*plan, limits, folder);
  for (const Options::JoinText& join : options.joins)
    CALLISTO_CHECK(bind_join(draft, Source(join.inner ? "$innerJoin" : "$leftJoin", join.text), join.inner));
  const auto* given = options.given ? &*options.given : nullptr;
  if (options.filter) CALLISTO_CHECK(bind_filter(draft, Source("$filter", *options.filter).with(given), Use::Filter));
  CALLISTO_CHECK(asks_groups(options) ? bind_groups(draft, options) : bind_rows(draft, options));
  plan->top = options.top;
  plan->skip = options.skip.value_or(0);
  if (has_partitioned_rows(entity)) plan->partition = options.partition;  // API rule 2.10
  plan->count = options.count;
  plan->inline_count = options.inline_count;
  plan->explain = options.explain;
  return std::shared_ptr<const Plan>(std::move(plan));
}

PlanResult bind_record(std::shared_ptr<const Catalog> catalog, const Entity& entity, const Options& options,
                       const Limits& limits, ConstantFolder& folder) {
  auto plan = new_plan(std::move(catalog), entity);
  Draft draft(*plan, limits, folder);
  add_identity(*plan);
  if (const catalog::Property* version = entity.find_property(catalog::system::version))
    plan->version_column = column_of(*plan, Path{0, {}, version});
  if (options.select) {
    CALLISTO_CHECK(bind_select(draft, Source("$select", *options.select)));
  } else {
    select_public(draft);
  }
  return std::shared_ptr<const Plan>(std::move(plan));
}

PlanResult bind_predicate(std::shared_ptr<const Catalog> catalog, const Entity& entity, std::string_view filter,
                          const Limits& limits, ConstantFolder& folder) {
  auto plan = new_plan(std::move(catalog), entity);
  Draft draft(*plan, limits, folder);
  draft.has_lists = false;
  CALLISTO_CHECK(bind_filter(draft, Source("filter", filter), Use::Own));
  return std::shared_ptr<const Plan>(std::move(plan));
}

std::size_t column_of(Plan& plan, Path path) {
  const auto found = std::find(plan.columns.begin(), plan.columns.end(), path);
  if (found != plan.columns.end()) return static_cast<std::size_t>(found - plan.columns.begin());
  plan.columns.push_back(std::move(path));
  return plan.columns.size() - 1;
}

ConstantRef add_constant(Plan& plan, Constant constant, const catalog::Property& compared_with) {
  auto* text = std::get_if<std::string>(&constant.value);
  if (text && compared_with.uppercase) *text = text::upper(*text);  // as what is stored was
  plan.constants.push_back(std::move(constant));
  return {plan.constants.size() - 1};
}

void add_identity(Plan& plan) {
  for (const catalog::Property* part : plan.entity->key) plan.key_columns.push_back(column_of(plan, Path{0, {}, part}));
  if (plan.entity->type_column) plan.type_column = column_of(plan, Path{0, {}, plan.entity->type_column});
}

}  // namespace callisto::query
