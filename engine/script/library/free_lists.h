// Memory for the small objects of one Lua state: freed memory is kept by size for the next object of that size, since a
// page of a hundred records makes and drops a hundred of each. At most 256 KiB are kept. One thread.
#pragma once

#include <array>
#include <cstddef>

namespace callisto::script {

class FreeLists {
 public:
  FreeLists() = default;
  ~FreeLists();
  FreeLists(const FreeLists&) = delete;
  FreeLists& operator=(const FreeLists&) = delete;

  // As realloc(), which also gets the size that the block has: null for a size of 0 and where memory is out.
  void* resize(void* block, std::size_t old_size, std::size_t new_size);

 private:
  static constexpr std::size_t step = 16, largest = 256, most_kept = 256 * 1024;
  struct Block {
    Block* next;
  };

  static std::size_t list_of(std::size_t size) { return (size + step - 1) / step; }
  void* take(std::size_t size);
  void give(void* block, std::size_t size);

  std::array<Block*, largest / step + 1> lists_{};
  std::size_t kept_ = 0;  // bytes
};

}  // namespace callisto::script
