// Reading: runs a prepared query for one session on one connection. It computes the values of augmenters and hands out
// rows one by one as the database gives them. The connection's thread; a Page must be destroyed before the connection.
#pragma once

#include "engine/auth/session.h"
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

struct Page {
  std::optional<storage::ReadTransaction> snapshot;  // rows and count of one moment; goes after the cursor
  std::unique_ptr<Row> rows;
  std::optional<std::int64_t> count;  // $inlinecount
};

// What limits a session's statements; `key` tells sessions of different limits apart.
struct SessionScope {
  query::Scope scope;
  std::string key;
};
SessionScope scope_of(const AccessRules::Limits& access, const auth::Session& session);

// Beyond so many candidates a walk in the order asked for is faster: it soon meets a page of rows. It takes longer
// where other terms of the filter pass over some of them.
constexpr std::size_t most_candidates = 4000, most_candidates_beside_terms = 16'000;
// So few rows are read in less time than the index of substrings takes for a frequent word.
constexpr std::size_t most_read = 1000;
// So many rows are read and sorted in some milliseconds; a walk in order mostly meets more of them soon enough.
constexpr std::size_t most_sorted = 4000;
// A walk that looks at more than so many rows, and so many for each that it passes over, before it gives the first,
// will look at many times as many for a page. Fewer than `most_sorted_late` are then sorted sooner.
constexpr std::uint64_t most_in_vain = 3000, most_in_vain_for_each = 30;
// Of those in which something is not set, which are mostly many.
constexpr std::size_t most_sorted_of_null = 200;
// A probe through a lookup looks at no more than so many rows, there and here.
constexpr std::uint64_t most_looked_through = 200;
constexpr std::size_t most_sorted_late = 100'000;

// The statements of the page that are the fastest with these values, and how many rows probes have counted for that.
enum class Walk { InOrder, Sorted, Candidates };
struct Chosen {
  const query::Statement *rows, *other, *count;
  Walk walk = Walk::InOrder;
  std::optional<std::int64_t> candidates = std::nullopt;  // Prepared::Narrowed::most: as many or more
  std::optional<std::int64_t> to_sort = std::nullopt;     // of the last probe
  std::size_t most_to_sort = most_sorted;                 // which counts as many or more as so many
};
// A walk that was begun to see whether it is in vain: its rows, and whether there was a first one.
struct Begun {
  std::unique_ptr<Row> rows;  // null: none was begun
  bool found = false;
};
// `begun`: gets the rows that were chosen, where they were begun; null: they are left.
Result<Chosen> choose(const Context& context, const Prepared& prepared, const std::vector<Value>& constants,
                      std::optional<ParentKey> parent, Begun* begun = nullptr);

Result<Page> search(const Context& context, const Prepared& prepared, std::optional<ParentKey> parent);
Result<std::int64_t> count(const Context& context, const Prepared& prepared, std::optional<ParentKey> parent);

// The row with this key, its cursor on the row; 404 RecordNotFound when there is none or the session may not see it.
Result<Page> read(const Context& context, const Prepared& prepared, const std::vector<Value>& key);

// The values of Plan::constants for this request, and what a statement binds. An augmenter is asked once for the same
// arguments.
Result<Value> resolve_constant(const Context& context, const query::Constant& constant);
Result<std::vector<Value>> resolve_constants(const Context& context, const query::Plan& plan);
Result<std::vector<Value>> parameters(const Context& context, const query::Statement& statement,
                                      const query::Plan& plan, const std::vector<Value>& constants,
                                      const std::vector<Value>& key);

}  // namespace callisto::records
