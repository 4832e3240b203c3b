#include "engine/records/extensions.h"

#include "engine/records/session_facts.h"
#include "engine/records/values.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace callisto::records {

Extensions::Asked::Asked(const query::Plan& plan, const query::ExtensionUse& use, std::pmr::memory_resource* memory)
    : needs(memory), cells_of_row(use.need_columns.size(), memory), cells(memory), places(memory) {
  const auto usual = static_cast<std::size_t>(std::min<std::int64_t>(plan.top.value_or(usual_rows), usual_rows));
  needs.reserve(use.need_columns.size());
  for (const std::size_t column : use.need_columns) {
    const catalog::Property& property = *plan.columns[column].property;
    needs.push_back({column, &property, is_stored_whole(property)});
  }
  places.reserve(usual);
  cells.reserve(usual * needs.size());
  rows.values.reserve(usual * needs.size());
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
  std::size_t hash = 0;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const auto number = needs[i].is_whole ? row.integer_or_null(needs[i].column) : read_other(row, needs[i]);
    cells_of_row[i].is_null = !number;
    cells_of_row[i].number = number.value_or(0);
    hash = (hash ^ static_cast<std::size_t>(cells_of_row[i].number)) * odd;
  }
  std::uint32_t& place = last[hash >> (64 - last_bits)];
  const auto known = cells.begin() + static_cast<std::ptrdiff_t>(place * needs.size());
  if (place >= rows.count || !std::equal(cells_of_row.begin(), cells_of_row.end(), known)) {
    place = static_cast<std::uint32_t>(rows.count++);
    cells.insert(cells.end(), cells_of_row.begin(), cells_of_row.end());
    for (std::size_t i = 0; i < needs.size(); ++i) rows.values.push_back(value_of(row, needs[i], cells_of_row[i]));
  }
  places.push_back(place);
}

Value Extensions::Asked::value_of(const Row& row, const Need& need, const Cell& cell) {
  if (cell.is_null != 0) return Null{};
  return need.is_whole ? whole_value(cell.number, *need.property) : read_value(row, need.column, *need.property);
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
