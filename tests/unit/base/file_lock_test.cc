// One holder at a time, known by its process id; nothing stays behind that hinders the next.
#include "engine/base/file_lock.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/storage/support.h"

#include <catch2/catch.hpp>

#include <unistd.h>
#include <atomic>
#include <fstream>
#include <thread>

using namespace callisto;
using callisto::storage::must;

TEST_CASE("a lock has one holder, and the next message names it") {
  const test::TemporaryFolder folder;
  const std::string path = folder / "lock";
  CHECK_FALSE(must(FileLock::holder(path)));
  {
    const auto lock = FileLock::take(path, "in use");
    REQUIRE(lock);
    CHECK(must(FileLock::holder(path)) == getpid());
    const auto second = FileLock::take(path, "in use");
    REQUIRE_FALSE(second);
    CHECK(second.error().log_detail == "in use: " + path + " is locked by process " + std::to_string(getpid()));
    CHECK(must(FileLock::holder(path)) == getpid());  // whoever was refused has changed nothing
  }
  CHECK_FALSE(must(FileLock::holder(path)));
  CHECK(std::ifstream(path).peek() == std::ifstream::traits_type::eof());
  CHECK(FileLock::take(path, "in use"));
}

TEST_CASE("what a killed process left written is no holder") {
  const test::TemporaryFolder folder;
  const std::string path = folder / "lock";
  std::ofstream(path) << getppid() << "\n";
  CHECK_FALSE(must(FileLock::holder(path)));
  CHECK(FileLock::take(path, "in use"));
  CHECK_FALSE(FileLock::take(folder / "no/such/folder", "in use"));
}

TEST_CASE("who asks for the holder keeps nobody from taking the lock") {
  const test::TemporaryFolder folder;
  const std::string path = folder / "lock";
  std::atomic<bool> done = false;
  std::thread asks([&] {
    while (!done) (void)FileLock::holder(path);
  });
  int refused = 0;
  for (int i = 0; i < 2000; ++i) refused += FileLock::take(path, "in use") ? 0 : 1;
  done = true;
  asks.join();
  CHECK(refused == 0);
}
