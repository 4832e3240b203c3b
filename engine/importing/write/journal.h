// What the database remembers about an import: how many groups are done, how many records were made, which rows were
// refused. One thread.
#pragma once

#include "engine/importing/write/writer.h"
#include "engine/storage/database.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace callisto::importing {

struct Done {
  std::size_t groups = 0;
  Counts counts;
  std::set<std::size_t> rejected;  // rows, by their number in the file
};

class Journal {
 public:
  struct Names {
    std::string file, map;
  };
  // The same texts of map and data are the same import, whatever their files are called.
  Journal(std::string_view map, std::string_view data, Names names);

  Result<Done> read(storage::Connection& connection) const;
  // Inside the WriteFunction of a batch: `groups` are done from now on; `added` is what this batch did.
  Result<void> write(storage::Connection& connection, std::size_t groups, const Done& added, DateTime now) const;

 private:
  std::string digest_;
  Names names_;
};

}  // namespace callisto::importing
