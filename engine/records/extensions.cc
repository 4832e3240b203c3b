#include "engine/records/extensions.h"

#include "engine/records/session_facts.h"
#include "engine/records/values.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace callisto::records {
namespace {

// std::equal() would call memcmp(), for three or four numbers.
bool differ(const std::uint64_t* one, const std::uint64_t* other, std::size_t count) {
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < count; ++i) difference |= one[i] ^ other[i];
  return difference != 0;
}

}  // namespace

Extensions::Asked::Asked(const query::Plan& plan, const query::ExtensionUse& use, std::pmr::memory_resource* memory)
    : needs(memory),
      key_of_row(use.need_columns.size() + use.need_columns.size() / bits + 1, memory),
      keys(memory),
      places(memory) {
  const auto usual = static_cast<std::size_t>(std::min<std::int64_t>(plan.top.value_or(usual_rows), usual_rows));
  needs.reserve(use.need_columns.size());
  for (const std::size_t column : use.need_columns) {
    const catalog::Property& property = *plan.columns[column].property;
    needs.push_back({column, &property, is_stored_whole(property)});
  }
  places.reserve(usual);
  keys.reserve(usual * key_of_row.size());
  rows.values.reserve(usual / 4 * needs.size());  // most rows are not the first of their kind
}

Extensions::Extensions(const query::Plan& plan) : plan_(plan) {
  asked_.reserve(plan.extensions.size());
  for (const query::ExtensionUse& use : plan.extensions) asked_.emplace_back(plan, use, &memory_);
}

void Extensions::add(const Row& row) {
  for (Asked& asked : asked_) asked.add(row);
}

// A row whose place in `last` another one has taken since is asked for again.
void Extensions::Asked::add(const Row& row) {
  constexpr std::size_t odd = 0x9e3779b97f4a7c15;  // spreads small numbers over the upper bits
  const Need* const need = needs.data();
  const std::size_t count = needs.size(), width = key_of_row.size();
  std::uint64_t* const key = key_of_row.data();
  std::uint64_t hash = 0, nulls = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = need[i].is_whole ? row.integer_or_null(need[i].column) : read_other(row, need[i]);
    if (!number) nulls |= std::uint64_t{1} << i % bits;
    if (i % bits == bits - 1) key[count + i / bits] = std::exchange(nulls, 0);
    key[i] = static_cast<std::uint64_t>(number.value_or(0));
    hash = (hash ^ key[i]) * odd;
  }
  key[width - 1] = nulls;
  std::uint32_t& place = last[hash >> (bits - last_bits)];
  if (place >= rows.count || differ(key, keys.data() + place * width, width)) {
    place = static_cast<std::uint32_t>(rows.count++);
    keys.insert(keys.end(), key, key + width);
    for (std::size_t i = 0; i < count; ++i) rows.values.push_back(value_of(row, i));
  }
  places.push_back(place);
}

// Of the row that is being added.
Value Extensions::Asked::value_of(const Row& row, std::size_t place) const {
  const Need& need = needs[place];
  if ((key_of_row[needs.size() + place / bits] >> place % bits & 1) != 0) return Null{};
  if (!need.is_whole) return read_value(row, need.column, *need.property);
  return whole_value(static_cast<std::int64_t>(key_of_row[place]), *need.property);
}

// A number that no other value of the column has on this page.
std::optional<std::int64_t> Extensions::Asked::read_other(const Row& row, const Need& need) {
  if (row.is_null(need.column)) return std::nullopt;
  if (catalog::is_number(need.property->type)) return std::bit_cast<std::int64_t>(row.real(need.column));
  return texts.try_emplace(std::string(row.text(need.column)), texts.size()).first->second;
}

Result<std::vector<Extensions::Values>> Extensions::values(const Context& context) const {
  std::vector<Values> all;
  const script::SessionFacts& facts = session_facts(context);
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    CALLISTO_TRY(auto answers, context.scripts.extend(*plan_.extensions[i].augmenter, asked_[i].rows, facts));
    all.emplace_back(std::move(answers), asked_[i].places);
  }
  return all;
}

}  // namespace callisto::records
