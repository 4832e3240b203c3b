#include "engine/script/library/free_lists.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <string>

namespace callisto::script {
namespace {

char* filled(FreeLists& lists, std::size_t size) {
  auto* block = static_cast<char*>(lists.resize(nullptr, 0, size));
  REQUIRE(block);
  std::memset(block, 'x', size);
  return block;
}

TEST_CASE("what was freed is what the next object of that size gets") {
  FreeLists lists;
  char* first = filled(lists, 40);
  CHECK(lists.resize(first, 40, 0) == nullptr);
  char* second = filled(lists, 48);  // of one list with 40
  CHECK(second == first);
  char* third = filled(lists, 48);
  CHECK(third != second);
  lists.resize(second, 48, 0);
  lists.resize(third, 48, 0);
}

TEST_CASE("a block keeps its bytes whatever size it gets") {
  FreeLists lists;
  std::size_t size = 1;
  char* block = filled(lists, size);
  for (const std::size_t next : {15U, 16U, 17U, 100U, 256U, 257U, 5000U, 300U, 256U, 64U, 3U}) {
    block = static_cast<char*>(lists.resize(block, size, next));
    REQUIRE(block);
    const std::size_t same = std::min(size, next);
    CHECK(std::string(block, same) == std::string(same, 'x'));
    std::memset(block, 'x', next);
    size = next;
  }
  lists.resize(block, size, 0);
}

TEST_CASE("nothing is nothing") {
  FreeLists lists;
  CHECK(lists.resize(nullptr, 0, 0) == nullptr);
}

}  // namespace
}  // namespace callisto::script
