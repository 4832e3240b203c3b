#include "engine/records/choice.h"

#include "engine/records/by_lookup.h"
#include "engine/records/search.h"

#include <algorithm>

namespace callisto::records {

namespace {

// What it counts; where it is given up, as if these were many.
Result<std::int64_t> probed(const Context& context, const query::Plan& plan, const query::Probe& probe,
                            const std::vector<Value>& constants) {
  if (!probe.is_through_lookup) return number(context, plan, probe.count, constants, std::nullopt);
  CALLISTO_TRY(const auto limit, storage::RowLimit::set(context.connection, most_looked_through));
  auto rows = number(context, plan, probe.count, constants, std::nullopt);
  if (!rows && limit.is_met()) return static_cast<std::int64_t>(probe.most);
  return rows;
}

bool is_few(std::optional<std::int64_t> rows, std::size_t most) {
  return rows && *rows < static_cast<std::int64_t>(most);
}

// How many rows the index of substrings names; nothing where it is not asked.
Result<std::optional<std::int64_t>> candidates_of(const Context& context, const Prepared& prepared,
                                                  const std::vector<Value>& constants) {
  if (!prepared.narrowed) return std::optional<std::int64_t>();
  for (const query::Statement& probe : prepared.narrowed->probes) {
    CALLISTO_TRY(const std::int64_t rows, number(context, *prepared.plan, probe, constants, std::nullopt));
    if (is_few(rows, most_read)) return std::optional<std::int64_t>();
  }
  CALLISTO_TRY(const std::int64_t found,
               number(context, *prepared.plan, prepared.narrowed->candidates, constants, std::nullopt));
  return std::optional(found);
}

// The first that leads to few, else one that reads no rows; null: none does.
Result<const query::CountBySeek*> count_by_seek(const Context& context, const Prepared& prepared,
                                                const std::vector<Value>& constants) {
  for (const query::CountBySeek& each : prepared.counts) {
    CALLISTO_TRY(const std::int64_t led, number(context, *prepared.plan, each.probe, constants, std::nullopt));
    if (is_few(led, most_counted(*prepared.plan))) return &each;
  }
  const auto held = std::find_if(prepared.counts.begin(), prepared.counts.end(),
                                 [](const query::CountBySeek& each) { return each.is_in_index; });
  return held == prepared.counts.end() ? nullptr : &*held;
}

struct Counting {
  const query::Statement *count, *groups;
};

// Of many rows: by the index that leads to the fewest, or in one pass; nothing where there is no choice.
Result<std::optional<Counting>> count_of_many(const Context& context, const Prepared& prepared,
                                              const std::vector<Value>& constants) {
  if (!prepared.many) return std::optional<Counting>();
  const auto rows = [&](const query::Statement& probe) {
    return number(context, *prepared.plan, probe, constants, std::nullopt);
  };
  const auto& many = *prepared.many;
  CALLISTO_TRY(const auto all, rows(many.all));
  std::int64_t least = all / passed_for_a_row;
  Counting by{&many.count, &many.groups};
  for (const query::CountBySeek& each : many.seeks) {
    CALLISTO_TRY(const auto led, rows(each.probe));
    if (led >= least) continue;
    least = led;
    by = {&each.count, &each.groups};
  }
  return std::optional(by);
}

Result<const query::Statement*> count_of(const Context& context, const Prepared& prepared,
                                         const std::vector<Value>& constants) {
  const auto rows = [&](const query::Statement& probe) {
    return number(context, *prepared.plan, probe, constants, std::nullopt);
  };
  CALLISTO_TRY(const auto* by, count_by_seek(context, prepared, constants));
  if (by) return &by->count;
  if (!prepared.cover) {
    CALLISTO_TRY(const auto many, count_of_many(context, prepared, constants));
    return many ? many->count : &prepared.count;
  }
  std::int64_t least = most_beside_cover;
  for (const query::Statement& beside : prepared.cover->beside) {
    CALLISTO_TRY(const std::int64_t read, rows(beside));
    if (is_few(read, most_sorted)) return &prepared.count;
    least = std::min(least, read);
  }
  if (!is_few(least, most_beside_cover)) return &prepared.cover->count;
  CALLISTO_TRY(const std::int64_t led, rows(prepared.cover->led));
  return is_few(led, most_sorted_late) ? &prepared.cover->count : &prepared.count;
}

// What this costs the page begins with anyway: its first row, or all of its keys where they are found first.
Result<bool> walks_in_vain(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                           std::optional<ParentKey> parent, Begun* begun) {
  const query::Statement& rows = prepared.rows;
  CALLISTO_TRY(const auto values, parameters(context, rows, *prepared.plan, constants, key_values(parent)));
  const auto passed = static_cast<std::uint64_t>(query::bound_number(query::Paging::End, *prepared.plan));
  if (passed > most_sorted_late) return false;
  CALLISTO_TRY(const auto limit,
               storage::RowLimit::set(context.connection, most_in_vain + most_in_vain_for_each * passed));
  CALLISTO_TRY(std::unique_ptr<Row> cursor, context.connection.query(rows.sql, values));
  const auto found = cursor->step();
  if (!found && limit.is_met()) return true;
  CALLISTO_CHECK(found);
  const auto rest = cursor->read_to_end();
  if (!rest && limit.is_met()) return true;
  CALLISTO_CHECK(rest);
  if (begun) *begun = {std::move(cursor), *found};
  return false;
}

using Seek = Prepared::Sorted::Seek;

// By which the rows are found and sorted; null: they are walked in order.
Result<const Seek*> seek_of(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                            std::optional<ParentKey> parent, Chosen& chosen, Begun* begun) {
  if (!prepared.sorted) return nullptr;
  for (const Seek& seek : prepared.sorted->seeks) {
    CALLISTO_TRY(chosen.to_sort, probed(context, *prepared.plan, seek.probe, constants));
    chosen.most_to_sort = seek.probe.most;
    if (is_few(chosen.to_sort, seek.probe.most)) return &seek;
  }
  CALLISTO_TRY(const bool is_in_vain, walks_in_vain(context, prepared, constants, parent, begun));
  if (!is_in_vain) return nullptr;
  return seek_late(context, prepared, constants, chosen);
}

}  // namespace

std::vector<Value> key_values(std::optional<ParentKey> parent) {
  if (parent) return {Value(parent->key)};
  return {};
}

Result<std::int64_t> number(const Context& context, const query::Plan& plan, const query::Statement& statement,
                            const std::vector<Value>& constants, std::optional<ParentKey> parent) {
  CALLISTO_TRY(const auto values, parameters(context, statement, plan, constants, key_values(parent)));
  CALLISTO_TRY(auto cursor, context.connection.query(statement.sql, values));
  CALLISTO_TRY(bool found, cursor->step());
  return found ? cursor->integer(0) : 0;
}

Result<const Seek*> seek_late(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                              Chosen& chosen) {
  const auto count = [&](const query::Statement& probe) {
    return number(context, *prepared.plan, probe, constants, std::nullopt);
  };
  chosen.most_to_sort = most_sorted_late;
  chosen.to_sort.reset();
  std::int64_t walked = most_sorted_late;
  if (!prepared.sorted->walked.sql.empty()) { CALLISTO_TRY(walked, count(prepared.sorted->walked)); }
  const Seek* least = nullptr;
  for (const Seek& seek : prepared.sorted->seeks) {
    if (seek.longer.sql.empty()) continue;
    CALLISTO_TRY(const std::int64_t found, count(seek.longer));
    if (!chosen.to_sort || found < *chosen.to_sort) chosen.to_sort = found;
    if (found < walked) least = &seek;
    walked = std::min(walked, found);
    if (walked < few_enough) break;
  }
  return least;
}

Result<const query::Statement*> choose_count(const Context& context, const Prepared& prepared,
                                             const std::vector<Value>& constants) {
  CALLISTO_TRY(const auto candidates, candidates_of(context, prepared, constants));
  if (prepared.narrowed && is_few(candidates, prepared.narrowed->most_counted)) return &prepared.narrowed->count;
  return count_of(context, prepared, constants);
}

Result<Chosen> choose(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                      std::optional<ParentKey> parent, Begun* begun) {
  Chosen chosen{&prepared.rows, &prepared.other, nullptr};
  CALLISTO_TRY(chosen.candidates, candidates_of(context, prepared, constants));
  if (prepared.narrowed && is_few(chosen.candidates, prepared.narrowed->most))
    return Chosen{&prepared.narrowed->rows, &prepared.narrowed->other, &prepared.narrowed->count,
                  Walk::Candidates,         chosen.candidates,         {}};
  if (prepared.plan->grouping) {
    CALLISTO_TRY(const auto* by, count_by_seek(context, prepared, constants));
    if (by) return Chosen{&by->groups, &prepared.other, &by->count, Walk::Sorted};
    CALLISTO_TRY(const auto many, count_of_many(context, prepared, constants));
    if (many) return Chosen{many->groups, &prepared.other, many->count, Walk::Sorted};
  }
  if (prepared.narrowed && is_few(chosen.candidates, prepared.narrowed->most_counted))
    chosen.count = &prepared.narrowed->count;
  else { CALLISTO_TRY(chosen.count, count_of(context, prepared, constants)); }
  if (prepared.by_lookup) {
    CALLISTO_TRY(chosen.keys, keys_by_lookup(context, prepared, constants));
    if (chosen.keys) {
      static const query::Statement none;
      chosen.rows = &prepared.by_lookup->rows;
      chosen.other = &none;
      chosen.walk = Walk::ByLookup;
      return chosen;
    }
  }
  CALLISTO_TRY(const Seek* seek, seek_of(context, prepared, constants, parent, chosen, begun));
  if (!seek) return chosen;
  chosen.rows = &seek->rows;
  chosen.other = &seek->other;
  chosen.walk = Walk::Sorted;
  return chosen;
}

}  // namespace callisto::records
