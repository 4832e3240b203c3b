#include "tests/unit/storage/support.h"

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

using namespace callisto;
using namespace callisto::storage;

// Sizes around that of a page, all of whose bytes belong to one owner at a time.
TEST_CASE("memory that SQLite gave back is given out again whole, and to one at a time") {
  auto database = open_database("sqlite::memory:");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&wrong, thread] {
      std::vector<std::pair<unsigned char*, int>> blocks;
      for (int i = 0; i < 4000; ++i) {
        const int size = 4090 + i * 7 % 560;
        auto* block = static_cast<unsigned char*>(sqlite3_malloc(size));
        std::memset(block, thread + 1, static_cast<std::size_t>(size));
        blocks.emplace_back(block, size);
        if (blocks.size() < 700) continue;  // together more than are kept
        for (const auto& [given, bytes] : blocks) {
          const bool is_own = std::all_of(given, given + bytes, [&](unsigned char byte) { return byte == thread + 1; });
          wrong += is_own && sqlite3_msize(given) >= static_cast<sqlite3_uint64>(bytes) ? 0 : 1;
          sqlite3_free(given);
        }
        blocks.clear();
      }
      for (const auto& [given, bytes] : blocks) sqlite3_free(given);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("a page that was given back is the next to be given out") {
  auto database = open_database("sqlite::memory:");
  std::vector<void*> pages;
  for (int i = 0; i < 3; ++i) pages.push_back(sqlite3_malloc(4368));
  for (void* page : pages) sqlite3_free(page);
  std::vector<void*> again;
  for (int i = 0; i < 3; ++i) again.push_back(sqlite3_malloc(4200 + i));
  std::reverse(again.begin(), again.end());
  CHECK(again == pages);
  for (void* page : again) sqlite3_free(page);
}
