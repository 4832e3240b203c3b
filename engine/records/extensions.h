// Extensions: gathers, while a page's rows are rendered, what scripts must compute for them (API rule 2.12). A value
// depends only on what the extension needs, the session and the time, so rows with equal needs share one: in a queue of
// calls a few states, analysts and groups come again and again, on the next page too (ExtensionCache). The thread of
// the request.
#pragma once

#include "engine/records/search.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <string>
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
  // One for each of Plan::extensions. Each augmenter is asked once for all rows whose answers are not known.
  Result<std::vector<Values>> values(const Context& context) const;

 private:
  struct Need {
    enum class Form { Whole, Flag, Real, Text };  // which number tells one value of it from another
    std::size_t column;
    const catalog::Property* property;
    Form form;
    static Form form_of(const catalog::Property& property);
  };
  static constexpr std::size_t bits = 64;
  static constexpr int last_bits = 9;
  struct Asked {
    Asked(const query::Plan& plan, const query::ExtensionUse& use, std::pmr::memory_resource* memory);
    void add(const Row& row);
    Result<script::Answers> answers(const Context& context) const;
    std::optional<std::int64_t> read_other(const Row& row, const Need& need);
    Value value_of(std::size_t row, std::size_t need) const;

    const catalog::Augmenter& augmenter;
    std::pmr::vector<Need> needs;
    std::size_t count = 0;                       // of rows that differ in what is needed, most of them once
    std::pmr::vector<std::uint64_t> key_of_row;  // that is being added: a number for each need, then which are null
    std::pmr::vector<std::uint64_t> keys;        // of one after the other of those rows
    std::pmr::vector<std::uint32_t> places;      // among those, of each row of the page
    std::array<std::uint32_t, 1 << last_bits> last{};                          // of those, by a hash of its numbers
    std::map<std::pair<std::size_t, std::string>, std::int64_t> text_numbers;  // by column and text, as they come
    std::vector<Value> texts;                                                  // by number
  };

  std::array<std::byte, 8192> room_;  // enough for a page of 100 rows: a block from malloc() for each would be felt
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::vector<Asked> asked_;  // by extension
};

}  // namespace callisto::records
