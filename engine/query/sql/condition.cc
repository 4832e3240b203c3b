#include "engine/query/sql/condition.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace callisto::query::emit {
namespace {

// SQLite reads `a AND b AND c` as a tree as deep as the list is long and refuses more than 1,000 levels; groups of this
// size keep any list shallow and mean the same to its planner.
constexpr std::size_t group_size = 32;
constexpr int separator_depth = 2;  // what stands left of a part that is not the first: the list so far, and AND or OR

Condition joined(std::vector<Condition> parts, Condition::Form form);

std::vector<Condition> grouped(std::vector<Condition> parts, Condition::Form form) {
  std::vector<Condition> groups;
  for (std::size_t first = 0; first < parts.size(); first += group_size) {
    const auto begin = std::make_move_iterator(parts.begin()) + static_cast<std::ptrdiff_t>(first);
    const std::size_t size = std::min(group_size, parts.size() - first);
    Condition group = joined(std::vector<Condition>(begin, begin + static_cast<std::ptrdiff_t>(size)), form);
    groups.push_back({Sql("(") << group.sql << ")", group.depth + 1, Condition::Form::Atom});
  }
  return groups;
}

Condition joined(std::vector<Condition> parts, Condition::Form form) {
  while (parts.size() > group_size) parts = grouped(std::move(parts), form);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.depth > b.depth; });
  Condition whole{Sql(), 0, form};
  for (const Condition& part : parts) {
    const bool first = whole.sql.empty();
    const bool parentheses = form == Condition::Form::All && part.form == Condition::Form::Any;
    if (!first) whole.sql << (form == Condition::Form::All ? SqlLiteral(" AND ") : SqlLiteral(" OR "));
    if (parentheses) whole.sql << "(" << part.sql << ")";
    else whole.sql << part.sql;
    whole.depth = std::max(whole.depth, part.depth + (first ? 0 : separator_depth) + (parentheses ? 1 : 0));
  }
  return whole;
}

}  // namespace

Condition all_of(std::vector<Condition> parts) {
  if (parts.empty()) return {Sql("1 = 1")};
  if (parts.size() == 1) return std::move(parts.front());
  return joined(std::move(parts), Condition::Form::All);
}

Condition any_of(std::vector<Condition> parts) {
  if (parts.empty()) return {Sql("1 = 0")};
  if (parts.size() == 1) return std::move(parts.front());
  return joined(std::move(parts), Condition::Form::Any);
}

Condition negated(const Condition& atom) {
  return {Sql("(") << atom.sql << ") IS NOT TRUE", atom.depth + 1, Condition::Form::Atom};
}

}  // namespace callisto::query::emit
