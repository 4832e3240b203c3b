// Extensions: what scripts are asked of the rows of a page, gathered while these are rendered (decisions.md 2.12). A
// value depends on nothing but what the extension needs, the session and the time, so rows that need the same share
// one: in a queue of calls a few states, analysts and groups come again and again. The thread of the request.
#pragma once

#include "engine/records/search.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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
    const std::vector<std::uint32_t>& places;  // in `distinct`, of each row by its number on the page
  };
  // One for each of Plan::extensions. Each augmenter is asked once for all rows.
  Result<std::vector<Values>> values(const Context& context) const;

 private:
  struct Need {
    std::size_t column;
    const catalog::Property* property;
    bool is_whole;  // stored as a whole number
  };
  struct Cell {
    std::int64_t number = 0;
    std::int64_t is_null = 0;  // as wide as the number: what is written is read again at once
    bool operator==(const Cell&) const = default;
  };
  static constexpr int last_bits = 9;
  struct Asked {
    Asked(const query::Plan& plan, const query::ExtensionUse& use);
    void add(const Row& row);
    std::optional<std::int64_t> read_other(const Row& row, const Need& need);

    std::vector<Need> needs;
    std::vector<Cell> cells_of_row;                       // that is being added
    script::Rows rows;                                    // those that differ in what is needed, most of them once
    std::vector<Cell> cells;                              // of one after the other
    std::vector<std::uint32_t> places;                    // in `rows`, of each row of the page
    std::array<std::uint32_t, 1 << last_bits> last{};     // of `rows`, by a hash of the cells
    std::unordered_map<std::string, std::int64_t> texts;  // numbered as they come
  };

  const query::Plan& plan_;
  std::vector<Asked> asked_;  // by extension
};

}  // namespace callisto::records
