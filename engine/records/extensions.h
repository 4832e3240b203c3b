// Extensions: what scripts are asked of the rows of a page, gathered while these are rendered (decisions.md 2.12). A
// value depends on nothing but what the extension needs, the session and the time, so rows that need the same share
// one: in a queue of calls a few states, analysts and groups come again and again. The thread of the request.
#pragma once

#include "engine/records/search.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
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
  class Values {
   public:
    Values(script::Answers answers, const std::pmr::vector<std::uint32_t>& asked)
        : answers_(std::move(answers)), asked_(asked) {}
    const std::vector<Value>& distinct() const { return answers_.values; }
    std::size_t place(std::size_t row) const { return answers_.places[asked_[row]]; }  // in distinct()

   private:
    script::Answers answers_;
    const std::pmr::vector<std::uint32_t>& asked_;
  };
  // One for each of Plan::extensions. Each augmenter is asked once for all rows.
  Result<std::vector<Values>> values(const Context& context) const;

 private:
  struct Need {
    std::size_t column;
    const catalog::Property* property;
    bool is_whole;  // stored as a whole number
  };
  static constexpr std::size_t bits = 64;
  static constexpr int last_bits = 9;
  struct Asked {
    Asked(const query::Plan& plan, const query::ExtensionUse& use, std::pmr::memory_resource* memory);
    void add(const Row& row);
    Value value_of(const Row& row, std::size_t place) const;
    std::optional<std::int64_t> read_other(const Row& row, const Need& need);

    std::pmr::vector<Need> needs;
    std::pmr::vector<std::uint64_t> key_of_row;  // that is being added: a number for each need, then which are null
    std::pmr::vector<std::uint64_t> keys;        // of one after the other of `rows`
    std::pmr::vector<std::uint32_t> places;      // in `rows`, of each row of the page
    script::Rows rows;                           // those that differ in what is needed, most of them once
    std::array<std::uint32_t, 1 << last_bits> last{};     // of `rows`, by a hash of its numbers
    std::unordered_map<std::string, std::int64_t> texts;  // numbered as they come
  };

  const query::Plan& plan_;
  std::array<std::byte, 8192> room_;  // enough for a page of 100 rows: a block from malloc() for each would be felt
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::vector<Asked> asked_;  // by extension
};

}  // namespace callisto::records
