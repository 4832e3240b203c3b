// How a page or a count is found: which of the statements that were prepared is the fastest with the values of this
// request. Probes count what each would look at (decision 0045). The connection's thread.
#pragma once

#include "engine/base/result.h"
#include "engine/records/context.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace callisto::records {

// The row below which a sub-resource is listed; absent for an ordinary search.
struct ParentKey {
  std::int64_t key = 0;
};

// One row under a cursor, for those who render it.
using Row = storage::Cursor;

// Beyond so many candidates a walk in the order asked for is faster: it soon meets a page of rows. It takes longer
// where other terms of the filter pass over some of them.
constexpr std::size_t most_candidates = 4000, most_candidates_beside_terms = 16'000;
// Where nothing is walked in order, such as for a count, what there is beside the candidates are all rows.
constexpr std::size_t most_candidates_of_all = 40'000;
// A walk past rows without the words is left for the candidates after so many, each of which takes as long as some.
constexpr std::uint64_t most_walked_for_words = 10'000, walked_for_a_candidate = 4;
// So few rows are read in less time than the index of substrings takes for a frequent word.
constexpr std::size_t most_read = 1000;
// So many rows are read and sorted in some milliseconds; a walk in order mostly meets more of them soon enough.
constexpr std::size_t most_sorted = 4000;
// A walk that looks at more than so many rows, and so many for each that it passes over, before it gives the first,
// will look at many times as many for a page. Fewer than `most_sorted_late` are then sorted sooner.
constexpr std::uint64_t most_in_vain = 3000, most_in_vain_for_each = 30;
// A page that a walk has not found after looking at so many rows, and as many for each as above, may be sorted sooner:
// a row that is walked past takes a third of what one to be sorted does.
constexpr std::uint64_t most_walked = 30'000, walked_for_a_sorted = 3;
// Of those in which something is not set, which are mostly many.
constexpr std::size_t most_sorted_of_null = 200;
// A probe through a lookup looks at no more than so many rows, there and here.
constexpr std::uint64_t most_looked_through = 200;
constexpr std::size_t most_sorted_late = 100'000;
// To sort fewer than these takes no longer than to count what other ways lead to.
constexpr std::int64_t few_enough = 10'000;
// Where another index leads to more rows than these, an index that holds all that is asked counts them sooner, however
// many it has.
constexpr std::size_t most_beside_cover = 40'000;
// Groups of more rows are sooner found in the order of an index, if there is one.
inline std::size_t most_counted(const query::Plan& plan) { return plan.grouping ? most_sorted_late : most_sorted; }

// A row that an index leads to takes as long as so many in one pass over the table. Of more rows than these no probe
// tells.
constexpr std::int64_t passed_for_a_row = 8;
constexpr std::size_t most_led = 2'000'000;

// The statements of the page that are the fastest with these values, and how many rows probes have counted for that.
enum class Walk { InOrder, Sorted, Candidates, ByLookup };
struct Chosen {
  const query::Statement *rows, *other, *count;
  Walk walk = Walk::InOrder;
  std::optional<std::int64_t> candidates = std::nullopt;  // Prepared::Narrowed::most: as many or more
  std::optional<std::int64_t> to_sort = std::nullopt;     // of the last probe
  std::size_t most_to_sort = most_sorted;                 // which counts as many or more as so many
  std::optional<std::string> keys = std::nullopt;         // of the rows, as a JSON array, where they are known
};
// A walk that was begun to see whether it is in vain: its rows, and whether there was a first one.
struct Begun {
  std::unique_ptr<Row> rows;  // null: none was begun
  bool found = false;
};
// `begun`: gets the rows that were chosen, where they were begun; null: they are left.
Result<Chosen> choose(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                      std::optional<ParentKey> parent, Begun* begun = nullptr);

// Of a count.
Result<const query::Statement*> choose_count(const Context& context, const Prepared& prepared,
                                             const std::vector<Value>& constants);

// The way to sort that leads to the fewest rows, or to few, where a walk looks at more that has not met its page; null:
// none does.
// `chosen`: gets what was counted.
Result<const Prepared::Sorted::Seek*> seek_late(const Context& context, const Prepared& prepared,
                                                const std::vector<Value>& constants, Chosen& chosen);

// The number that a statement asks for.
Result<std::int64_t> number(const Context& context, const query::Plan& plan, const query::Statement& statement,
                            const std::vector<Value>& constants, std::optional<ParentKey> parent);

// What a statement binds of the row below which is listed.
std::vector<Value> key_values(std::optional<ParentKey> parent);

}  // namespace callisto::records
