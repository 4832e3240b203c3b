// PropertyValues: values by property, used like a std::map, in one piece of memory. A record has some forty; allocating
// a node for each, and copying them to remember the record's previous state, took a tenth of a create's time. Values
// that are added in the order of the properties' addresses (by_address) go to the end. One thread; iterators last until
// something is added.
#pragma once

#include "engine/base/value.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace callisto::catalog {

struct Property;

constexpr std::less<const Property*> by_address;

class PropertyValues {
 public:
  using Entry = std::pair<const Property*, Value>;
  using const_iterator = std::vector<Entry>::const_iterator;

  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }
  bool empty() const { return entries_.empty(); }
  void reserve(std::size_t count) { entries_.reserve(count); }

  const_iterator find(const Property* property) const {
    const auto place = place_of(property);
    return place != end() && place->first == property ? place : end();
  }
  std::size_t count(const Property* property) const { return find(property) == end() ? 0 : 1; }
  const Value& at(const Property* property) const {
    const auto found = find(property);
    if (found == end()) throw std::out_of_range("no value of this property");
    return found->second;
  }

  // Keeps what is there.
  std::pair<const_iterator, bool> emplace(const Property* property, Value value) {
    const auto place = place_of(property);
    if (place != end() && place->first == property) return {place, false};
    return {entries_.emplace(place, property, std::move(value)), true};
  }
  void insert_or_assign(const Property* property, Value value) {
    const auto place = place_of(property);
    if (place == end() || place->first != property) entries_.emplace(place, property, std::move(value));
    else entries_[static_cast<std::size_t>(place - begin())].second = std::move(value);
  }
  // It is gone then; null where there was none.
  Value take(const Property* property) {
    const auto found = find(property);
    if (found == end()) return Null{};
    Value value = std::move(entries_[static_cast<std::size_t>(found - begin())].second);
    entries_.erase(found);
    return value;
  }

 private:
  const_iterator place_of(const Property* property) const {
    if (entries_.empty() || by_address(entries_.back().first, property)) return end();
    return std::lower_bound(begin(), end(), property,
                            [](const Entry& entry, const Property* wanted) { return by_address(entry.first, wanted); });
  }

  std::vector<Entry> entries_;
};

}  // namespace callisto::catalog
