// RecordFields: which properties of one record a session may not see, and which of the others it may not write (API
// rule 4.12). A plain value.
#pragma once

#include "engine/catalog/catalog.h"

#include <set>
#include <string_view>

namespace callisto::records {

struct RecordFields {
  std::set<const catalog::Property*> hidden, fixed;  // a mirror goes by its lookup
  bool hides(const catalog::Property& property) const { return has(hidden, property); }
  bool hides_word_of(std::string_view filter) const;  // it names one of these
  bool fixes(const catalog::Property& property) const { return has(fixed, property); }

 private:
  static bool has(const std::set<const catalog::Property*>& set, const catalog::Property& property) {
    return !set.empty() && set.count(property.mirror_of ? property.mirror_of : &property) != 0;
  }
};

}  // namespace callisto::records
