#include "engine/records/extension_cache.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace callisto::records {
namespace {

bool is_same(const Value& one, const Value& other) {
  const auto *number = std::get_if<double>(&one), *second = std::get_if<double>(&other);
  if (number && second) return std::bit_cast<std::uint64_t>(*number) == std::bit_cast<std::uint64_t>(*second);  // -0
  return one == other;
}

}  // namespace

ExtensionCache::Places ExtensionCache::find(const catalog::Augmenter& augmenter, const Needs& rows,
                                            script::Answers& answers) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_augmenter_.find(&augmenter);
  if (found == by_augmenter_.end() || found->second.is_hopeless) return all(rows.count);
  Places missing;
  answers.values = found->second.values;
  for (std::size_t row = 0; row < rows.count; ++row) {
    const auto known = found->second.places.find(rows.of(row));
    if (known == found->second.places.end()) missing.push_back(static_cast<std::uint32_t>(row));
    else answers.places[row] = known->second;
  }
  return missing;
}

ExtensionCache::Places ExtensionCache::all(std::size_t count) {
  Places places(count);
  std::iota(places.begin(), places.end(), 0);
  return places;
}

void ExtensionCache::add(const catalog::Augmenter& augmenter, const Needs& rows, const Places& missing,
                         const script::Answers& answers) {
  const std::lock_guard lock(mutex_);
  OfOne& kept = by_augmenter_[&augmenter];
  if (kept.is_hopeless) return;
  if (kept.places.size() + missing.size() > most_rows) kept = {};
  for (std::size_t i = 0; i < missing.size() && !kept.is_hopeless; ++i) {
    const Value& value = answers.values[answers.places[i]];
    const auto* text = std::get_if<std::string>(&value);
    if (kept.values.size() >= most_values || (text && text->size() > most_text)) kept = {{}, {}, true};
    else kept.places.try_emplace(std::string(rows.of(missing[i])), kept.place_of(value));
  }
}

std::uint32_t ExtensionCache::OfOne::place_of(const Value& value) {
  const auto same = std::find_if(values.begin(), values.end(), [&](const Value& each) { return is_same(each, value); });
  const auto place = static_cast<std::uint32_t>(same - values.begin());
  if (same == values.end()) values.push_back(value);
  return place;
}

}  // namespace callisto::records
