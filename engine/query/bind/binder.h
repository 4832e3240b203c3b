// The steps of binding, one for each option: each adds its part to the plan of a Draft. bind.cc calls them in order;
// the joins come first, because the others name their aliases. One thread.
#pragma once

#include "engine/query/bind/names.h"

#include <string_view>

namespace callisto::query {

struct Draft {
  // `relations`: that the query needs beside this plan.
  Draft(Plan& the_plan, const Limits& the_limits, ConstantFolder& the_folder, std::size_t relations = 0)
      : plan(the_plan), limits(the_limits), folder(the_folder), names(the_plan, the_limits, relations) {}

  Plan& plan;
  const Limits& limits;
  ConstantFolder& folder;
  Names names;
  bool has_lists = true;  // Any, All and Count may be asked: a database decides
};

Result<void> bind_join(Draft& draft, const Source& source, bool inner);
Result<void> bind_filter(Draft& draft, const Source& source, Use use);
Result<void> bind_orderby(Draft& draft, const Source& source);
Result<void> bind_select(Draft& draft, const Source& source);
Result<void> bind_groupby(Draft& draft, const Source& source);   // columns and shape of the groups
Result<void> bind_groups(Draft& draft, const Options& options);  // with their aggregates and their order

void drop_fixed_keys(Plan& plan);
void add_total_order(Plan& plan);  // API rule 2.4
void keep_sorted_tables(Plan& plan);
void keep_order(Plan& plan);  // what a link to the next page is made of
// `position`: what the last row of the page before had for each key of the order; empty: there was none.
Result<void> bind_position(Plan& plan, const std::vector<Value>& position);
void add_identity(Plan& plan);      // key, type: what the links of a row need
void select_summary(Draft& draft);  // API rule 2.2, a search without $select
void select_public(Draft& draft);   // `*`, and a record without $select

// The number of `path` in Plan::columns, added where it is new.
std::size_t column_of(Plan& plan, Path path);
// `compared_with`: what the constant is compared with.
ConstantRef add_constant(Plan& plan, Constant constant, const catalog::Property& compared_with);

}  // namespace callisto::query
