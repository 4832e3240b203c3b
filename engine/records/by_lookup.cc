#include "engine/records/by_lookup.h"

#include "engine/records/choice.h"
#include "engine/records/search.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace callisto::records {

namespace {

using Keys = std::vector<std::int64_t>;

// One value of the lookup; nothing: it has none.
struct LookedUp {
  std::optional<std::int64_t> value;
  std::int64_t group = 0;    // the same for those that are equal in the order
  bool is_null = false;      // in the order
  bool is_at_place = false;  // where the page before ended
};

// Whether reading takes no longer than so many rows do. Else what it has read so far is of no use.
Result<bool> is_within(const Context& context, std::uint64_t most, const std::function<Result<void>()>& read) {
  CALLISTO_TRY(const auto limit, storage::RowLimit::set(context.connection, most));
  const auto done = read();
  if (!done && limit.is_met()) return false;
  CALLISTO_CHECK(done);
  return true;
}

class KeyFinder {
 public:
  KeyFinder(const Context& context, const Prepared& prepared, const std::vector<Value>& constants)
      : context_(context),
        plan_(*prepared.plan),
        way_(*prepared.by_lookup),
        constants_(constants),
        is_sqlite_(context.model.dialect == query::Dialect::Sqlite) {}

  // Nothing: all rows are better sorted.
  Result<std::optional<Keys>> find() {
    CALLISTO_TRY(const bool leads_to_few, has_few_rows());
    if (leads_to_few) return std::optional<Keys>();
    const std::uint64_t most = is_sqlite_ ? most_for_values : most_for_values_in_postgres;
    CALLISTO_TRY(const bool is_soon, is_within(context_, most, [&] { return read_values(); }));
    if (!is_soon || has_more_steps_) return std::optional<Keys>();
    begun_ = std::chrono::steady_clock::now();
    for (auto from = values_.begin(); from != values_.end() && found_.size() < wanted();) {
      const auto is_other = [&](const LookedUp& each) { return each.group != from->group; };
      const auto end = std::find_if(from, values_.end(), is_other);
      CALLISTO_TRY(const bool is_added, add_group({from, end}));
      if (!is_added) return std::optional<Keys>();
      from = end;
    }
    if (has_more_values_ && found_.size() < wanted()) return std::optional<Keys>();
    found_.erase(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(std::min(skipped(), found_.size())));
    return std::optional(std::move(found_));
  }

 private:
  std::size_t skipped() const { return static_cast<std::size_t>(plan_.skip); }
  std::size_t wanted() const { return skipped() + static_cast<std::size_t>(plan_.rows_to_read()); }

  Result<bool> has_few_rows() const {
    for (const query::Statement& probe : way_.probes) {
      CALLISTO_TRY(const std::int64_t rows, number(context_, plan_, probe, constants_, std::nullopt));
      if (rows < static_cast<std::int64_t>(most_sorted)) return true;
    }
    return false;
  }

  // Those that rows have, and null where that is in the order.
  Result<void> read_values() {
    CALLISTO_TRY(const auto bound, parameters(context_, way_.values, plan_, constants_, {}));
    CALLISTO_TRY(auto cursor, context_.connection.query(way_.values.sql, bound));
    for (;;) {
      CALLISTO_TRY(const bool found, cursor->step());
      if (!found) break;
      values_.push_back({cursor->integer(0), cursor->integer(1), cursor->integer(2) != 0, cursor->integer(3) != 0});
      has_more_steps_ = cursor->integer(4) == static_cast<std::int64_t>(most_steps);
    }
    leave_cut_group();
    add_null();
    return {};
  }

  // Of the last group not all may have been read.
  void leave_cut_group() {
    has_more_values_ = values_.size() > way_.most_values;
    if (!has_more_values_) return;
    has_more_null_ = values_.back().is_null;
    std::erase_if(values_, [last = values_.back().group](const LookedUp& each) { return each.group == last; });
  }

  // Rows without a value stand with those whose value leads to null: first, or descending last.
  void add_null() {
    const bool is_last = plan_.order.front().descending, is_behind = !plan_.after.empty();
    const bool was_null = is_behind && is_null(plan_.constants[plan_.after.front().index].value);
    const bool is_passed = is_behind && !is_last && !was_null, is_beyond = is_last && has_more_values_;
    if (is_passed || is_beyond || has_more_null_) return;
    const auto same = std::find_if(values_.begin(), values_.end(), [](const LookedUp& each) { return each.is_null; });
    constexpr std::int64_t own_group = 0;  // those that are told apart are counted from 1
    values_.insert(is_last ? values_.end() : values_.begin(),
                   {std::nullopt, same == values_.end() ? own_group : same->group, true, was_null});
  }

  // Rows of one place in the order, which go by what follows it. False: that is more than a key, or takes too long.
  Result<bool> add_group(const std::vector<LookedUp>& group) {
    if (group.size() > 1 && !way_.is_by_key) return false;
    const std::size_t begin = found_.size(), most = wanted() - begin;
    for (const LookedUp& each : group) {
      CALLISTO_TRY(const bool is_added, add_rows(each, most));
      if (!is_added) return false;
    }
    const auto first = found_.begin() + static_cast<std::ptrdiff_t>(begin);
    if (group.size() > 1) {
      std::sort(first, found_.end());
      if (way_.descending) std::reverse(first, found_.end());
    }
    if (found_.size() > wanted()) found_.resize(wanted());
    return true;
  }

  // False: it takes too long.
  Result<bool> add_rows(const LookedUp& of, std::size_t most) {
    const Prepared& part = of.is_at_place ? *(of.value ? way_.behind_value : way_.behind_null)
                                          : *(of.value ? way_.of_value : way_.of_null);
    auto constants = constants_;
    if (of.value) constants.emplace_back(*of.value);
    CALLISTO_TRY(const Chosen chosen, choose(context_, part, constants, std::nullopt));
    const bool is_in_vain = chosen.most_to_sort == most_sorted_late;
    if (chosen.walk == Walk::InOrder && is_in_vain) return false;
    const std::size_t probes = part.sorted ? part.sorted->seeks.size() : 0;
    rows_ += is_sqlite_ ? rows_for_a_value : rows_for_a_statement;
    rows_ += rows_for_a_probe * static_cast<std::int64_t>(probes);
    rows_ += (is_in_vain ? rows_in_vain : 0) + (chosen.walk == Walk::Sorted ? *chosen.to_sort : 0);
    if (rows_ > most_for_page) return false;
    const auto read = [&] { return read_keys(part, *chosen.rows, constants, most); };
    CALLISTO_TRY(const bool is_soon, is_within(context_, most_for_page, read));
    return is_soon && !takes_too_many();
  }

  // As many rows for each of the page as there were for those found.
  bool takes_too_many() const {
    if (std::chrono::steady_clock::now() - begun_ > longest_finding) return true;
    const auto found = static_cast<std::int64_t>(std::min(found_.size(), wanted()));
    return rows_ > first_rows && rows_ * static_cast<std::int64_t>(wanted()) > most_for_page * found;
  }

  Result<void> read_keys(const Prepared& part, const query::Statement& rows, const std::vector<Value>& constants,
                         std::size_t most) {
    CALLISTO_TRY(const auto bound, parameters(context_, rows, *part.plan, constants, {}));
    CALLISTO_TRY(auto cursor, context_.connection.query(rows.sql, bound));
    for (std::size_t count = 0; count < most; ++count) {
      CALLISTO_TRY(const bool found, cursor->step());
      if (!found) break;
      found_.push_back(cursor->integer(0));
    }
    return {};
  }

  const Context& context_;
  const query::Plan& plan_;
  const Prepared::ByLookup& way_;
  const std::vector<Value>& constants_;
  const bool is_sqlite_;
  std::chrono::steady_clock::time_point begun_;  // with the rows of the first value
  std::vector<LookedUp> values_;
  bool has_more_steps_ = false;                           // in the index: not all values are known
  bool has_more_values_ = false, has_more_null_ = false;  // than were read; some of those are null in the order
  std::int64_t rows_ = 0;                                 // that were looked at, about
  Keys found_;
};

std::string json_of(const Keys& keys) {
  std::string text = "[";
  for (const std::int64_t key : keys) {
    if (text.size() > 1) text += ',';
    text += std::to_string(key);
  }
  return text + "]";
}

}  // namespace

Result<std::optional<std::string>> keys_by_lookup(const Context& context, const Prepared& prepared,
                                                  const std::vector<Value>& constants) {
  CALLISTO_TRY(const auto keys, KeyFinder(context, prepared, constants).find());
  return keys ? std::optional(json_of(*keys)) : std::nullopt;
}

}  // namespace callisto::records
