// A desk as JSON lines, exported and imported without loss: a header, then one object per row, with its columns as they
// are stored, without nulls. Export: one state of the database, whoever writes meanwhile. Import: into a desk without a
// record, all or nothing. Errors are for the operator: bad_format if the file or the desk is at fault.
#pragma once

#include "engine/base/result.h"
#include "engine/catalog/catalog.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::importing {

using DumpProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;  // in rows

// `tables`: those alone, with their key counters; none: all that there are. `put` gets whole lines.
Result<std::uint64_t> write_dump(storage::Connection& connection, const std::vector<std::string>& tables,
                                 const std::function<Result<void>(std::string_view)>& put,
                                 const DumpProgress& progress);

bool is_dump(std::string_view text);

// How many rows there were.
Result<std::uint64_t> load_dump(storage::Database& database, const catalog::Catalog& catalog, std::string_view text,
                                const DumpProgress& progress);

}  // namespace callisto::importing
