// Recognises files that are given as CSV or JSON lines but are something else. Pure; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/importing/read/table.h"

#include <string>
#include <string_view>

namespace callisto::importing {

// An error tells what the file is and how to make one that can be read.
Result<void> check_kind(std::string_view text, Format format);

// "sep=;" as the first line, by which a spreadsheet program tells its own kind the separator; nothing where there is
// none.
std::optional<char> told_separator(std::string_view text);

// The header of a file whose columns another character separates than `separator`: why, and what to write in the map;
// empty where the only column has no such character in its name.
std::string other_separator(std::string_view only_column, char separator);

}  // namespace callisto::importing
