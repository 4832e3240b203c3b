// Reading a page in the order of a lookup one value after the other (query/by_lookup.h). The connection's thread.
#pragma once

#include "engine/base/result.h"
#include "engine/records/context.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace callisto::records {

// Beyond so many values of the lookup all rows are sorted; in the order of its keys they are rather walked.
constexpr std::size_t most_values = 1000, most_values_by_key = 200;
// What finding those may take, in rows, and in steps from one to the next in an index, which take PostgreSQL longer.
constexpr std::uint64_t most_for_values = 100'000, most_for_values_in_postgres = 250'000;
constexpr std::size_t most_steps = 40'000;
// So many rows are looked at to see how many of them it takes for one of the page; if the page would take more than
// `most_for_page` of them, all rows are sorted. What it takes to choose a way to the rows of a value, in rows: of any,
// for each index that might lead there, and where a walk in order was in vain.
constexpr std::int64_t first_rows = 4000, most_for_page = 40'000;
constexpr std::int64_t rows_for_a_value = 50, rows_for_a_probe = 200, rows_in_vain = 10'000;
// A statement takes PostgreSQL as long as so many rows do.
constexpr std::int64_t rows_for_a_statement = 400;
// All of it but the values, whatever the rows cost.
constexpr std::chrono::milliseconds longest_finding{150};

// The keys of the page's rows, as a JSON array; nothing where the filter leads to few rows or the keys take too long to
// find, so that all rows are better sorted. The rows are to be read in the same read transaction.
Result<std::optional<std::string>> keys_by_lookup(const Context& context, const Prepared& prepared,
                                                  const std::vector<Value>& constants);

}  // namespace callisto::records
