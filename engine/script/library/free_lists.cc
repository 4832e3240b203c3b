#include "engine/script/library/free_lists.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace callisto::script {

FreeLists::~FreeLists() {
  for (Block* block : lists_)
    while (block) std::free(std::exchange(block, block->next));
}

void* FreeLists::resize(void* block, std::size_t old_size, std::size_t new_size) {
  if (!block) return new_size == 0 ? nullptr : take(new_size);
  if (new_size == 0) return give(block, old_size), nullptr;
  if (old_size > largest && new_size > largest) return std::realloc(block, new_size);
  if (list_of(old_size) == list_of(new_size)) return block;
  void* moved = take(new_size);
  if (!moved) return nullptr;
  std::memcpy(moved, block, std::min(old_size, new_size));
  give(block, old_size);
  return moved;
}

void* FreeLists::take(std::size_t size) {
  if (size > largest) return std::malloc(size);
  Block*& first = lists_[list_of(size)];
  if (!first) return std::malloc(list_of(size) * step);
  kept_ -= list_of(size) * step;
  return std::exchange(first, first->next);
}

void FreeLists::give(void* block, std::size_t size) {
  if (size > largest || kept_ >= most_kept) return std::free(block);
  Block*& first = lists_[list_of(size)];
  first = new (block) Block{first};
  kept_ += list_of(size) * step;
}

}  // namespace callisto::script
