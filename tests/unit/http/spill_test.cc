// A large answer takes no memory of the server's while its reader stands still, and comes whole all the same.
#include "tests/support/temporary_folder.h"
#include "tests/unit/http/fixture.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

using namespace callisto;
using namespace callisto::test;

namespace {

constexpr std::size_t large = 20 * 1024 * 1024;

std::string pattern(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i / 7 % 26);
  return text;
}

http::Handler large_answers(MemoryBudget& budget, std::size_t size) {
  return [&budget, size](http::Request&, http::Response& response) {
    response.memory = MemoryBudget::Share(budget);
    response.body = pattern(size);
    if (!response.memory.grow_to(size)) response.status = 500;
  };
}

// Whether nothing is taken within 20 s.
bool is_given_back(const MemoryBudget& budget) {
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (budget.taken() > 0 && std::chrono::steady_clock::now() < latest)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return budget.taken() == 0;
}

constexpr const char* get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

}  // namespace

TEST_CASE("a large answer leaves the memory before its reader has read it", "[http][server]") {
  const TemporaryFolder folder;
  MemoryBudget budget(large);
  http::ServerOptions options = ServerFixture::small_options();
  options.request_timeout_ms = 60'000;
  options.spill_folder = folder.path();
  ServerFixture desk(large_answers(budget, large), options);
  RawClient first = desk.client(), second = desk.client();
  first.send(get);
  REQUIRE(first.can_read(20'000));
  CHECK(is_given_back(budget));
  second.send(get);  // for whom there would be no room
  CHECK(second.read_reply().body == pattern(large));
  CHECK(first.read_reply().body == pattern(large));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a large answer comes whole where no file can be had, and where there is no room", "[http][server]") {
  const TemporaryFolder folder;
  MemoryBudget budget(large);
  http::ServerOptions options = ServerFixture::small_options();
  SECTION("nowhere to go") {}
  SECTION("a folder that is not there") { options.spill_folder = folder.path() + "/none"; }
  SECTION("too little room") {
    options.spill_folder = folder.path();
    options.spilled_bytes = large - 1;
  }
  ServerFixture desk(large_answers(budget, large), options);
  CHECK(desk.ask(get).body == pattern(large));
  CHECK(is_given_back(budget));
}

TEST_CASE("a small answer stays in memory, and takes none of the budget", "[http][server]") {
  MemoryBudget budget(1);
  ServerFixture desk(large_answers(budget, 1000));
  CHECK(desk.ask(get).status == 200);
}
