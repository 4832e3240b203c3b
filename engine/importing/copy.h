// Copies a whole desk from one database into another, also of another kind: every row of every table of a dump
// (dump_tables.h), from one state of the source; then both sides are read back and compared. All or nothing: the target
// gets the copy once it was found equal, and not a row of it before. Errors are for the operator: bad_format if a
// value, a table or the target is at fault.
#pragma once

#include "engine/base/result.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::importing {

struct CopiedTable {
  std::string name;
  std::uint64_t rows = 0;
  std::string checksum;  // SHA-256 of its lines in `callisto export`, in hex; the same on both sides
};

using CopyProgress = std::function<void(std::string_view step, std::uint64_t done, std::uint64_t all)>;  // in rows

// An error where a desk, or anything else, has rows there: a table that is not of the engine counts too.
Result<void> check_nothing_to_lose(storage::Connection& target);

// `source`: nothing but reads, in one snapshot. `target` has its tables already; no server may be at work on it.
Result<std::vector<CopiedTable>> copy_desk(storage::Connection& source, storage::Database& target,
                                           const CopyProgress& progress);

}  // namespace callisto::importing
