// ExtensionCache: values of extensions for rows with equal needs, for one session and as long as scripts know the same
// of it (SessionDataCache): one page of a queue has mostly the states, people and groups of the previous page. Any
// thread.
//
// Requires: an extension's `needs` are bound with one type for all rows, since rows are distinguished by numbers.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/script/state.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace callisto::records {

class ExtensionCache {
 public:
  // What rows need: so many numbers each, one row after the other.
  struct Needs {
    const std::uint64_t* numbers;
    std::size_t width, count;
    std::string_view of(std::size_t row) const {
      return {reinterpret_cast<const char*>(numbers + row * width), width * sizeof *numbers};
    }
  };
  using Places = std::vector<std::uint32_t>;  // of rows
  static Places all(std::size_t count);

  // Puts what is known into `answers`, whose places are as many as the rows, and tells which are missing.
  Places find(const catalog::Augmenter& augmenter, const Needs& rows, script::Answers& answers) const;
  // Of `missing` rows, one after the other. Those of an extension that says something else of each row are not kept.
  void add(const catalog::Augmenter& augmenter, const Needs& rows, const Places& missing,
           const script::Answers& answers);

 private:
  static constexpr std::size_t most_rows = 500, most_values = 50, most_text = 200;  // of an extension; bytes of a value
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  struct OfOne {
    std::vector<Value> values;
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> places;  // in `values`, by what a row needs
    bool is_hopeless = false;
    std::uint32_t place_of(const Value& value);
  };
  mutable std::mutex mutex_;
  std::unordered_map<const catalog::Augmenter*, OfOne> by_augmenter_;
};

}  // namespace callisto::records
