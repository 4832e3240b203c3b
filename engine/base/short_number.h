// A number that stands for a short text of ASCII in an index of SQLite, where it takes a byte. Few texts have the same
// one: whoever asks by it sees to the others. Pure; any thread.
#pragma once

#include "engine/base/sql.h"

#include <string_view>

namespace callisto {

// Of a text that is not empty; less than 100.
inline int short_number(std::string_view text) {
  return (static_cast<unsigned char>(text.front()) + static_cast<int>(text.size())) % 100;
}

// The same of what stands in the column, spelled the same way for the index and for what asks by it.
inline Sql short_number(const Sql& column) {
  return Sql("((unicode(") << column << ") + length(" << column << ")) % 100)";
}

}  // namespace callisto
