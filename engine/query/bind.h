// Binds option texts against the catalog: names and types -> Plan. Pure except for the constant functions that
// `augmenters` folds. Every error is a 400 with option, column, what was found and what was expected. Any thread.
//
// Invariants: a bound plan keeps its catalog alive, and can be emitted and evaluated.
#pragma once

#include "engine/base/result.h"
#include "engine/query/fields.h"
#include "engine/query/options.h"
#include "engine/query/plan.h"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace callisto::query {

// API rule 2.8; all configurable, all 400 when passed.
struct Limits {
  std::size_t filter_bytes = 8 * 1024;
  std::size_t nesting = 24;
  std::size_t nodes = 500;
  std::size_t relations = 32;
  std::size_t selected_paths = 200;
  std::size_t hops = 6;
  std::size_t sort_keys = 16;
  const Fields* fields = nullptr;  // of the session that asks: what it may not read it cannot name; null: all
};

// Runs a constant function (@DateTime, @Guid) while binding. The message of its error goes to the client.
class ConstantFolder {
 public:
  virtual ~ConstantFolder() = default;
  virtual Result<Value> call(const catalog::Augmenter& function, const std::vector<Value>& arguments) = 0;
};

Result<std::shared_ptr<const Plan>> bind_search(std::shared_ptr<const catalog::Catalog> catalog,
                                                const catalog::Entity& entity, const Options& options,
                                                const Limits& limits, ConstantFolder& folder);

// One record by its key: columns and shape only. Without $select every Public property but Binary.
Result<std::shared_ptr<const Plan>> bind_record(std::shared_ptr<const catalog::Catalog> catalog,
                                                const catalog::Entity& entity, const Options& options,
                                                const Limits& limits, ConstantFolder& folder);

// A predicate alone (conditions, offered, payload filters), decided in memory too, so that it knows no lists: a Plan
// with filter, constants and no columns.
Result<std::shared_ptr<const Plan>> bind_predicate(std::shared_ptr<const catalog::Catalog> catalog,
                                                   const catalog::Entity& entity, std::string_view filter,
                                                   const Limits& limits, ConstantFolder& folder);

}  // namespace callisto::query
