#include "engine/records/extensions.h"

#include "engine/records/session_facts.h"
#include "engine/records/values.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

namespace callisto::records {
namespace {

struct Hasher {
  std::size_t operator()(Null) const { return 0; }
  std::size_t operator()(DateTime date) const { return (*this)(date.ms); }
  std::size_t operator()(const Decimal& decimal) const { return (*this)(decimal.digits); }
  std::size_t operator()(const Binary& binary) const { return (*this)(binary.bytes); }
  template <typename T>
  std::size_t operator()(const T& value) const {
    return std::hash<T>()(value);
  }
};

std::size_t hash_of(std::span<const Value> values) {
  constexpr std::size_t odd = 0x9e3779b97f4a7c15;  // spreads small numbers over all bits
  std::size_t hash = 0;
  for (const Value& value : values) hash = ((hash ^ std::visit(Hasher(), value)) * odd) ^ (hash >> 29);
  return hash;
}

}  // namespace

Extensions::Extensions(const query::Plan& plan) : plan_(plan) {
  const auto rows = static_cast<std::size_t>(std::min<std::int64_t>(plan.top.value_or(usual_rows), usual_rows));
  asked_.reserve(plan.extensions.size());
  for (std::size_t i = 0; i < plan.extensions.size(); ++i) {
    Asked& asked = asked_.emplace_back(&memory_);
    asked.places.reserve(rows);
    asked.by_hash.reserve(rows);
    asked.rows.values.reserve(rows * plan.extensions[i].need_columns.size());
  }
}

void Extensions::add(const Row& row) {
  for (std::size_t i = 0; i < asked_.size(); ++i) add(row, plan_, plan_.extensions[i].need_columns, asked_[i]);
}

void Extensions::add(const Row& row, const query::Plan& plan, const std::vector<std::size_t>& columns, Asked& asked) {
  auto& values = asked.rows.values;
  for (const std::size_t column : columns) values.push_back(read_value(row, column, *plan.columns[column].property));
  const auto begin_of = [&](std::size_t place) {
    return values.begin() + static_cast<std::ptrdiff_t>(place * columns.size());
  };
  const auto place = static_cast<std::uint32_t>(asked.rows.count);
  const auto [known, is_new] = asked.by_hash.try_emplace(hash_of({begin_of(place), values.end()}), place);
  const bool is_known = !is_new && std::equal(begin_of(place), values.end(), begin_of(known->second));
  asked.places.push_back(is_known ? known->second : place);
  if (is_known) values.erase(begin_of(place), values.end());
  else ++asked.rows.count;
}

Result<std::vector<Extensions::Values>> Extensions::values(const Context& context) const {
  std::vector<Values> all;
  const script::SessionFacts& facts = session_facts(context);
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    CALLISTO_TRY(auto distinct, context.scripts.extend(*plan_.extensions[i].augmenter, asked_[i].rows, facts));
    all.push_back({std::move(distinct), asked_[i].places});
  }
  return all;
}

}  // namespace callisto::records
