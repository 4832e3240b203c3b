// Converts between database columns and Values of the catalog's types. Pure; the thread that owns the cursor.
#pragma once

#include "engine/base/value.h"
#include "engine/catalog/catalog.h"
#include "engine/storage/database.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace callisto::records {

// API rule 3.5: Y, YES, T, TRUE, ON, 1, P and A (ignoring case) are all true.
bool is_true_flag(std::string_view stored);
bool read_boolean(const storage::Cursor& row, std::size_t column, const catalog::Property& property);  // not null

bool is_stored_whole(const catalog::Property& property);  // the database has it as a whole number
Value whole_value(std::int64_t stored, const catalog::Property& property);
Value read_value(const storage::Cursor& row, std::size_t column, const catalog::Property& property);

}  // namespace callisto::records
