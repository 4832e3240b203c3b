#include "engine/storage/sqlite/functions.h"

#include "engine/base/text.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace callisto::storage {
namespace {

using TextTest = bool (*)(std::string_view text, std::string_view needle);

std::string_view view(sqlite3_value* value) {
  // text() first: it converts, and only then is bytes() the length of the text.
  const auto* data = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return {data ? data : "", static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

template <TextTest test>
void call_test(sqlite3_context* context, int, sqlite3_value** arguments) {
  for (int i = 0; i < 2; ++i)
    if (sqlite3_value_type(arguments[i]) == SQLITE_NULL) return sqlite3_result_null(context);
  sqlite3_result_int(context, test(view(arguments[0]), view(arguments[1])) ? 1 : 0);
}

// The folded texts in one, for the index of substrings: no part of it is longer than a line, and a line ends where FTS5
// would stop reading. Null is no text.
void join_folded(sqlite3_context* context, int count, sqlite3_value** arguments) {
  std::string joined;
  for (int i = 0; i < count; ++i) {
    if (sqlite3_value_type(arguments[i]) == SQLITE_NULL) continue;
    joined += text::fold(view(arguments[i]));
    joined += '\n';
  }
  std::replace(joined.begin(), joined.end(), '\0', '\n');
  sqlite3_result_text64(context, joined.data(), joined.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

int compare(void*, int left_size, const void* left, int right_size, const void* right) {
  return text::compare_folded({static_cast<const char*>(left), static_cast<std::size_t>(left_size)},
                              {static_cast<const char*>(right), static_cast<std::size_t>(right_size)});
}

struct Function {
  const char* name;
  int arguments;  // -1: any number
  void (*call)(sqlite3_context*, int, sqlite3_value**);
};

constexpr Function functions[] = {
    {"contains_folded", 2, call_test<text::contains_folded>},
    {"starts_with_folded", 2, call_test<text::starts_with_folded>},
    {"ends_with_folded", 2, call_test<text::ends_with_folded>},
    {"join_folded", -1, join_folded},
};

}  // namespace

int register_functions(sqlite3* db) {
  if (int code = sqlite3_create_collation_v2(db, "folded", SQLITE_UTF8, nullptr, compare, nullptr); code != SQLITE_OK)
    return code;
  // Innocuous, so that they stay usable inside views and indexes although trusted_schema is off.
  constexpr int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  for (const Function& function : functions) {
    const int code = sqlite3_create_function_v2(db, function.name, function.arguments, flags, nullptr, function.call,
                                                nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

}  // namespace callisto::storage
