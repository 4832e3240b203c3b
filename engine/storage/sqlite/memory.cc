#include "engine/storage/sqlite/memory.h"

#include <sqlite3.h>

#include <mutex>
#include <new>
#include <utility>

namespace callisto::storage {
namespace {

constexpr int smallest = 4097, largest = 4600;  // of a page of 4 KiB with what SQLite notes about it
constexpr int rounding = 32;                    // malloc() may give a little more
constexpr int most_kept = 2048;                 // 9 MiB: what all readers together read between two commits

struct Freed {
  Freed* next;
};

sqlite3_mem_methods usual;
std::mutex mutex;
Freed* last_freed = nullptr;
int kept = 0;

void* allocate(int bytes) {
  if (bytes < smallest || bytes > largest) return usual.xMalloc(bytes);
  {
    const std::lock_guard lock(mutex);
    if (last_freed) {
      --kept;
      return std::exchange(last_freed, last_freed->next);
    }
  }
  return usual.xMalloc(largest);
}

bool keep(void* block) {
  const int size = usual.xSize(block);
  if (size < largest || size > largest + rounding) return false;
  const std::lock_guard lock(mutex);
  if (kept == most_kept) return false;
  ++kept;
  last_freed = new (block) Freed{last_freed};
  return true;
}

void release(void* block) {
  if (block && !keep(block)) usual.xFree(block);
}

}  // namespace

void keep_freed_pages() {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual) != SQLITE_OK) return;
  sqlite3_mem_methods ours = usual;
  ours.xMalloc = allocate;
  ours.xFree = release;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}

}  // namespace callisto::storage
