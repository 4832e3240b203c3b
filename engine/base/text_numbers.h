// How SQLite's index of substrings numbers its rows: by partition first and key second, so that a search within some
// partitions never meets the entries of others. The folder that fills the index (storage) and the one that queries it
// (query) both use it. A partition takes 23 bits; with more partitions some share a number, which costs time but no
// correctness. Pure; any thread.
#pragma once

#include "engine/base/sql.h"

namespace callisto::text_numbers {

// The first number of a partition; -1 stands for the rows of none.
inline Sql first(const Sql& partition) { return Sql("(((") << partition << " + 1) & 8388607) << 40)"; }
inline Sql last(const Sql& partition) { return Sql("(") << first(partition) << " + 1099511627775)"; }
// Of a key of 40 bits, sign and all.
inline Sql number(const Sql& partition, const Sql& key) {
  return Sql("(") << first(partition) << " | (" << key << " & 1099511627775))";
}
inline Sql key(const Sql& number) { return Sql("((") << number << " + 549755813888) & 1099511627775) - 549755813888"; }

}  // namespace callisto::text_numbers
