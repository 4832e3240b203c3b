// How busy the one writer of a database is, for those who watch over a server. Any thread.
#pragma once

#include "engine/storage/database.h"

#include <cstddef>
#include <cstdint>

namespace callisto::storage {

struct WriterLoad {
  std::size_t queued = 0;  // writes that wait for their turn
  std::uint64_t commits = 0;
  std::uint64_t writes = 0;  // several share a commit
  bool stopped = false;      // a flush to disk failed or the file is damaged: nothing is written any more
};

// Zeros for a database that this process only reads.
WriterLoad writer_load(const Database& database);

}  // namespace callisto::storage
