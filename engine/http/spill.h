// Spill: a large answer that waits for its reader in a file without a name instead of in memory. The file vanishes with
// the Spill, or with the process. One thread.
#pragma once

#include "engine/base/memory_budget.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::http {

// Where they are, and how many bytes of them there may be at once.
struct SpillArea {
  SpillArea(std::string the_folder, std::uint64_t most) : folder(std::move(the_folder)), room(most) {}
  const std::string folder;  // empty: nowhere
  MemoryBudget room;
};

class Spill {
 public:
  // Nothing where there is no room, or the disk refuses: the bytes stay in memory then.
  static std::optional<Spill> of(std::string_view bytes, SpillArea& area);
  Spill(Spill&& other) noexcept;
  Spill& operator=(Spill&&) = delete;
  ~Spill();

  // The next bytes, as many as `buffer` holds at most; 0 at the end, negative where the disk fails.
  std::ptrdiff_t read(char* buffer, std::size_t size);

 private:
  Spill(int file, MemoryBudget::Share room) : file_(file), room_(std::move(room)) {}
  int file_;
  MemoryBudget::Share room_;
};

}  // namespace callisto::http
