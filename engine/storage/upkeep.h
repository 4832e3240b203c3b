// Upkeep: work on a database beside reading and writing rows. It keeps the planner's statistics and the index of
// substrings fresh, copies the file while a server writes it, and checks it for damage.
#pragma once

#include "engine/base/result.h"
#include "engine/storage/database.h"
#include "engine/storage/dialect.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace callisto::storage {

// What SQLite's planner knows of how many rows a value has: samples of each index, made anew after much has changed
// (PostgreSQL does so by itself). Without them it takes every equality for a rare one. One thread at a time.
class Statistics {
 public:
  Statistics(Database& database, std::vector<TableSpec> tables);

  // Looks at the size of each table, and samples the indexes of those that have grown or shrunk by a tenth: each in a
  // write of its own, of some milliseconds. True: something was made anew.
  Result<bool> run();

 private:
  Result<bool> is_due(const TableSpec& table);
  Result<void> sample(const TableSpec& table);
  Result<void> sample_index(const TableSpec& table, const std::string& index);
  Result<void> agree(const TableSpec& table, const std::vector<std::string>& indexes);
  Result<void> set(const std::string& index, const std::vector<std::int64_t>& numbers);
  Result<void> tell_readers();

  Database& database_;
  std::vector<TableSpec> tables_;
  std::unique_ptr<Connection> reader_;
  std::map<std::string, std::int64_t> known_;  // rows of a table when it was sampled
};

// The index of substrings (IndexSpec::substrings) takes up what was written later, many rows at once; until then a
// search looks at those rows too. PostgreSQL's does so by itself: no row ever waits.

// Whether rows wait; the connection's thread.
Result<bool> has_unindexed(Connection& connection, const SqlIdentifier& table);
// Inside a WriteFunction: indexes rows that wait, `most` at most. How many they were.
Result<std::size_t> index_substrings(Connection& connection, const SqlIdentifier& table, const IndexSpec& index,
                                     std::size_t most);

// Inside a WriteFunction: all that it knows goes, and every row waits to be taken up again.
Result<void> renew_substring_index(Connection& connection, const SqlIdentifier& table);

// What the database takes, in bytes, as it is now. Cheap: SQLite's files are asked for their size, PostgreSQL for its
// sum.
struct DatabaseSize {
  std::uint64_t database = 0;
  std::optional<std::uint64_t> log;  // SQLite's write-ahead log, beside it
};
Result<DatabaseSize> size_of(Connection& connection);

// The file of a database. Errors are for the operator: the reason stands in log_detail. Any thread.

using BackupProgress = std::function<void(std::uint64_t done_bytes, std::uint64_t all_bytes)>;

// A copy as it is at one moment: what was committed before the call is in it, nothing of a later moment. `target` must
// not exist; it is on the disk when this returns. The server's write-ahead log cannot begin anew while
// the copy is made.
Result<void> back_up(const std::string& url, const std::string& target, const BackupProgress& progress);

// What is damaged in a copy, which has all damage of its source; 20 lines at most. Reads every page, but does not hold
// indexes against their rows as check_file() does. A file that nobody has open; leaves nothing beside it.
Result<std::vector<std::string>> check_copy(const std::string& path);

// Whether the file is whole: pages that hang together, rows that have their index entries.
// Reads all of it, beside a running server too: about a second for 50 MB. What is wrong, 20 lines at most; empty:
// nothing. An error where it cannot even be opened.
Result<std::vector<std::string>> check_file(const std::string& url);

}  // namespace callisto::storage
