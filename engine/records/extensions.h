// Extensions: what scripts are asked of the rows of a page, gathered while these are rendered (decisions.md 2.12). A
// value depends on nothing but what the extension needs, the session and the time, so rows that need the same share
// one: in a queue of calls a few states, analysts and groups come again and again. The thread of the request.
#pragma once

#include "engine/records/search.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <unordered_map>
#include <vector>

namespace callisto::records {

class Extensions {
 public:
  static constexpr std::size_t usual_rows = 100;  // of a page: there is room for so many from the start

  explicit Extensions(const query::Plan& plan);  // which outlives it
  Extensions(const Extensions&) = delete;
  Extensions& operator=(const Extensions&) = delete;

  void add(const Row& row);

  // What one of Plan::extensions says of the rows. Lives no longer than the Extensions.
  struct Values {
    std::vector<Value> distinct;
    const std::pmr::vector<std::uint32_t>& places;  // in `distinct`, of each row by its number on the page
  };
  // One for each of Plan::extensions. Each augmenter is asked once for all rows.
  Result<std::vector<Values>> values(const Context& context) const;

 private:
  struct Asked {
    explicit Asked(std::pmr::memory_resource* memory) : places(memory), by_hash(memory) {}
    script::Rows rows;                                            // those that differ in what is needed
    std::pmr::vector<std::uint32_t> places;                       // in `rows`, of each row of the page
    std::pmr::unordered_map<std::size_t, std::uint32_t> by_hash;  // the first of them with this hash of what is needed
  };
  static void add(const Row& row, const query::Plan& plan, const std::vector<std::size_t>& columns, Asked& asked);

  const query::Plan& plan_;
  std::array<std::byte, 8192> room_;  // enough for a page of 100 rows: a block from malloc() for each would be felt
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::vector<Asked> asked_;  // by extension
};

}  // namespace callisto::records
