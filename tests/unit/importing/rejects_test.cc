#include "engine/importing/write/rejects.h"

#include "tests/support/temporary_folder.h"

#include <signal.h>
#include <sys/resource.h>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace callisto::importing {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// No file grows beyond `bytes`, as if the disk were full.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }

 private:
  sighandler_t handler_;
  rlimit before_{};
};

}  // namespace

TEST_CASE("rejected rows that find no room leave what was there, and nothing beside it") {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/rejected";
  REQUIRE(write_rejected(path, "name\nold\n"));
  {
    const SmallDisk disk(4096);
    const auto done = write_rejected(path, std::string(10'000, 'x'));
    REQUIRE_FALSE(done);
    CHECK_THAT(done.error().message, Catch::Contains("name another file with --rejected"));
  }
  CHECK(contents(path) == "name\nold\n");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  REQUIRE(write_rejected(path, "name\nnew\n"));
  CHECK(contents(path) == "name\nnew\n");
}

}  // namespace callisto::importing
