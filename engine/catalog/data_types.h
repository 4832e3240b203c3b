// DataType: the types of properties (API rule 3.5). Everything that follows from the type alone is in its row of one
// table, so a new type is a new row, and code where its values are read, checked and written. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace callisto::catalog {

enum class DataType { Binary, Boolean, DateTime, Integer, Long, Float, Double, Decimal, Short, Text, RichText, Lookup };

// What is compared with what in a query.
enum class Family { Number, Text, Boolean, DateTime, Binary, Lookup };

// How a column keeps it: DateTime as milliseconds, Decimal as its digits. Flag: 1 and 0, or the texts of `stored`.
enum class Kept { Whole, Real, Text, Bytes, Flag };

struct DataTypeTraits {
  DataType type;
  const char* name;  // in metadata
  const char* noun;  // in entity files
  Family family;
  Kept kept;
  const char* json_type;    // JSON Schema's
  const char* json_format;  // empty: none
  const char* displays;     // that fit it, the default first, with blanks between; empty: it is not shown
  std::pair<std::int64_t, std::int64_t> range = {INT64_MIN, INT64_MAX};  // of whole numbers
};

const DataTypeTraits& traits(DataType type);
const char* name(DataType type);
std::optional<DataType> data_type(std::string_view name);
std::optional<DataType> data_type_of_noun(std::string_view noun);  // "key" is none: it is an integer or a lookup
inline Family family(DataType type) { return traits(type).family; }
bool is_number(DataType type);  // Integer Long Float Double Decimal Short
bool is_whole(DataType type);   // Integer Long Short
bool is_text(DataType type);    // Text RichText

}  // namespace callisto::catalog
